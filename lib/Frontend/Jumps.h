//===- Jumps.h - gotos as conditions and loops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend. Old Fortran lives on in C as `if (c) goto L;` over
// a few statements of one block, arithmetic `if` and computed `goto`. Where
// every jump to a block's labels goes forward inside that block, the block is a
// nest of conditions; what several ways lead through stands in each of them. A
// jump out of a loop to the statement behind it is a break. From a label to the
// last jump back to it, a block is a loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_JUMPS_H
#define RAISE_LIB_FRONTEND_JUMPS_H

#include "clang/AST/Stmt.h"
#include <memory>
#include <optional>
#include <set>
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
  /// What runs on one way: what stands in the branch before its jump, then what
  /// the jump leads to. Of a switch, Cases are those that take it.
  struct Way {
    std::vector<const clang::Stmt *> Before;
    std::vector<Item> Items;
    std::vector<const clang::CaseStmt *> Cases;
  };
  /// An `if` (two ways: taken, not taken) or a `switch` (the last way is that
  /// of every other value).
  struct Branch {
    const clang::Stmt *Head = nullptr;
    std::vector<Way> Ways;
  };
  std::vector<Item> Items;
  /// Jumps out of a loop to what follows it: each is a `break`.
  std::set<const clang::Stmt *> Breaks;
  /// Jumps back to the beginning of a loop: each is a `continue`.
  std::set<const clang::Stmt *> Continues;
};

/// A block whose backward jumps are loops.
struct BackJumps {
  std::vector<const clang::Stmt *> Children;
  std::set<const clang::Stmt *> Continues; ///< see JumpPlan
  bool Any = false;                        ///< whether there is such a loop
};

/// Body's statements, with a loop made for each label to which all jumps come
/// from behind it, where nothing else leads into the loop, and nothing leaves
/// it but by a jump or a return.
BackJumps findBackJumps(const clang::CompoundStmt &Body,
                        const clang::Stmt &Function, clang::ASTContext &AST);

/// The plan for Body, a block of a function whose whole body is Function;
/// nothing where Body has no label, or some jump to one of its labels is not of
/// that form.
std::optional<JumpPlan> planJumps(const clang::CompoundStmt &Body,
                                  const clang::Stmt &Function,
                                  clang::ASTContext &AST);

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_JUMPS_H
