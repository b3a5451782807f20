//===- Fresh.cpp - where the memory of locals comes from ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "clang/Basic/Builtins.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool isOwner(QualType T) {
  const auto Elem = containerElement(T);
  return Elem && ownsElements(T) &&
         ((*Elem)->isArithmeticType() || (*Elem)->isEnumeralType());
}

bool isNullPointer(const clang::Expr *E, const ASTContext &AST) {
  return E->isNullPointerConstant(const_cast<ASTContext &>(AST),
                                  clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}
/// What the analysis knows the meaning of. A body that holds anything else is
/// not followed: somewhere in it a use may hide.
static bool isKnownKind(const clang::Stmt *S) {
  switch (S->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
  case clang::Stmt::DeclStmtClass:
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
  case clang::Stmt::IfStmtClass:
  case clang::Stmt::SwitchStmtClass:
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
  case clang::Stmt::BreakStmtClass:
  case clang::Stmt::ContinueStmtClass:
  case clang::Stmt::ReturnStmtClass:
  case clang::Stmt::NullStmtClass:
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::LabelStmtClass:
  case clang::Stmt::AttributedStmtClass:
  case clang::Stmt::CXXForRangeStmtClass:
  case clang::Stmt::CapturedStmtClass:
  case clang::Stmt::ImplicitCastExprClass:
  case clang::Stmt::CStyleCastExprClass:
  case clang::Stmt::CXXStaticCastExprClass:
  case clang::Stmt::CXXConstCastExprClass:
  case clang::Stmt::CXXReinterpretCastExprClass:
  case clang::Stmt::CXXFunctionalCastExprClass:
  case clang::Stmt::ParenExprClass:
  case clang::Stmt::ExprWithCleanupsClass:
  case clang::Stmt::ConstantExprClass:
  case clang::Stmt::MaterializeTemporaryExprClass:
  case clang::Stmt::CXXBindTemporaryExprClass:
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
  case clang::Stmt::CXXDefaultArgExprClass:
  case clang::Stmt::UnaryOperatorClass:
  case clang::Stmt::BinaryOperatorClass:
  case clang::Stmt::CompoundAssignOperatorClass:
  case clang::Stmt::ConditionalOperatorClass:
  case clang::Stmt::ArraySubscriptExprClass:
  case clang::Stmt::MemberExprClass:
  case clang::Stmt::DeclRefExprClass:
  case clang::Stmt::CXXThisExprClass:
  case clang::Stmt::CallExprClass:
  case clang::Stmt::CXXMemberCallExprClass:
  case clang::Stmt::CXXOperatorCallExprClass:
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
  case clang::Stmt::CXXNewExprClass:
  case clang::Stmt::CXXDeleteExprClass:
  case clang::Stmt::InitListExprClass:
  case clang::Stmt::ImplicitValueInitExprClass:
  case clang::Stmt::CXXScalarValueInitExprClass:
  case clang::Stmt::UnaryExprOrTypeTraitExprClass:
  case clang::Stmt::IntegerLiteralClass:
  case clang::Stmt::FloatingLiteralClass:
  case clang::Stmt::CharacterLiteralClass:
  case clang::Stmt::StringLiteralClass:
  case clang::Stmt::CXXBoolLiteralExprClass:
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass:
  case clang::Stmt::PredefinedExprClass:
    return true;
  default:
    return isa<OMPExecutableDirective>(S);
  }
}

static bool isLoopOrLabel(const clang::Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LabelStmt, GotoStmt,
             IndirectGotoStmt, LambdaExpr>(S);
}
bool BodyScan::canBeFollowed(const VarDecl *V) const {
  if (isa<DecompositionDecl>(V) || V->hasAttr<CleanupAttr>() ||
      V->isExceptionVariable() || !V->isLocalVarDecl() ||
      !V->hasLocalStorage() || V->getType().isVolatileQualified() ||
      V->getDeclContext() != static_cast<const DeclContext *>(&FD))
    return false;
  const QualType T = V->getType();
  return T->isPointerType() || T->isReferenceType() || T->isRecordType();
}

void BodyScan::declare(const VarDecl *V) {
  if (!canBeFollowed(V))
    return;
  Seen.insert(V);
  Locals.push_back(V);
  const QualType T = V->getType();
  if (T->isPointerType()) {
    if (V->getInit())
      Values.push_back({V, V->getInit()});
  } else if (T->isRecordType() && isOwner(T)) {
    (startsOwn(V->getInit()) ? Allocated : Bad).insert(V);
  } else if (V->getInit()) {
    Values.push_back({V, V->getInit()});
  }
}

/// The container's elements are new: it takes over no one else's.
bool BodyScan::startsOwn(const clang::Expr *Init) {
  if (!Init)
    return true;
  const clang::Expr *E = Init->IgnoreImplicit();
  if (isa<InitListExpr>(E))
    return true; // an array's elements
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  if (!C || C->getConstructor()->isMoveConstructor())
    return false;
  return llvm::none_of(C->arguments(), [](const clang::Expr *Arg) {
    return Arg->getType()->isRecordType() && !Arg->isLValue() &&
           isOwner(Arg->getType());
  });
}

/// A clause may use a variable by more than its name, and clang moves some
/// expressions out of their clauses.
void BodyScan::walkClauses(const OMPExecutableDirective *D) {
  for (const OMPClause *C : D->clauses()) {
    if (!C || isa<OMPSharedClause, OMPFirstprivateClause, OMPDefaultClause,
                  OMPNowaitClause>(C))
      continue;
    const auto *Schedule = dyn_cast<OMPScheduleClause>(C);
    if (Schedule && !Schedule->getChunkSize())
      continue;
    if (!isa<OMPPrivateClause, OMPLastprivateClause, OMPReductionClause,
             OMPCollapseClause>(C)) {
      Strange = true;
      return;
    }
    for (const clang::Stmt *Child : const_cast<OMPClause *>(C)->children())
      if (Child) {
        Parents[Child] = D; // no place where a use ends well
        walk(Child);
      }
  }
}

/// Whether S names a type whose size is computed here: by anything.
static bool computesType(const clang::Stmt *S) {
  if (const auto *C = dyn_cast<ExplicitCastExpr>(S))
    return C->getTypeAsWritten()->isVariablyModifiedType();
  if (const auto *U = dyn_cast<UnaryExprOrTypeTraitExpr>(S))
    return U->isArgumentType() &&
           U->getArgumentType()->isVariablyModifiedType();
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && llvm::any_of(D->decls(), [](const clang::Decl *Child) {
           if (const auto *V = dyn_cast<ValueDecl>(Child))
             return V->getType()->isVariablyModifiedType();
           if (const auto *T = dyn_cast<TypedefNameDecl>(Child))
             return T->getUnderlyingType()->isVariablyModifiedType();
           return false;
         });
}

void BodyScan::walk(const clang::Stmt *S) {
  if (!S)
    return;
  Strange |= !isKnownKind(S) || computesType(S);
  if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
    walkClauses(D);
  if (isLoopOrLabel(S))
    LastLoop = std::max(LastLoop, Top);
  if (const auto *C = dyn_cast<clang::CallExpr>(S))
    if (const FunctionDecl *Callee = C->getDirectCallee();
        Callee && Callee->hasAttr<ReturnsTwiceAttr>())
      LastLoop = ~0U; // setjmp: what comes after may come before
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const clang::Decl *Child : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Child))
        declare(V);
  if (const auto *R = dyn_cast<ReturnStmt>(S); R && R->getRetValue())
    ReturnedValues.push_back(R->getRetValue());
  if (const auto *B = dyn_cast<clang::BinaryOperator>(S);
      B && B->getOpcode() == BO_Assign && B->getType()->isPointerType())
    if (const auto *D =
            dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts()))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && isFollowed(V))
        Values.push_back({V, B->getRHS()});
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && isFollowed(V))
      Uses.push_back({D, Top});
  // What a directive captures is seen where it is used.
  if (const auto *C = dyn_cast<CapturedStmt>(S)) {
    Parents[C->getCapturedStmt()] = S;
    return walk(C->getCapturedStmt());
  }
  for (const clang::Stmt *Child : S->children())
    if (Child) {
      Parents[Child] = S;
      walk(Child);
    }
}

/// An escape after all loops of the function comes too late to matter to them.
void BodyScan::follow(const DeclRefExpr *Use, unsigned At) {
  const auto *V = cast<VarDecl>(Use->getDecl());
  const QualType T = V->getType().getNonReferenceType();
  As How = As::Slot;
  if (V == Followed && FollowsSlot)
    How = As::SlotPtr;
  else if (isOwner(T))
    How = As::Object;
  else if (V->getType()->isReferenceType())
    How = As::Block;
  else if (T->isRecordType())
    How = As::Pointer; // an iterator, or nothing that is in a group
  if (!goesWell(V, Use, How) && (AtEnd || At <= LastLoop))
    Bad.insert(V);
}
/// A call or a `new` whose result nothing else leads to.
bool BodyScan::isAllocation(const clang::Expr *E) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E);
      M && M->getMethodDecl() && M->getMethodDecl()->isVirtual())
    return false;
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(O->getDirectCallee());
    if (M && M->isVirtual())
      return false;
  }
  if (const auto *N = dyn_cast<CXXNewExpr>(E)) {
    const FunctionDecl *By = N->getOperatorNew();
    const QualType T = N->getAllocatedType();
    return By && By->isReplaceableGlobalAllocationFunction() &&
           !replacesNew(AST) && AST.getBaseElementType(T).isTrivialType(AST);
  }
  const auto *C = dyn_cast<clang::CallExpr>(E);
  const FunctionDecl *Callee = C ? C->getDirectCallee() : nullptr;
  if (!Callee)
    return false;
  if (Callee->getBuiltinID() && Callee->isDefined())
    return false; // the program's own
  switch (Callee->getBuiltinID()) {
  case Builtin::BImalloc:
  case Builtin::BIcalloc:
  case Builtin::BIaligned_alloc:
  case Builtin::BI__builtin_malloc:
  case Builtin::BI__builtin_calloc:
  case Builtin::BIalloca:
  case Builtin::BI__builtin_alloca:
    return true;
  default:
    break;
  }
  if (Callee->getIdentifier() && isLibrary(Callee, AST) &&
      !Callee->isDefined() &&
      (Callee->isExternC() || Callee->isInStdNamespace()) &&
      (Callee->getName() == "aligned_alloc" || Callee->getName() == "malloc" ||
       Callee->getName() == "calloc"))
    return true;
  // `__attribute__((malloc))` promises it.
  return Callee->hasAttr<RestrictAttr>() || All.returnsFresh(Callee);
}

/// Whether the lvalue E lies in what To's group leads to already.
bool BodyScan::placeComesIn(const clang::Expr *E, const VarDecl *To) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getSubExpr()->isLValue() && placeComesIn(C->getSubExpr(), To);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return comesIn(A->getBase(), To);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isa<FieldDecl>(M->getMemberDecl()) &&
           !M->getMemberDecl()->getType()->isReferenceType() &&
           (M->isArrow() ? comesIn(M->getBase(), To)
                         : placeComesIn(M->getBase(), To));
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E))
    return U->getOpcode() == UO_Deref && comesIn(U->getSubExpr(), To);
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
    const bool Leads =
        containerOp(O) == ContainerOp::Subscript || O->getOperator() == OO_Star;
    return Leads && comesIn(O->getArg(0), To);
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return V->getType()->isReferenceType() && isSame(V, To);
  return false;
}

/// Whether the value E, which To gets, is new memory, or of To's group already.
bool BodyScan::comesIn(const clang::Expr *E, const VarDecl *To) {
  if (isNullPointer(E, AST))
    return true;
  E = E->IgnoreParenImpCasts();
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return comesIn(W->getSubExpr(), To);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() != CK_IntegralToPointer &&
           (C->getSubExpr()->getType()->isPointerType() ||
            C->getSubExpr()->getType()->isArrayType()) &&
           comesIn(C->getSubExpr(), To);
  if (isAllocation(E)) {
    Allocated.insert(To);
    return true;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || V == Followed || !V->getType()->isReferenceType())
      return V && V != Followed && isSame(V, To);
  }
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Comma)
      return comesIn(B->getRHS(), To);
    // What is assigned on the way leads there as well.
    if (B->getOpcode() == BO_Assign) {
      const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      if (!V || V == Followed || !isFollowed(V) ||
          !V->getType()->isPointerType())
        return false;
      Same.unionSets(V, To);
      return comesIn(B->getRHS(), To);
    }
    if (B->isCompoundAssignmentOp())
      return comesIn(B->getLHS(), To);
    return B->isAdditiveOp() &&
           comesIn(B->getLHS()->getType()->isIntegerType() ? B->getRHS()
                                                           : B->getLHS(),
                   To);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return comesIn(C->getTrueExpr(), To) && comesIn(C->getFalseExpr(), To);
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
    if (U->isIncrementDecrementOp())
      return comesIn(U->getSubExpr(), To);
    if (U->getOpcode() == UO_AddrOf)
      return placeComesIn(U->getSubExpr(), To);
  }
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const ContainerOp Op = containerOp(M);
    return (Op == ContainerOp::Begin || Op == ContainerOp::End) &&
           comesIn(M->getImplicitObjectArgument(), To);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getConstructor()->isCopyOrMoveConstructor() &&
           comesIn(C->getArg(0), To);
  if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
    return comesIn(T->getSubExpr(), To);
  // A pointer that is loaded from the memory leads anywhere.
  return E->isLValue() && placeComesIn(E, To) &&
         (!To->getType()->isPointerType() || E->getType()->isArrayType());
}

bool BodyScan::returnsFresh() {
  if (Strange)
    return false;
  // One variable that stands for what is returned.
  bool Any = false;
  for (const clang::Expr *E : ReturnedValues) {
    if (isNullPointer(E, AST))
      continue;
    const clang::Expr *Bare = E->IgnoreParenCasts();
    const auto *D = dyn_cast<DeclRefExpr>(Bare);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (V ? !isFollowed(V) || !V->getType()->isPointerType() || isBad(V) ||
                !isAllocated(V)
          : !isAllocation(Bare))
      return false;
    Any = true;
  }
  return Any;
}
void FreshMemory::scan(const FunctionDecl &FD) {
  BodyScan S(*this, FD, /*AtEnd=*/false);
  S.run(nullptr, false);
  std::vector<const VarDecl *> Leaders;
  for (const VarDecl *V : S.locals()) {
    if (S.isBad(V) || !S.isAllocated(V))
      continue;
    unsigned N = 0;
    while (N < Leaders.size() && !S.isSame(Leaders[N], V))
      ++N;
    if (N == Leaders.size())
      Leaders.push_back(V);
    Groups[V->getCanonicalDecl()] = N + 1;
  }
}

FreshMemory::Fate FreshMemory::fateOf(const FunctionDecl *FD, unsigned Param,
                                      bool IsSlot) {
  const FunctionDecl *Body = knownBody(FD);
  if (!Body || Param >= Body->getNumParams())
    return Fate::Kept;
  const ParmVarDecl *P = Body->getParamDecl(Param);
  const QualType T = P->getType();
  if (!T->isPointerType() && !T->isLValueReferenceType())
    return Fate::Kept;
  auto [It, New] = Fates.try_emplace({P, IsSlot}, Fate::Kept);
  if (!New) // also where it is being found out
    return It->second;
  BodyScan S(*this, *Body, /*AtEnd=*/true);
  S.run(P, IsSlot);
  const Fate F = S.isBad(P)        ? Fate::Kept
                 : S.isReturned(P) ? Fate::Returned
                                   : Fate::Forgotten;
  return Fates[{P, IsSlot}] = F;
}

bool FreshMemory::returnsFresh(const FunctionDecl *FD) {
  const FunctionDecl *Body = knownBody(FD);
  if (!Body || !Body->getReturnType()->isPointerType())
    return false;
  auto [It, New] = Returns.try_emplace(Body, false);
  if (!New)
    return It->second;
  BodyScan S(*this, *Body, /*AtEnd=*/true);
  S.run(nullptr, false);
  const bool Fresh = S.returnsFresh();
  return Returns[Body] = Fresh;
}

} // namespace raise::lifting
