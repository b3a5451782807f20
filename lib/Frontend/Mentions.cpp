//===- Mentions.cpp - what a statement that is not followed names ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {
/// Whether FD, of the C library, has no use for its arguments' addresses once
/// it returned.
bool onlyBorrows(const FunctionDecl *FD, const ASTContext &AST) {
  return FD && FD->getIdentifier() && FD->isExternC() && isLibrary(FD, AST) &&
         StringSwitch<bool>(FD->getName())
             .Cases("fread", "fwrite", "read", "write", true)
             .Cases("scanf", "fscanf", "sscanf", "printf", true)
             .Cases("fprintf", "sprintf", "snprintf", true)
             .Cases("__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf",
                    true)
             .Cases("frexp", "frexpf", "modf", "modff", true)
             .Cases("sincos", "sincosf", "remquo", "remquof", true)
             .Cases("gettimeofday", "clock_gettime", "time", true)
             .Default(false);
}

/// Variables that a statement of the source names, or a lambda that it calls.
class Mentions : public RecursiveASTVisitor<Mentions> {
  const ASTContext &AST;
  CalleeFacts &Called;
  bool Borrowed = false; ///< in an argument that a call only borrows
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> Closures;

public:
  llvm::SmallVector<const ValueDecl *, 8> Found;
  llvm::DenseSet<const ValueDecl *> Given; ///< to more than such calls
  Mentions(const ASTContext &AST, CalleeFacts &Called)
      : AST(AST), Called(Called) {}
  bool TraverseCallExpr(clang::CallExpr *E) {
    if (!onlyBorrows(E->getDirectCallee(), AST))
      return RecursiveASTVisitor::TraverseCallExpr(E);
    for (clang::Expr *Arg : E->arguments()) {
      const llvm::SaveAndRestore Here(Borrowed, isOnlyGiven(Arg));
      TraverseStmt(Arg);
    }
    return true;
  }
  /// Whether nothing in Arg, an argument, does anything with an address but to
  /// be one.
  bool isOnlyGiven(const clang::Expr *Arg) {
    const clang::Expr *E = Arg->IgnoreParenCasts();
    if (const auto *U = dyn_cast<clang::UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      E = U->getSubExpr();
    Prescan InIt(Called);
    InIt.scan(E);
    return !E->HasSideEffects(AST) &&
           (InIt.Addressed.empty() ||
            isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(
                E->IgnoreParenCasts()));
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Found.push_back(E->getDecl());
    if (!Borrowed)
      Given.insert(E->getDecl());
    // What a clause of a directive computes before it.
    if (auto *Before = dyn_cast<OMPCapturedExprDecl>(E->getDecl()))
      TraverseStmt(Before->getInit());
    const CXXRecordDecl *R = closureOf(E->getType());
    if (R && Closures.insert(R).second) {
      const llvm::SaveAndRestore Within(Borrowed, false);
      eachBody(*R, [&](clang::Stmt *S) { TraverseStmt(S); });
    }
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    Found.push_back(V);
    Given.insert(V);
    return true;
  }
};
} // namespace

std::vector<VarRef> Lifter::touchedBy(const clang::Stmt *S) {
  std::vector<VarRef> Touched;
  const auto Add = [&](const VarRef &V) {
    // A counter is not written here, or its loop would not be counted; what S
    // declares itself is its own.
    if (V && !is_contained(Touched, V) && !is_contained(Counters, V) &&
        is_contained(Visible, V))
      Touched.push_back(V);
  };
  Mentions M(AST, Called);
  M.TraverseStmt(const_cast<clang::Stmt *>(S));
  for (const ValueDecl *D : M.Found) {
    auto It = Bindings.find(D);
    if (It == Bindings.end())
      continue;
    Add(It->second.V);
    Add(It->second.P.Scalar);
    Add(It->second.At.V);
    for (const VarRef &V : It->second.At.Parts)
      Add(V);
  }
  for (const VarRef &V : Addressed)
    Add(V);
  return Touched;
}

/// The variables whose addresses S, which is not followed, may keep.
std::vector<VarRef> Lifter::keptBy(const clang::Stmt *S) {
  std::vector<VarRef> Kept;
  const auto Add = [&](const VarRef &V) {
    if (is_contained(Addressed, V) && !is_contained(Kept, V))
      Kept.push_back(V);
  };
  const auto AddAll = [&](const Binding &B) {
    Add(B.V);
    Add(B.P.Scalar);
    Add(B.At.V);
    llvm::for_each(B.At.Parts, Add);
  };
  Mentions M(AST, Called);
  M.TraverseStmt(const_cast<clang::Stmt *>(S));
  Prescan InIt(Called);
  InIt.scan(S);
  // What S names may lead to others: what a reference or a pointer is bound to,
  // and all that a lambda captures.
  for (const ValueDecl *D : M.Found) {
    if (!M.Given.contains(D))
      continue;
    if (const auto *V = dyn_cast<VarDecl>(D); V && InIt.Addressed.contains(V))
      if (auto It = Bindings.find(D); It != Bindings.end())
        AddAll(It->second);
    const CXXRecordDecl *R = D->getType()->getAsCXXRecordDecl();
    if (R && R->isLambda())
      llvm::for_each(std::vector<VarRef>(Addressed), Add);
    auto It = Bindings.find(D);
    if (It != Bindings.end() && (It->second.Kind == Binding::Alias ||
                                 It->second.Kind == Binding::PointerVal))
      AddAll(It->second);
  }
  return Kept;
}

} // namespace raise::lifting
