//===- Rotation.h - arrays that change places -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_ROTATION_H
#define RAISE_LIB_FRONTEND_ROTATION_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <utility>
#include <vector>

namespace raise::lifting {

/// Statements, one after the other, after which variables that hold arrays have
/// one another's:
///
///   std::swap(u, v);   u.swap(v);
///   double *spare = u; u = v; v = spare;
///   spare = u; u = v; v = w; w = spare;
///
/// as swaps of two, in their order.
struct Rotation {
  std::vector<std::pair<const clang::VarDecl *, const clang::VarDecl *>> Swaps;
};

struct Rotations {
  /// By the first of its statements.
  llvm::DenseMap<const clang::Stmt *, Rotation> At;
  /// All of their statements, each with the first one.
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Statements;
  /// Variables that only hold a value within a rotation, each with one whose
  /// value that is.
  llvm::DenseMap<const clang::VarDecl *, const clang::VarDecl *> Spare;
  /// Variables that others have the arrays of afterwards.
  llvm::DenseSet<const clang::VarDecl *> Rotated;

  /// Adds those of a function's body.
  void scan(const clang::Stmt *Body);
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_ROTATION_H
