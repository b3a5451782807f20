//===- OwnUses.h - what a function does with its own arrays -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to OwnArrays.cpp, whose head lists the uses that are known.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_OWNUSES_H
#define RAISE_LIB_FRONTEND_OWNUSES_H

#include "Rotation.h"
#include "clang/AST/ExprCXX.h"

namespace raise::lifting {

/// E without parentheses and conversions.
const clang::Expr *bare(const clang::Expr *E);
bool names(const clang::Expr *E, const clang::VarDecl *D);

/// The call of a C library function of this name.
const clang::CallExpr *callOf(const clang::Expr *E, llvm::StringRef Name);
/// `p = raise_room(p, n, sizeof *p)`.
const clang::CallExpr *roomFor(const clang::Stmt *S, const clang::VarDecl *D);
/// `if (!p) abort();`
bool isNullTest(const clang::IfStmt *I, const clang::VarDecl *D);
bool isPush(const clang::CXXMemberCallExpr *M);
/// `v.reserve(n)`, which changes nothing that is seen.
bool isReserve(const clang::CXXMemberCallExpr *M);

/// The first use of D that is not known; null if all are. Grows: those of an
/// array that grows.
const clang::Expr *strangeUse(const clang::VarDecl *D, bool Grows,
                              const Rotations &Moves);
/// Whether all uses of D are known.
bool isFollowed(const clang::VarDecl *D, bool Grows, const Rotations &Moves);
/// Whether, besides, one call of CUDA's runtime gives D memory.
bool isAllocatedOnce(const clang::VarDecl *D, const Rotations &Moves);

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_OWNUSES_H
