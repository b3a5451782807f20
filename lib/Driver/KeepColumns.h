//===- KeepColumns.h - blocks where their statements stood ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_KEEPCOLUMNS_H
#define RAISE_LIB_DRIVER_KEEPCOLUMNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace raise {

/// A block of Text begins with the line Mark, which no other has, and belongs
/// at Column.
struct BlockColumn {
  std::string Mark;
  size_t Column;
};

/// Moves blocks to their columns. A formatter takes the indentation of a block
/// from the line before it, which in a style of the author's own (GNU's braces)
/// may be that of a branch which the block is no part of: compilers warn.
/// Directives of the preprocessor stay where they are.
std::string withBlocksAt(std::string Text, llvm::ArrayRef<BlockColumn> Blocks);

} // namespace raise

#endif // RAISE_LIB_DRIVER_KEEPCOLUMNS_H
