//===- MemoryBlock.h - a block of elements ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend: what a call of memcpy or std::fill works on.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_MEMORYBLOCK_H
#define RAISE_LIB_FRONTEND_MEMORYBLOCK_H

#include "Lifter.h"

namespace raise::lifting {

/// Where a block lies: a scalar variable, the parts of a structure, or elements
/// of a buffer, from `At` on. Of an array of several dimensions `At` holds the
/// first indices, and the rows are of `Inner` elements each.
struct Lifter::MemoryBlock {
  enum BlockKind { None, Variable, Parts, Elements } Kind = None;
  Place At;
  ExprRef Offset; ///< of Elements without Inner; null: 0
  std::vector<uint64_t>
      Inner; ///< extents of the dimensions after the outer one
  clang::QualType Elem;
  clang::SourceRange Range;
  uint64_t rowLength() const {
    uint64_t N = 1;
    for (uint64_t I : Inner)
      N *= I;
    return N;
  }
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_MEMORYBLOCK_H
