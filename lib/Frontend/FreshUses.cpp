//===- FreshUses.cpp - where the memory of locals goes to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {
namespace {

/// Functions of the standard libraries that keep no pointer which they are
/// given. Some return one of them.
bool isForgetful(const FunctionDecl *FD, const ASTContext &AST) {
  if (!FD->getIdentifier() || !isLibrary(FD, AST))
    return false;
  // The C library's, not one of the same name whose body is seen to be another.
  if (!FD->isInStdNamespace())
    return FD->isExternC() && !FD->hasBody() &&
           StringSwitch<bool>(FD->getName())
               .Cases("free", "memset", "memcpy", "memmove", "memcmp", true)
               .Case("strlen", true)
               .Default(false);
  return StringSwitch<bool>(FD->getName())
      .Cases("free", "memset", "memcpy", "memmove", "memcmp", "strlen", true)
      .Cases("fill", "fill_n", "copy", "copy_n", "iota", "sort", true)
      .Cases("stable_sort", "reverse", "accumulate", "inner_product", true)
      .Cases("equal", "min", "max", true)
      .Default(false);
}

/// Whether a call of a library function that is given E runs no code of the
/// program's own, which might keep an element's address.
bool runsNoOwnCode(const clang::CallExpr *C, const clang::Expr *E,
                   const ASTContext &AST) {
  if (!C->getDirectCallee()->isInStdNamespace())
    return true;
  const auto IsNumber = [](QualType T) {
    return T->isArithmeticType() || T->isEnumeralType();
  };
  return llvm::all_of(C->arguments(),
                      [&](const clang::Expr *Arg) {
                        const QualType T = Arg->getType();
                        return IsNumber(T) ||
                               AST.hasSameUnqualifiedType(T, E->getType()) ||
                               (T->isPointerType() &&
                                IsNumber(T->getPointeeType()));
                      }) &&
         (!E->getType()->isPointerType() ||
          IsNumber(E->getType()->getPointeeType()));
}

/// What a member function that leaves the elements with their container gives
/// back of them.
Step resultOf(const CXXMemberCallExpr *C) {
  switch (containerOp(C)) {
  case ContainerOp::Subscript:
  case ContainerOp::Front:
  case ContainerOp::Back:
    return As::Block;
  case ContainerOp::Size:
  case ContainerOp::Empty:
    return Step::end();
  case ContainerOp::Begin:
  case ContainerOp::End:
    return As::Pointer;
  case ContainerOp::None:
    break;
  }
  const CXXMethodDecl *M = C->getMethodDecl();
  if (!M || !M->getIdentifier() || !M->getParent()->isInStdNamespace())
    return Step::lost();
  return StringSwitch<Step>(M->getName())
      .Cases("resize", "assign", "push_back", "pop_back", Step::end())
      .Cases("clear", "reserve", "shrink_to_fit", "fill", Step::end())
      .Case("at", As::Block)
      .Default(Step::lost());
}

/// What a cast makes of it.
Step castOf(const CastExpr *C, As How) {
  const bool Inside = How == As::Block || How == As::Pointer;
  switch (C->getCastKind()) {
  case CK_LValueToRValue:
    if (How == As::Slot)
      return As::Pointer;
    // The address of a variable, in a parameter.
    return How == As::SlotPtr ? Step(How) : Step::endIf(How == As::Block);
  case CK_NoOp:
    return How;
  case CK_BitCast:
    return How == As::Pointer && C->getType()->isPointerType() ? Step(How)
                                                               : Step::lost();
  case CK_ArrayToPointerDecay:
    return How == As::Block ? Step(As::Pointer) : Step::lost();
  case CK_LValueBitCast:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
    return Inside ? Step(How) : Step::lost();
  case CK_PointerToBoolean:
  case CK_ToVoid:
    return Step::end();
  default:
    return Step::lost();
  }
}

Step unaryOf(const clang::UnaryOperator *U, const clang::Expr *E, As How) {
  if (U->isIncrementDecrementOp()) {
    if (How == As::Slot)
      return U->isLValue() ? As::Slot : As::Pointer;
    return How == As::Block && U->isLValue() ? Step(As::Block)
                                             : Step::endIf(How == As::Block);
  }
  switch (U->getOpcode()) {
  case UO_Deref:
    return How == As::Pointer   ? Step(As::Block)
           : How == As::SlotPtr ? Step(As::Slot)
                                : Step::lost();
  case UO_AddrOf:
    if (How == As::Slot && isa<DeclRefExpr>(E->IgnoreParens()))
      return As::SlotPtr;
    return How == As::Block ? Step(As::Pointer) : Step::lost();
  case UO_LNot:
    return Step::endIf(How == As::Pointer);
  case UO_Extension:
    return How;
  default:
    return Step::lost();
  }
}

Step constructorOf(const CXXConstructExpr *C, const clang::Expr *E, As How) {
  const CXXConstructorDecl *D = C->getConstructor();
  if (How == As::Object)
    return Step::endIf(D->isCopyConstructor());
  if (How == As::Block)
    return Step::endIf(D->isCopyConstructor() && D->isTrivial());
  if (How != As::Pointer)
    return Step::lost();
  if (isOwner(C->getType()))
    return Step::end(); // its elements are numbers, copied
  return E->getType()->isRecordType() && D->isCopyOrMoveConstructor()
             ? Step(How) // an iterator's copy
             : Step::lost();
}

/// What iterators of the library do.
Step iteratorOp(const CXXOperatorCallExpr *C, bool IsFirst) {
  switch (C->getOperator()) {
  case OO_Star:
  case OO_Subscript:
    return IsFirst ? Step(As::Block) : Step::lost();
  case OO_PlusPlus:
  case OO_MinusMinus:
  case OO_Plus:
  case OO_PlusEqual:
  case OO_MinusEqual:
    return As::Pointer;
  case OO_Minus:
    return C->getType()->isRecordType() ? Step(As::Pointer) : Step::end();
  case OO_EqualEqual:
  case OO_ExclaimEqual:
  case OO_Less:
  case OO_LessEqual:
  case OO_Greater:
  case OO_GreaterEqual:
    return Step::end();
  default:
    return Step::lost();
  }
}

Step operatorOf(const CXXOperatorCallExpr *C, const clang::Expr *E, As How,
                const ASTContext &AST) {
  const bool First = C->getNumArgs() > 0 && C->getArg(0) == E;
  const FunctionDecl *FD = C->getDirectCallee();
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(FD);
  if (How == As::Object && containerOp(C) == ContainerOp::Subscript && First)
    return As::Block;
  if (C->getOperator() == OO_Equal && M) {
    // Copied, not moved: what is assigned stays where it is.
    const bool Copies = M->getParamDecl(0)->getType()->isLValueReferenceType();
    if (How == As::Object && Copies)
      return First ? Step(How) : Step::end();
    if (How == As::Block && M->isTrivial())
      return First ? Step(How) : Step::end();
    return Step::lost();
  }
  const SourceManager &SM = AST.getSourceManager();
  if (How != As::Pointer || !FD || !E->getType()->isRecordType() ||
      !SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return Step::lost();
  return iteratorOp(C, First);
}

} // namespace

/// To gets what Of leads to.
bool BodyScan::bind(const VarDecl *Of, const VarDecl *To, As How) {
  const QualType T = To->getType();
  const bool Fits = How == As::Pointer ? T->isPointerType() || T->isRecordType()
                    : How == As::Block ? T->isReferenceType()
                    : How == As::Object ? T->isReferenceType()
                                        : false;
  if (!Fits || To == Followed || !isFollowed(To))
    return false;
  Same.unionSets(Of, To);
  return true;
}

/// What the call of C makes of its argument E.
Step BodyScan::call(const clang::CallExpr *C, const clang::Expr *E, As How) {
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C))
    return operatorOf(O, E, How, AST);
  const FunctionDecl *Callee = C->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Callee || (Method && Method->isVirtual()))
    return Step::lost();
  const QualType T = C->getType();
  const bool Passes = How == As::Pointer || How == As::Block;
  if (Passes && isForgetful(Callee, AST) && runsNoOwnCode(C, E, AST))
    return C->isLValue()                             ? Step(As::Block)
           : T->isPointerType() || T->isRecordType() ? Step(As::Pointer)
                                                     : Step::end();
  // An element that a container of numbers takes a copy of.
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C);
      M && How == As::Block && resultOf(M).Ends &&
      isOwner(QualType(M->getRecordDecl()->getTypeForDecl(), 0)))
    return Step::end();
  unsigned I = 0;
  while (I < C->getNumArgs() && C->getArg(I) != E)
    ++I;
  if (I >= C->getNumArgs() || I >= Callee->getNumParams() ||
      Callee->isVariadic() || How == As::Slot)
    return Step::lost();
  const FreshMemory::Fate F = All.fateOf(Callee, I, How == As::SlotPtr);
  if (F != FreshMemory::Fate::Returned)
    return Step::endIf(F == FreshMemory::Fate::Forgotten);
  if (How == As::SlotPtr) // it may be the variable that comes back
    return Step::lost();
  if (C->isLValue())
    return isOwner(T) ? As::Object : As::Block;
  return T->isPointerType() ? Step(As::Pointer) : Step::lost();
}

Step BodyScan::assignment(const VarDecl *Of, const clang::BinaryOperator *B,
                          const clang::Expr *E, As How) {
  if (B->getLHS() == E) {
    if (How == As::Block)
      return B->isLValue() ? Step(How) : Step::end();
    // Through the address of a variable: what it gets is not noted.
    if (How != As::Slot || (!isa<DeclRefExpr>(E->IgnoreParenImpCasts()) &&
                            !isNullPointer(B->getRHS(), AST)))
      return Step::lost();
    return B->isLValue() ? As::Slot : As::Pointer;
  }
  const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (B->getOpcode() != BO_Assign || !V || !V->getType()->isPointerType() ||
      !bind(Of, V, How))
    return Step::lost();
  return B->isLValue() ? As::Slot : As::Pointer;
}

Step BodyScan::binary(const VarDecl *Of, const clang::BinaryOperator *B,
                      const clang::Expr *E, As How) {
  if (B->isAssignmentOp())
    return assignment(Of, B, E, How);
  if (B->isComparisonOp() || B->isLogicalOp())
    return Step::endIf(How == As::Pointer || How == As::SlotPtr);
  if (B->getOpcode() == BO_Comma)
    return B->getLHS() == E ? Step::end() : Step(How);
  if (!B->isAdditiveOp() || How != As::Pointer)
    return Step::lost();
  return B->getType()->isPointerType() ? Step(How) : Step::end();
}

Step BodyScan::member(const MemberExpr *M, As How) {
  const As Needed = M->isArrow() ? As::Pointer : As::Block;
  if (const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl()))
    return How != Needed                         ? Step::lost()
           : Field->getType()->isReferenceType() ? Step::end()
                                                 : Step(As::Block);
  const auto *C = dyn_cast_or_null<CXXMemberCallExpr>(Parents.lookup(M));
  if (How != As::Object || !C)
    return Step::lost();
  Step S = resultOf(C);
  S.At = C;
  return S;
}

Step BodyScan::step(const VarDecl *Of, const clang::Expr *Up,
                    const clang::Expr *E, As How) {
  if (isa<ParenExpr, ExprWithCleanups, ConstantExpr>(Up))
    return How;
  if (isa<UnaryExprOrTypeTraitExpr>(Up))
    return Step::end();
  if (isa<CXXDeleteExpr>(Up))
    return Step::endIf(How == As::Pointer);
  if (const auto *C = dyn_cast<CastExpr>(Up))
    return castOf(C, How);
  if (const auto *U = dyn_cast<clang::UnaryOperator>(Up))
    return unaryOf(U, E, How);
  if (const auto *B = dyn_cast<clang::BinaryOperator>(Up))
    return binary(Of, B, E, How);
  if (const auto *C = dyn_cast<ConditionalOperator>(Up))
    return C->getCond() == E                         ? Step::end()
           : How == As::Object || How == As::SlotPtr ? Step::lost()
                                                     : Step(How);
  if (isa<ArraySubscriptExpr>(Up))
    return How == As::Pointer ? Step(As::Block) : Step::lost();
  if (const auto *M = dyn_cast<MemberExpr>(Up))
    return member(M, How);
  if (const auto *C = dyn_cast<CXXConstructExpr>(Up))
    return constructorOf(C, E, How);
  if (isa<MaterializeTemporaryExpr>(Up)) // an iterator that is looked at
    return How == As::Pointer && Up->getType()->isRecordType() ? Step(How)
                                                               : Step::lost();
  if (const auto *C = dyn_cast<clang::CallExpr>(Up))
    return call(C, E, How);
  return Step::lost();
}

/// The same where E is the whole of an expression, in Up.
bool BodyScan::endsWell(const VarDecl *Of, const clang::Stmt *Up,
                        const clang::Expr *E, As How) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(Up)) {
    for (const clang::Decl *Child : D->decls())
      if (const auto *To = dyn_cast<VarDecl>(Child); To && To->getInit() == E)
        return bind(Of, To, How);
    return false;
  }
  if (isa_and_nonnull<ReturnStmt>(Up)) {
    Returned.insert(Of);
    return true; // the function is left: nothing in it comes after
  }
  while (isa_and_nonnull<LabelStmt, AttributedStmt, CaseStmt, DefaultStmt>(Up))
    Up = Parents.lookup(Up);
  if (isa_and_nonnull<CompoundStmt>(Up))
    return !isa_and_nonnull<StmtExpr>(Parents.lookup(Up));
  // The value of a condition, or of a statement that is an expression.
  return isa_and_nonnull<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
                         CXXForRangeStmt>(Up);
}

/// Whether nothing but locals of the function gets at the memory through E.
bool BodyScan::goesWell(const VarDecl *Of, const clang::Expr *E, As How) {
  for (;;) {
    const clang::Stmt *Up = Parents.lookup(E);
    const auto *Next = dyn_cast_or_null<clang::Expr>(Up);
    if (!Next)
      return endsWell(Of, Up, E, How);
    const Step S = step(Of, Next, E, How);
    if (!S.To)
      return S.Ends;
    How = *S.To;
    E = S.At ? S.At : Next;
  }
}

} // namespace raise::lifting
