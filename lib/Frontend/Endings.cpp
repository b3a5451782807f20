//===- Endings.cpp - objects that are destroyed where a scope ends --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A destructor has no statement of its own, and may do what a call may do. So
// an Opaque stands wherever a scope is left that holds an object with one.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether the destructor of T may do more than to give back memory of its own.
static bool mayAct(QualType T, const ASTContext &AST) {
  T = AST.getBaseElementType(T);
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition() || R->hasTrivialDestructor())
    return false;
  const auto Elem = containerElement(T);
  return !Elem || !ownsElements(T) || mayAct(*Elem, AST);
}

/// Whether a temporary object lives as long as D, and acts when it ends.
static bool extends(const clang::Stmt *S, const VarDecl *D,
                    const ASTContext &AST) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(S);
      T && T->getExtendingDecl() == D && mayAct(T->getType(), AST))
    return true;
  return llvm::any_of(S->children(), [&](const clang::Stmt *Child) {
    return extends(Child, D, AST);
  });
}

void Lifter::noteEnding(const VarDecl *D) {
  if (D->hasLocalStorage() &&
      (D->hasAttr<CleanupAttr>() || mayAct(D->getType(), AST) ||
       extends(D->getInit(), D, AST)))
    Ending.push_back(D);
}

/// Emits what happens where S, or a jump in it, leaves the scopes of all
/// objects that were declared since there were Known.
void Lifter::destroy(size_t Known, const clang::Stmt *S) {
  if (Ending.size() <= Known)
    return;
  const VarDecl *D = Ending[Known];
  std::vector<VarRef> Touched;
  for (const VarRef &V : Addressed)
    if (!is_contained(Touched, V) && !is_contained(Counters, V) &&
        is_contained(Visible, V))
      Touched.push_back(V);
  const std::string Name = D->getNameAsString();
  emit(std::make_shared<Opaque>("~" + Name, codes::ClassObject,
                                "what the end of '" + Name +
                                    "' does is not followed",
                                std::move(Touched), locateStatement(S, AST)));
}

void Lifter::leaveScope(size_t Known, const clang::Stmt *S) {
  destroy(Known, S);
  Ending.resize(std::min(Known, Ending.size()));
}

} // namespace raise::lifting
