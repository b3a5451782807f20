//===- Prescan.cpp - what a body does to its variables --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace raise::lifting {
namespace {

/// Calls Found with each name of a variable which the lvalue E may be, or may
/// be a part of.
void eachName(const clang::Expr *E,
              llvm::function_ref<void(const DeclRefExpr *)> Found) {
  E = E->IgnoreParenCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    Found(D);
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (!M->isArrow())
      eachName(M->getBase(), Found);
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const QualType Of = A->getBase()->IgnoreParenCasts()->getType();
    if (Of->isArrayType() || Of->isVectorType())
      eachName(A->getBase(), Found);
  } else if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    eachName(C->getTrueExpr(), Found);
    eachName(C->getFalseExpr(), Found);
  } else if (const auto *V = dyn_cast<OpaqueValueExpr>(E)) {
    if (V->getSourceExpr())
      eachName(V->getSourceExpr(), Found);
  } else if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Comma)
      eachName(B->getRHS(), Found);
    else if (B->isAssignmentOp() || B->getOpcode() == BO_PtrMemD)
      eachName(B->getLHS(), Found);
  } else if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() != UO_Deref)
      eachName(U->getSubExpr(), Found);
  } else if (const auto *X = dyn_cast<ExtVectorElementExpr>(E)) {
    eachName(X->getBase(), Found);
  }
}

/// Whether only members and subscripts lie between E and the name of a
/// variable.
bool isPlainPart(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E))
      E = M->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else
      return isa<DeclRefExpr>(E);
  }
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

/// A name of a variable whose address nothing takes is read, assigned, or a
/// part of what is: that is said of each such name, and of all others it is
/// taken that their addresses are known elsewhere.
class Scanner : public RecursiveASTVisitor<Scanner> {
  Prescan &Facts;

  std::vector<const LambdaExpr *> Lambdas;
  llvm::DenseMap<const LambdaExpr *, const VarDecl *> NameOf;
  llvm::DenseSet<const LambdaExpr *> Called; ///< where they stand
  llvm::DenseMap<const ValueDecl *, unsigned> Uses, CallsOf;
  llvm::DenseSet<const CXXRecordDecl *> Followed;
  std::vector<const DeclRefExpr *> Names;
  llvm::DenseSet<const DeclRefExpr *> Accounted;

  /// E's address is not taken where it stands.
  void account(const clang::Expr *E) {
    eachName(E, [&](const DeclRefExpr *D) { Accounted.insert(D); });
  }
  void assigned(const clang::Expr *E) {
    const bool IsPlain = isPlainPart(E);
    const std::string Path = IsPlain ? pathOf(E) : "";
    eachName(E, [&](const DeclRefExpr *D) {
      Accounted.insert(D);
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!V)
        return;
      Facts.Assigned.insert(V);
      if (!IsPlain || Path == V->getNameAsString())
        Facts.Whole.insert(V);
      else
        Facts.Members[V].push_back(Path);
    });
  }
  void addressed(const VarDecl *V) {
    Facts.Addressed.insert(V);
    Facts.Assigned.insert(V);
  }
  void addressed(const clang::Expr *E) {
    eachName(E, [&](const DeclRefExpr *D) {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        addressed(V);
    });
  }
  /// E is bound to a reference of type T.
  void bound(const clang::Expr *E, QualType T) {
    if (!T->isReferenceType() || T->getPointeeType().isConstQualified())
      account(E);
    else
      addressed(E);
  }
  /// Arguments from the first on that FD takes.
  void passed(const FunctionDecl *FD,
              llvm::ArrayRef<const clang::Expr *> Args) {
    for (unsigned I = 0; I < Args.size() && I < FD->getNumParams(); ++I)
      bound(Args[I], FD->getParamDecl(I)->getType());
  }
  /// The pointers that the lvalue To may be get a value by E.
  void pointersGet(const clang::Expr *To, const clang::BinaryOperator *E) {
    eachName(To, [&](const DeclRefExpr *D) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!V || !V->getType().getNonReferenceType()->isPointerType())
        return;
      if (!To->IgnoreParens()->getType()->isPointerType())
        addressed(V); // as something else
      else if (E->getOpcode() == BO_Assign)
        Facts.Values[V].push_back(E->getRHS());
    });
  }

public:
  explicit Scanner(Prescan &Facts) : Facts(Facts) {}
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  // What is not evaluated.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc) { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *,
                               DataRecursionQueue * = nullptr) {
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    if (!E->isArgumentType())
      account(E->getArgumentExpr());
    return true;
  }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *E) {
    if (!E->isTypeOperand())
      account(E->getExprOperand());
    return true;
  }

  bool VisitCastExpr(CastExpr *E) {
    switch (E->getCastKind()) {
    case CK_LValueToRValue:
    case CK_LValueToRValueBitCast:
    case CK_ArrayToPointerDecay: // what the array leads to is memory
    case CK_ToVoid:
      account(E->getSubExpr());
      break;
    default:
      break;
    }
    return true;
  }
  /// Statements that are an expression without a use.
  bool VisitCompoundStmt(CompoundStmt *S) {
    for (const clang::Stmt *Child : S->body())
      if (const auto *E = dyn_cast<clang::Expr>(Child))
        account(E);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *E) {
    if (E->getOpcode() == BO_Comma)
      account(E->getLHS());
    if (E->isAssignmentOp()) {
      assigned(E->getLHS());
      pointersGet(E->getLHS(), E);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *E) {
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
    if (V->getType()->isReferenceType())
      bound(V->getInit(), V->getType());
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
    const llvm::ArrayRef<const clang::Expr *> Args(E->getArgs(),
                                                   E->getNumArgs());
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
        O && O->getOperator() == OO_Equal && FD->isTrivial()) {
      assigned(E->getArg(0)); // a plain structure is copied
      account(E->getArg(1));
      return true;
    }
    // A member operator has the object as its first argument.
    const auto *M = dyn_cast<CXXMethodDecl>(FD);
    const bool HasObject = isa<CXXOperatorCallExpr>(E) && M && M->isInstance();
    if (HasObject && M->getParent()->isLambda())
      noteCall(E->getArg(0)->IgnoreParenImpCasts());
    if (HasObject && (M->isConst() || containerOp(E) != ContainerOp::None))
      account(E->getArg(0));
    else if (HasObject)
      addressed(E->getArg(0));
    passed(FD, HasObject ? Args.drop_front() : Args);
    return true;
  }
  void noteCall(const clang::Expr *Callee) {
    if (const auto *L = lambdaOf(Callee))
      Called.insert(L);
    else if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
      ++CallsOf[D->getDecl()];
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    const clang::Expr *Object = E->getImplicitObjectArgument();
    if (!Object || Object->getType()->isPointerType())
      return true;
    if (containerOp(E) != ContainerOp::None)
      account(Object);
    else
      addressed(Object);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    const llvm::ArrayRef<const clang::Expr *> Args(E->getArgs(),
                                                   E->getNumArgs());
    if (E->getConstructor()->isTrivial()) // a plain structure is copied
      llvm::for_each(Args, [&](const clang::Expr *Arg) { account(Arg); });
    else
      passed(E->getConstructor(), Args);
    return true;
  }
  bool TraverseInitListExpr(InitListExpr *E, DataRecursionQueue * = nullptr) {
    if (InitListExpr *Meant = E->getSemanticForm())
      E = Meant;
    for (clang::Expr *Init : E->inits())
      TraverseStmt(Init);
    return true;
  }

  /// A generic lambda's body is that of each of its instantiations.
  bool TraverseLambdaExpr(LambdaExpr *E, DataRecursionQueue * = nullptr) {
    Lambdas.push_back(E);
    for (unsigned I = 0; I < E->capture_size(); ++I) {
      const LambdaCapture &C = *(E->capture_begin() + I);
      if (C.capturesVariable() && C.getCapturedVar()->isInitCapture())
        TraverseDecl(C.getCapturedVar());
      else if (clang::Expr *Init = E->capture_init_begin()[I])
        TraverseStmt(Init);
      if (clang::Expr *Init = E->capture_init_begin()[I];
          Init && C.capturesVariable() && !C.getCapturedVar()->isInitCapture())
        account(Init); // see noteCaptures
    }
    follow(E->getLambdaClass());
    return true;
  }
  void follow(const CXXRecordDecl *Closure) {
    if (Followed.insert(Closure).second)
      eachBody(*Closure, [&](clang::Stmt *S) { TraverseStmt(S); });
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    ++Uses[E->getDecl()];
    Names.push_back(E);
    if (const CXXRecordDecl *Closure = closureOf(E->getType()))
      follow(Closure);
    return true;
  }

  // What the author's directives name.
  bool VisitCapturedStmt(CapturedStmt *S) {
    for (const clang::Expr *Init : S->capture_inits())
      if (Init)
        account(Init);
    return true;
  }
  // How a compiler carries out what they say is none of the body's doing.
  bool VisitOMPPrivateClause(OMPPrivateClause *) { return true; }
  bool VisitOMPFirstprivateClause(OMPFirstprivateClause *) { return true; }
  bool VisitOMPLastprivateClause(OMPLastprivateClause *) { return true; }
  bool VisitOMPReductionClause(OMPReductionClause *) { return true; }
  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    for (const OMPClause *C : D->clauses()) {
      if (!C)
        continue;
      for (const clang::Stmt *Child : const_cast<OMPClause *>(C)->children())
        if (const auto *E = dyn_cast_or_null<clang::Expr>(Child))
          account(E);
    }
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
          if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
            addressed(V);
    }
  }
  void noteOthers() {
    for (const DeclRefExpr *D : Names)
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && V->hasLocalStorage() && !Accounted.contains(D))
        addressed(V);
  }
};

} // namespace

const CXXRecordDecl *closureOf(QualType T) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && R->isLambda() ? R : nullptr;
}

void eachBody(const CXXRecordDecl &Closure,
              llvm::function_ref<void(clang::Stmt *)> In) {
  const CXXMethodDecl *Call = Closure.getLambdaCallOperator();
  const FunctionTemplateDecl *Generic =
      Call ? Call->getDescribedFunctionTemplate() : nullptr;
  if (!Generic && Call && Call->hasBody())
    In(Call->getBody());
  if (Generic)
    for (const FunctionDecl *FD : Generic->specializations())
      if (FD->hasBody())
        In(FD->getBody());
}

void Prescan::scan(const clang::Stmt *Body) {
  Scanner S(*this);
  S.TraverseStmt(const_cast<clang::Stmt *>(Body));
  S.noteCaptures();
  S.noteOthers();
}

} // namespace raise::lifting
