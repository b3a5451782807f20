//===- Prescan.cpp - what a body does to its variables --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace raise::lifting {
namespace {

/// The variable of which E is the whole or, for arrays and members, a part.
const VarDecl *variableOf(const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() ? nullptr : variableOf(M->getBase());
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return A->getBase()->IgnoreParenCasts()->getType()->isArrayType()
               ? variableOf(A->getBase())
               : nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// The members that lead to E, after the name of the variable; empty if E is
/// the variable. What comes after a subscript is left out.
std::string pathOf(const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return pathOf(A->getBase());
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const clang::Expr *Base = M->getBase()->IgnoreParenCasts();
    const std::string Before = pathOf(Base);
    if (isa<ArraySubscriptExpr>(Base))
      return Before;
    return Before + "." + M->getMemberDecl()->getNameAsString();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? D->getDecl()->getNameAsString() : "";
}

/// The lambda that E is, as an initialiser or called where it stands.
const LambdaExpr *lambdaOf(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts()->IgnoreImplicit();
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || C->getNumArgs() != 1)
      return dyn_cast<LambdaExpr>(E);
    E = C->getArg(0);
  }
}

class Scanner : public RecursiveASTVisitor<Scanner> {
  Prescan &Facts;

  std::vector<const LambdaExpr *> Lambdas;
  llvm::DenseMap<const LambdaExpr *, const VarDecl *> NameOf;
  llvm::DenseSet<const LambdaExpr *> Called; ///< where they stand
  llvm::DenseMap<const ValueDecl *, unsigned> Uses, CallsOf;

  void assigned(const clang::Expr *E) {
    if (const VarDecl *V = variableOf(E)) {
      Facts.Assigned.insert(V);
      const std::string Path = pathOf(E);
      if (Path == V->getNameAsString())
        Facts.Whole.insert(V);
      else
        Facts.Members[V].push_back(Path);
    }
    // (c ? a : b) = v writes either.
    if (const auto *C =
            dyn_cast<AbstractConditionalOperator>(E->IgnoreParenCasts())) {
      assigned(C->getTrueExpr());
      assigned(C->getFalseExpr());
    }
  }
  void addressed(const clang::Expr *E) {
    if (const VarDecl *V = variableOf(E)) {
      Facts.Addressed.insert(V);
      Facts.Assigned.insert(V);
    }
  }

public:
  explicit Scanner(Prescan &Facts) : Facts(Facts) {}
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp()) {
      assigned(E->getLHS());
      if (E->getOpcode() == BO_Assign && E->getType()->isPointerType())
        if (const VarDecl *V = variableOf(E->getLHS()))
          Facts.Values[V].push_back(E->getRHS());
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->isIncrementDecrementOp())
      assigned(E->getSubExpr());
    if (E->getOpcode() == UO_AddrOf)
      addressed(E->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (!V->getInit())
      return true;
    if (const auto *L = lambdaOf(V->getInit()))
      NameOf[L] = V;
    if (V->getType()->isPointerType())
      Facts.Values[V].push_back(V->getInit());
    const QualType T = V->getType();
    if (T->isReferenceType() && !T->getPointeeType().isConstQualified())
      addressed(V->getInit());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *FD = E->getDirectCallee();
    if (!FD) { // a function pointer: any argument may be taken by reference
      for (const clang::Expr *Arg : E->arguments())
        if (Arg->isLValue())
          addressed(Arg);
      return true;
    }
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
        O && O->getOperator() == OO_Equal && FD->isTrivial()) {
      assigned(E->getArg(0)); // a plain structure is copied
      return true;
    }
    if (containerOp(E) != ContainerOp::None)
      return true;
    // A member operator has the object as its first argument.
    const auto *M = dyn_cast<CXXMethodDecl>(FD);
    if (M && M->getParent()->isLambda() && isa<CXXOperatorCallExpr>(E)) {
      const clang::Expr *Callee = E->getArg(0)->IgnoreParenImpCasts();
      if (const auto *L = lambdaOf(Callee))
        Called.insert(L);
      else if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
        ++CallsOf[D->getDecl()];
    }
    const unsigned Skip = isa<CXXOperatorCallExpr>(E) && M ? 1 : 0;
    if (Skip && !M->isConst())
      addressed(E->getArg(0));
    for (unsigned I = Skip; I < E->getNumArgs(); ++I) {
      const unsigned P = I - Skip;
      if (P >= FD->getNumParams())
        break;
      const QualType T = FD->getParamDecl(P)->getType();
      if (T->isReferenceType() && !T->getPointeeType().isConstQualified())
        addressed(E->getArg(I));
    }
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    if (const clang::Expr *Object = E->getImplicitObjectArgument();
        Object && containerOp(E) == ContainerOp::None)
      addressed(Object);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    if (E->getConstructor()->isTrivial())
      return true; // a plain structure is copied
    for (unsigned I = 0; I < E->getNumArgs(); ++I)
      if (I < E->getConstructor()->getNumParams()) {
        const QualType T = E->getConstructor()->getParamDecl(I)->getType();
        if (T->isReferenceType() && !T->getPointeeType().isConstQualified())
          addressed(E->getArg(I));
      }
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    Lambdas.push_back(E);
    for (clang::Expr *Init : E->capture_inits())
      TraverseStmt(Init);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    ++Uses[E->getDecl()];
    return true;
  }

  /// What a lambda captures by reference may change at any time, unless the
  /// lambda is only called: then its body, which is scanned as well, says all.
  void noteCaptures() {
    for (const LambdaExpr *L : Lambdas) {
      const VarDecl *Name = NameOf.lookup(L);
      if (Called.contains(L) ||
          (Name && Uses.lookup(Name) == CallsOf.lookup(Name)))
        continue;
      for (const LambdaCapture &C : L->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar())) {
            Facts.Addressed.insert(V);
            Facts.Assigned.insert(V);
          }
    }
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *S) {
    for (unsigned I = 0; I < S->getNumOutputs(); ++I)
      assigned(S->getOutputExpr(I));
    return true;
  }
};

} // namespace

void Prescan::scan(const clang::Stmt *Body) {
  Scanner S(*this);
  S.TraverseStmt(const_cast<clang::Stmt *>(Body));
  S.noteCaptures();
}

} // namespace raise::lifting
