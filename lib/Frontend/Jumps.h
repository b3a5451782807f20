//===- Jumps.h - forward gotos as conditions --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend. Old Fortran lives on in C as `if (c) goto L;` over
// a few statements of one block. Where every jump to a block's labels goes
// forward inside that block, the block is a nest of conditions.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_JUMPS_H
#define RAISE_LIB_FRONTEND_JUMPS_H

#include "clang/AST/Stmt.h"
#include <memory>
#include <optional>
#include <vector>

namespace raise::lifting {

/// A block without its gotos.
struct JumpPlan {
  struct Branch;
  /// A statement of the source, or a branch in its place.
  struct Item {
    const clang::Stmt *S = nullptr;
    std::shared_ptr<const Branch> If;
  };
  /// `if (Cond) { Before; goto L; }`: what runs where the jump is taken
  /// (Before, then Jumped) and where it is not.
  struct Branch {
    const clang::IfStmt *Head = nullptr;
    std::vector<const clang::Stmt *> Before;
    std::vector<Item> Jumped, Rest;
  };
  std::vector<Item> Items;
};

/// The plan for Body, a block of a function whose whole body is Function;
/// nothing where Body has no label, or some jump to one of its labels is not of
/// that form.
std::optional<JumpPlan> planJumps(const clang::CompoundStmt &Body,
                                  const clang::Stmt &Function);

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_JUMPS_H
