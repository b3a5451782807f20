//===- Unbraced.h - statements that stand for a block -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_UNBRACED_H
#define RAISE_LIB_DRIVER_UNBRACED_H

#include "clang/AST/Decl.h"
#include <optional>

namespace raise {

/// Of a statement that is all of a loop's body or an if's branch: where the
/// head that it belongs to begins (its `for`, its `else`), and what comes after
/// the head. Offsets in the file.
struct Head {
  unsigned Begin, End;
};

/// The head of the statement of FD that begins at Offset, with or without the
/// author's directive and labels; nothing if it stands in a block.
std::optional<Head> headOfUnbraced(const clang::FunctionDecl &FD,
                                   unsigned Offset);

} // namespace raise

#endif // RAISE_LIB_DRIVER_UNBRACED_H
