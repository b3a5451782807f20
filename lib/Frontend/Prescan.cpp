//===- Prescan.cpp - what a body does to its variables --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace raise::lifting {
namespace {

using NameFn = llvm::function_ref<void(const clang::Expr *)>;

/// Calls Found with each name of a variable, or `this`, which the lvalue E may
/// be, or may be a part of.
void eachName(const clang::Expr *E, CalleeFacts &Callees, NameFn Found) {
  E = E->IgnoreParenCasts();
  const auto In = [&](const clang::Expr *Part) {
    eachName(Part, Callees, Found);
  };
  if (isa<DeclRefExpr>(E)) {
    Found(E);
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (!M->isArrow())
      In(M->getBase());
    else if (isa<CXXThisExpr>(M->getBase()->IgnoreParenCasts()))
      Found(M->getBase()->IgnoreParenCasts());
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const QualType Of = A->getBase()->IgnoreParenCasts()->getType();
    if (Of->isArrayType() || Of->isVectorType())
      In(A->getBase());
  } else if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    In(C->getTrueExpr());
    In(C->getFalseExpr());
  } else if (const auto *V = dyn_cast<OpaqueValueExpr>(E)) {
    if (V->getSourceExpr())
      In(V->getSourceExpr());
  } else if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Comma)
      In(B->getRHS());
    else if (B->isAssignmentOp() || B->getOpcode() == BO_PtrMemD)
      In(B->getLHS());
  } else if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() != UO_Deref)
      In(U->getSubExpr());
    else if (isa<CXXThisExpr>(U->getSubExpr()->IgnoreParenCasts()))
      Found(U->getSubExpr()->IgnoreParenCasts());
  } else if (const auto *X = dyn_cast<ExtVectorElementExpr>(E)) {
    In(X->getBase());
  } else if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E)) {
    In(T->getSubExpr());
  } else if (const auto *C = dyn_cast<clang::CallExpr>(E);
             C && C->isGLValue()) {
    // A function may return what it is given by reference.
    if (const FunctionDecl *FD = C->getDirectCallee())
      Callees.eachReturned(*FD, *C, In);
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

/// Whether FD changes how floating-point operations are carried out, for the
/// thread that calls it alone.
bool setsEnvironment(const FunctionDecl &FD) {
  return FD.getIdentifier() &&
         llvm::StringSwitch<bool>(FD.getName())
             .Cases("fesetround", "fesetenv", "feupdateenv", true)
             .Cases("feholdexcept", "feenableexcept", "fedisableexcept", true)
             .Cases("_mm_setcsr", "__builtin_ia32_ldmxcsr", true)
             .Default(false);
}

/// The lambda that E is, as an initialiser or called where it stands.
const LambdaExpr *lambdaOf(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts()->IgnoreImplicit();
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    // An object of another class may keep the lambda that it is made of.
    if (!C || C->getNumArgs() != 1 || !closureOf(C->getType()))
      return dyn_cast<LambdaExpr>(E);
    E = C->getArg(0);
  }
}

/// A name of a variable whose address nothing takes is read, assigned, or a
/// part of what is: that is said of each such name, and of all others it is
/// taken that their addresses are known elsewhere.
class Scanner : public RecursiveASTVisitor<Scanner> {
  Prescan &Facts;
  CalleeFacts &Callees;
  const FunctionDecl *Of; ///< whose body is looked into; null for the function
                          ///< that is lifted

  std::vector<const LambdaExpr *> Lambdas;
  llvm::DenseMap<const LambdaExpr *, const VarDecl *> NameOf;
  llvm::DenseSet<const LambdaExpr *> Called; ///< where they stand
  llvm::DenseMap<const ValueDecl *, unsigned> Uses, CallsOf;
  llvm::DenseSet<const CXXRecordDecl *> Followed;
  std::vector<const clang::Expr *> Names;
  llvm::DenseSet<const clang::Expr *> Accounted;
  llvm::DenseSet<const clang::CallExpr *> Values;
  unsigned Closures = 0; ///< lambdas around
  /// References to const, each with what it was bound to.
  std::vector<std::pair<const VarDecl *, const VarDecl *>> Links;

  void eachName(const clang::Expr *E, NameFn Found) {
    lifting::eachName(E, Callees, Found);
  }
  static const VarDecl *variable(const clang::Expr *Name) {
    const auto *D = dyn_cast<DeclRefExpr>(Name);
    return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  }

  /// E's address is not taken where it stands.
  void account(const clang::Expr *E) {
    eachName(E, [&](const clang::Expr *Name) { Accounted.insert(Name); });
  }
  void assigned(const clang::Expr *E) {
    const bool IsPlain = isPlainPart(E);
    const std::string Path = IsPlain ? pathOf(E) : "";
    eachName(E, [&](const clang::Expr *Name) {
      Accounted.insert(Name);
      Facts.KeepsThis |= isa<CXXThisExpr>(Name);
      const VarDecl *V = variable(Name);
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
    eachName(E, [&](const clang::Expr *Name) {
      Facts.KeepsThis |= isa<CXXThisExpr>(Name);
      if (const VarDecl *V = variable(Name))
        addressed(V);
    });
  }
  bool namesLocal(const clang::Expr *E) {
    bool Any = false;
    eachName(E, [&](const clang::Expr *Name) {
      const VarDecl *V = variable(Name);
      Any |= isa<CXXThisExpr>(Name) || (V && V->hasLocalStorage());
    });
    return Any;
  }
  /// V, a reference, is bound to E.
  void bound(const clang::Expr *E, const VarDecl *V) {
    if (!isToConst(V->getType()))
      return addressed(E);
    eachName(E, [&](const clang::Expr *Name) {
      Accounted.insert(Name);
      Facts.KeepsThis |= isa<CXXThisExpr>(Name);
      if (const VarDecl *To = variable(Name))
        Links.emplace_back(V, To);
    });
  }
  static bool isToConst(QualType T) {
    return !T->isReferenceType() || T->getPointeeType().isConstQualified();
  }
  /// Arguments from the first on that FD takes.
  void passed(const FunctionDecl *FD,
              llvm::ArrayRef<const clang::Expr *> Args) {
    for (unsigned I = 0; I < Args.size() && I < FD->getNumParams(); ++I) {
      const QualType T = FD->getParamDecl(I)->getType();
      if (!isToConst(T) || (T->isReferenceType() && namesLocal(Args[I]) &&
                            Callees.keepsParam(*FD, I)))
        addressed(Args[I]);
      else
        account(Args[I]);
    }
  }
  /// M is called for the object E.
  void calledFor(const CXXMethodDecl *M, const clang::Expr *E) {
    if (M && !Callees.keepsThis(*M))
      account(E);
    else
      addressed(E);
  }
  /// The pointers that the lvalue To may be get a value by E.
  void pointersGet(const clang::Expr *To, const clang::BinaryOperator *E) {
    eachName(To, [&](const clang::Expr *Name) {
      const VarDecl *V = variable(Name);
      if (!V || !V->getType().getNonReferenceType()->isPointerType())
        return;
      if (!To->IgnoreParens()->getType()->isPointerType())
        addressed(V); // as something else
      else if (E->getOpcode() == BO_Assign)
        Facts.Values[V].push_back(E->getRHS());
    });
  }

  void noteAnew(const CompoundStmt &S) {
    // A case may be jumped to from before the block.
    if (llvm::any_of(S.body(),
                     [](auto *Child) { return isa<SwitchCase>(Child); }))
      return;
    llvm::SmallPtrSet<const VarDecl *, 4> Declared;
    for (const clang::Stmt *Child : S.body()) {
      if (const auto *D = dyn_cast<DeclStmt>(Child))
        for (const clang::Decl *Each : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Each);
              V && V->hasLocalStorage() && V->getType()->isPointerType())
            Declared.insert(V);
      const auto *E = dyn_cast<clang::BinaryOperator>(Child);
      const auto *Name =
          E && E->getOpcode() == BO_Assign
              ? dyn_cast<DeclRefExpr>(E->getLHS()->IgnoreParens())
              : nullptr;
      const VarDecl *V = Name ? variable(Name) : nullptr;
      if (V && Declared.contains(V) &&
          !llvm::is_contained(Facts.Anew[V], E->getRHS()))
        Facts.Anew[V].push_back(E->getRHS());
    }
  }

public:
  Scanner(Prescan &Facts, CalleeFacts &Callees, const FunctionDecl *Of)
      : Facts(Facts), Callees(Callees), Of(Of) {}
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
    // A moved value that is read at once: nothing else gets the reference.
    const auto *C = dyn_cast<clang::CallExpr>(E->getSubExpr()->IgnoreParens());
    if (C && E->getCastKind() == CK_LValueToRValue && castByCall(C))
      Values.insert(C);
    switch (E->getCastKind()) {
    case CK_LValueToRValue:
    case CK_LValueToRValueBitCast:
    case CK_ArrayToPointerDecay: // what the array leads to is memory
    case CK_ToVoid:
      account(E->getSubExpr());
      break;
    case CK_BitCast:
    case CK_LValueBitCast:
      Facts.Views.push_back(E);
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
    noteAnew(*S);
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
      bound(V->getInit(), V);
    if (V->hasAttr<CleanupAttr>())
      addressed(V);
    return true;
  }
  /// What a function returns by reference is for its caller to judge.
  bool VisitReturnStmt(ReturnStmt *S) {
    if (!Of || Closures || !S->getRetValue() ||
        !Of->getReturnType()->isReferenceType() ||
        !isToConst(Of->getReturnType()))
      return true;
    eachName(S->getRetValue(), [&](const clang::Expr *Name) {
      Accounted.insert(Name);
      Facts.ReturnsThis |= isa<CXXThisExpr>(Name);
      if (const VarDecl *V = variable(Name))
        Facts.Returned.insert(V);
    });
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) { return Facts.HasLabel = true; }
  bool VisitBlockExpr(BlockExpr *) { return Facts.HasBlock = true; }
  bool VisitCXXThisExpr(CXXThisExpr *E) {
    Names.push_back(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *FD = E->getDirectCallee();
    Facts.SetsEnvironment |= FD && setsEnvironment(*FD);
    if (!FD) { // a function pointer: any argument may be taken by reference
      for (const clang::Expr *Arg : E->arguments())
        if (Arg->isLValue())
          addressed(Arg);
      return true;
    }
    const llvm::ArrayRef<const clang::Expr *> Args(E->getArgs(),
                                                   E->getNumArgs());
    if (Values.contains(E)) {
      account(castByCall(E));
      return true;
    }
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
    if (HasObject &&
        (M->getParent()->isLambda() ? M->isConst()
                                    : containerOp(E) != ContainerOp::None))
      account(E->getArg(0));
    else if (HasObject)
      calledFor(M, E->getArg(0));
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
    const CXXMethodDecl *M = E->getMethodDecl();
    if (const auto *T = dyn_cast_or_null<CXXThisExpr>(
            Object ? Object->IgnoreParenCasts() : nullptr);
        T && M && !Callees.keepsThis(*M))
      Accounted.insert(T);
    if (!Object || Object->getType()->isPointerType())
      return true;
    if (containerOp(E) != ContainerOp::None)
      account(Object);
    else
      calledFor(M, Object);
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
    ++Closures;
    if (Followed.insert(Closure).second)
      eachBody(*Closure, [&](clang::Stmt *S) { TraverseStmt(S); });
    --Closures;
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
    for (const clang::Expr *Name : Names) {
      if (Accounted.contains(Name))
        continue;
      Facts.KeepsThis |= isa<CXXThisExpr>(Name);
      if (const VarDecl *V = variable(Name); V && V->hasLocalStorage())
        addressed(V);
    }
  }
  /// What is done with a reference is done with what it is bound to.
  void followLinks() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const auto &[From, To] : Links) {
        if (Facts.Addressed.contains(From) || Facts.Assigned.contains(From)) {
          Changed |= !Facts.Addressed.contains(To);
          addressed(To);
        }
        if (Facts.Returned.contains(From))
          Changed |= Facts.Returned.insert(To).second;
      }
    }
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

void Prescan::scanAs(const FunctionDecl *Of,
                     llvm::ArrayRef<const clang::Stmt *> Bodies) {
  Scanner S(*this, Callees, Of);
  for (const clang::Stmt *Body : Bodies)
    S.TraverseStmt(const_cast<clang::Stmt *>(Body));
  S.noteCaptures();
  S.noteOthers();
  S.followLinks();
}

void Prescan::scan(const clang::Stmt *Body) {
  scanAs(nullptr, Body);
  Moves.scan(Body);
}

} // namespace raise::lifting
