//===- Fresh.h - memory that only some locals lead to -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend. Which local pointers and containers lead only to
// memory that the function has allocated for them, and that nothing else leads
// to. An escape analysis in the manner of Choi, Gupta, Serrano, Sreedhar,
// Midkiff, "Escape Analysis for Java" (OOPSLA 1999), without regard to the
// order of statements: locals that are given each other's values form one
// group; a group is fresh if all that comes into it was allocated and nothing
// goes out of it. Calls are followed into the bodies that are known.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_FRESH_H
#define RAISE_LIB_FRONTEND_FRESH_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace raise::lifting {

class FreshMemory {
public:
  explicit FreshMemory(const clang::ASTContext &AST) : AST(AST) {}
  /// Finds the groups of FD's locals.
  void scan(const clang::FunctionDecl &FD);
  /// The number of the fresh group that V is in; 0 for none.
  unsigned groupOf(const clang::VarDecl *V) const { return Groups.lookup(V); }

  /// What becomes of a pointer that a function is given.
  enum class Fate { Kept, Returned, Forgotten };
  /// As: how the parameter leads to the memory.
  Fate fateOf(const clang::FunctionDecl *FD, unsigned Param, bool IsSlot);
  /// Whether what FD returns is new memory that nothing else leads to.
  bool returnsFresh(const clang::FunctionDecl *FD);
  const clang::ASTContext &context() const { return AST; }

private:
  const clang::ASTContext &AST;
  llvm::DenseMap<const clang::VarDecl *, unsigned> Groups;
  std::map<std::pair<const clang::ParmVarDecl *, bool>, Fate> Fates;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Returns;
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_FRESH_H
