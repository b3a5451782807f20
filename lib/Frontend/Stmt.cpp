//===- Stmt.cpp - statements ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "NoteScope.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::lift(const clang::Stmt *S) {
  const size_t Before = Out->size();
  const std::vector<LoopFrame> SavedLoops = Loops;
  const Checkpoint Start = checkpoint();
  if (liftInner(S)) {
    if (!isa<DeclStmt>(S))
      leaveScope(Start.Ending, S);
    return true;
  }
  if (!failed())
    refuse(codes::Statement, "this statement is not supported",
           S->getSourceRange());
  Loops = SavedLoops;
  if (!Inlines.empty())
    return false;
  rollBack(Start);
  makeOpaque(S, Before);
  return true;
}

bool Lifter::liftInto(const clang::Stmt *S, StmtList &List) {
  StmtList *const Saved = Out;
  Out = &List;
  const bool Done = lift(S);
  Out = Saved;
  return Done;
}

/// One statement, or a Block; null on failure.
StmtRef Lifter::liftNested(const clang::Stmt *S) {
  const ScopeGuard Scope(*this);
  StmtList List;
  if (!liftInto(S, List))
    return nullptr;
  const SourceLoc Loc = locateStatement(S, AST);
  if (List.size() == 1 && isa<raise::Block>(List[0].get()))
    return List[0];
  return std::make_shared<raise::Block>(std::move(List), Loc);
}

/// Whether something inside S can be reached past its beginning.
static bool isJumpedInto(const clang::Stmt *S) {
  return isa<LabelStmt, SwitchCase>(S) ||
         llvm::any_of(S->children(), [](const clang::Stmt *Sub) {
           return Sub && isJumpedInto(Sub);
         });
}

/// What it becomes stands apart from its template, which compilers warn of
/// less.
bool isKernelInstance(const FunctionDecl &FD) {
  return FD.isTemplateInstantiation() && FD.hasAttr<CUDAGlobalAttr>();
}

bool Lifter::liftIf(const IfStmt *S) {
  if (S->isConsteval())
    return refuse(codes::Statement, "if consteval", S->getSourceRange()), false;
  if (isAboutForms(S) && !isJumpedInto(S))
    return liftEitherForm(S);
  // What the header declares lives in a block of its own.
  if (S->getInit() && !lift(S->getInit()))
    return false;
  if (const VarDecl *V = S->getConditionVariable())
    if (!liftDeclInner(V, locate(V->getSourceRange(), AST)))
      return false;
  if (S->isConstexpr()) {
    std::optional<const clang::Stmt *> Taken = S->getNondiscardedCase(AST);
    if (Taken)
      return !*Taken || lift(*Taken);
  }
  ExprRef Cond = condition(S->getCond());
  if (!Cond)
    return false;
  // What a call's arguments decide is not there in it, nor what is done about
  // errors that do not happen.
  const auto *Known = dyn_cast<IntConst>(Cond.get());
  // Nor what the arguments of a template decide, of which an instance is made.
  const bool Decided = !Inlines.empty() ||
                       isKernelInstance(*CallStack.front()) ||
                       mentionsErrorCode(S->getCond());
  if (Known && Decided && !isJumpedInto(S)) {
    const clang::Stmt *Taken = Known->Value ? S->getThen() : S->getElse();
    StmtRef Nested = Taken ? liftNested(Taken) : nullptr;
    if (Nested)
      emit(Nested);
    return !Taken || Nested;
  }
  StmtRef Then = liftNested(S->getThen()), Else;
  if (!Then || (S->getElse() && !(Else = liftNested(S->getElse()))))
    return false;
  emit(std::make_shared<If>(Cond, Then, Else, locateStatement(S, AST)));
  return true;
}

bool Lifter::liftReturn(const ReturnStmt *S) {
  const SourceLoc Loc = locateStatement(S, AST);
  const clang::Expr *E = S->getRetValue();
  if (Inlines.empty()) {
    ExprRef V;
    if (E && E->getType()->isVoidType()) {
      if (!liftEffect(E))
        return false;
    } else if (E && !(V = value(E))) {
      return false;
    }
    emit(std::make_shared<Return>(V, Loc));
    return true;
  }
  const InlineFrame Frame = Inlines.back();
  if (Frame.AsBytes) {
    *Frame.AsBytes = bytesOf(E);
    return Frame.AsBytes->isSet();
  }
  if (Frame.Into) {
    if (!buildObject(E, *Frame.Into))
      return false;
  } else if (!E || E->getType()->isVoidType()) {
    if (E && !liftEffect(E))
      return false;
  } else if (E->getType()->isRecordType() && !isSmall(E->getType())) {
    std::vector<ExprRef> Values;
    if (!recordValue(E, Values))
      return false;
    for (size_t I = 0; I < Values.size(); ++I)
      emit(std::make_shared<Assign>(Frame.Results[I], Combiner::None, Values[I],
                                    Loc));
  } else {
    ExprRef V = value(E);
    if (!V)
      return false;
    emit(std::make_shared<Assign>(Frame.Results[0], Combiner::None, V, Loc));
  }
  emit(std::make_shared<Return>(nullptr, Loc));
  return true;
}

bool Lifter::liftContinue(const clang::Stmt *S) {
  // The innermost frame that is a loop.
  for (size_t I = Loops.size(); I-- > 0;) {
    if (Loops[I].InSwitch)
      continue;
    if (Loops[I].BeforeContinue && !Loops[I].BeforeContinue())
      return false;
    destroy(Loops[I].Ending, S);
    emit(std::make_shared<Continue>(locateStatement(S, AST)));
    return true;
  }
  return refuse(codes::Statement, "continue outside a loop",
                S->getSourceRange()),
         false;
}

bool Lifter::liftBreak(const clang::Stmt *S) {
  if (Loops.empty() || Loops.back().InSwitch)
    return refuse(codes::Switch, "a case is left before its end",
                  S->getSourceRange()),
           false;
  destroy(Loops.back().Ending, S);
  emit(std::make_shared<Break>(locateStatement(S, AST)));
  return true;
}

/// An expression whose value is dropped.
bool Lifter::liftEffect(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return liftEffect(C->getSubExpr());
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && (C->getCastKind() == CK_ToVoid || C->getCastKind() == CK_NoOp))
    return liftEffect(C->getSubExpr());
  if (const auto *C = dyn_cast<CompoundAssignOperator>(E))
    return compound(C, nullptr);
  if (Settings.Alone && isErrorCode(E->getType()))
    return errorValue(E) != nullptr;
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Assign)
      return assign(B, nullptr);
    if (B->getOpcode() == BO_Comma)
      return liftEffect(B->getLHS()) && liftEffect(B->getRHS());
    if (B->getType()->isVoidType())
      return refuse(codes::Expression, "this expression is not supported",
                    E->getSourceRange()),
             false;
  }
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E);
      U && U->getOpcode() == UO_Extension)
    return liftEffect(U->getSubExpr());
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E);
      U && U->isIncrementDecrementOp())
    return increment(U, nullptr);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->isAssignmentOp() && isSmall(C->getArg(0)->getType()))
    return smallAssign(C);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Equal && isSeenAsBytes(C->getArg(0)))
    return storeBytes(C->getArg(0), C->getArg(1));
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Equal && C->getType()->isRecordType() &&
      (plainMembers(C->getArg(0)->getType(), AST) ||
       (C->getDirectCallee() && C->getDirectCallee()->isTrivial())))
    return assignRecord(C->getArg(0), C->getArg(1),
                        locate(C->getSourceRange(), AST), C->getSourceRange(),
                        nullptr);
  if (const auto *C = dyn_cast<clang::CallExpr>(E))
    return liftAssert(C) || callEffect(C);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E);
      C && C->getType()->isVoidType()) {
    ExprRef Cond = condition(C->getCond());
    if (!Cond)
      return false;
    if (const auto *Known = dyn_cast<IntConst>(Cond.get());
        Known && mentionsErrorCode(C->getCond()))
      return liftEffect(Known->Value ? C->getTrueExpr() : C->getFalseExpr());
    StmtList Then, Else;
    StmtList *const Saved = Out;
    Out = &Then;
    bool Done = liftAssert(C->getTrueExpr()) || liftEffect(C->getTrueExpr());
    Out = &Else;
    Done = Done &&
           (liftAssert(C->getFalseExpr()) || liftEffect(C->getFalseExpr()));
    Out = Saved;
    if (Done)
      emit(std::make_shared<If>(Cond, makeBlock(Then), makeBlock(Else),
                                locate(C->getSourceRange(), AST)));
    return Done;
  }
  if (const auto *X = dyn_cast<StmtExpr>(E)) // assert() is made of one
    return lift(X->getSubStmt());
  if (E->getType()->isVoidType() && !isa<CXXThrowExpr>(E) &&
      !isa<CXXDeleteExpr>(E))
    return refuse(codes::Expression, "this expression is not supported",
                  E->getSourceRange()),
           false;
  // Evaluated for its side effects, which value() appends.
  return value(E) != nullptr;
}

static const char *whyNot(const clang::Stmt *S, const char *&Code) {
  if (isa<AsmStmt>(S)) {
    Code = codes::Assembly;
    return "inline assembly";
  }
  if (isa<CXXTryStmt>(S)) {
    Code = codes::Exception;
    return "an exception may be caught here";
  }
  if (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S)) {
    Code = codes::Jump;
    return "goto";
  }
  if (isa<CoroutineBodyStmt>(S) || isa<CoreturnStmt>(S)) {
    Code = codes::Closure;
    return "a coroutine";
  }
  Code = codes::Statement;
  return "this statement is not supported";
}

bool Lifter::liftItems(const std::vector<JumpPlan::Item> &Items,
                       StmtList &List) {
  for (const JumpPlan::Item &I : Items)
    if (I.S ? !liftInto(I.S, List) : !liftBranch(*I.If, List))
      return false;
  return true;
}

bool Lifter::liftWay(const JumpPlan::Way &W, StmtList &List) {
  const size_t Known = Ending.size();
  for (const clang::Stmt *S : W.Before)
    if (!liftInto(S, List))
      return false;
  StmtList *const Saved = Out;
  Out = &List;
  if (!W.Before.empty())
    leaveScope(Known, W.Before.back());
  Out = Saved;
  return liftItems(W.Items, List);
}

bool Lifter::liftBranch(const JumpPlan::Branch &B, StmtList &List) {
  const ScopeGuard Scope(*this);
  const auto *Choice = dyn_cast<IfStmt>(B.Head);
  const clang::Expr *Tested =
      Choice ? Choice->getCond() : cast<SwitchStmt>(B.Head)->getCond();
  StmtList *const Saved = Out;
  Out = &List;
  ExprRef Cond = Choice ? condition(Tested) : value(Tested);
  if (Cond && !Choice && !isFixed(Cond))
    Cond = spill(Cond, "selector");
  Out = Saved;
  if (!Cond)
    return false;
  const SourceLoc Loc = locateStatement(B.Head, AST);
  // From the last way, which is what remains, to the first.
  StmtRef Rest;
  for (size_t I = B.Ways.size(); I-- > 0;) {
    StmtList Way;
    if (!liftWay(B.Ways[I], Way))
      return false;
    if (I + 1 == B.Ways.size()) {
      if (!Way.empty())
        Rest = std::make_shared<raise::Block>(std::move(Way), Loc);
      continue;
    }
    ExprRef Test = Choice ? Cond : caseTest(Cond, B.Ways[I].Cases);
    if (!Test)
      return false;
    if (Way.empty()) {
      if (Rest)
        Rest =
            std::make_shared<If>(build::logicalNot(Test), Rest, nullptr, Loc);
      continue;
    }
    Rest = std::make_shared<If>(
        Test, std::make_shared<raise::Block>(std::move(Way), Loc), Rest, Loc);
  }
  if (Rest)
    List.push_back(Rest);
  return true;
}

/// The statements of a block, without the jumps that are conditions.
bool Lifter::liftChildren(const CompoundStmt *C, StmtList &List) {
  if (FunctionBody)
    if (std::optional<JumpPlan> Plan = planJumps(*C, *FunctionBody, AST)) {
      BreakJumps.insert(Plan->Breaks.begin(), Plan->Breaks.end());
      ContinueJumps.insert(Plan->Continues.begin(), Plan->Continues.end());
      return liftItems(Plan->Items, List);
    }
  for (const clang::Stmt *Child : C->body())
    if (!liftInto(Child, List))
      return false;
  return true;
}

bool Lifter::liftInner(const clang::Stmt *S) {
  if (!Settings.Notes || Settings.Alone || !Inlines.empty())
    return liftStatement(S);
  if (!obeyOff(S))
    return false;
  const clang::Stmt *Loop = S;
  while (const auto *D = dyn_cast_or_null<OMPExecutableDirective>(Loop))
    Loop = D->hasAssociatedStmt() ? D->getRawStmt() : nullptr;
  return Loop && isLoopStatement(Loop) ? liftWithFacts(S, Loop)
                                       : liftStatement(S);
}

bool Lifter::liftStatement(const clang::Stmt *S) {
  if (const int Done = rotate(S))
    return Done > 0;
  if (!Owned.empty())
    if (const int Done = manageOwn(S))
      return Done > 0;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    const ScopeGuard Scope(*this);
    StmtList List;
    const Checkpoint Start = checkpoint();
    const size_t Known = Loose.size();
    if (!liftChildren(C, List))
      return false;
    if (pinReferences(Known, List)) {
      rollBack(Start);
      List.clear();
      if (!liftChildren(C, List))
        return false;
      Loose.resize(Known);
    }
    emit(std::make_shared<raise::Block>(std::move(List),
                                        locateStatement(S, AST)));
    return true;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    if (isAboutForms(S))
      return true;
    for (const clang::Decl *Child : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Child)) {
        if (!liftDecl(V, S))
          return false;
      } else if (isa<FunctionDecl>(Child)) {
        continue; // a declaration has no effect
      }
    return true;
  }
  if (const auto *I = dyn_cast<IfStmt>(S))
    return liftIf(I);
  if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
    return liftDirective(D);
  if (const auto *F = dyn_cast<ForStmt>(S))
    return liftFor(F);
  if (const auto *F = dyn_cast<CXXForRangeStmt>(S))
    return liftRangeFor(F);
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return liftWhile(W);
  if (const auto *D = dyn_cast<DoStmt>(S))
    return liftDo(D);
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    return liftReturn(R);
  if (const auto *W = dyn_cast<SwitchStmt>(S))
    return liftSwitch(W);
  if (isa<ContinueStmt>(S) || ContinueJumps.count(S))
    return liftContinue(S);
  if (isa<BreakStmt>(S) || BreakJumps.count(S))
    return liftBreak(S);
  if (isa<NullStmt>(S))
    return true;
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return lift(A->getSubStmt());
  if (const auto *L = dyn_cast<LabelStmt>(S)) {
    if (!Inlines.empty())
      return refuse(codes::Jump, "a label", L->getSourceRange()), false;
    // A jump can arrive here with any values: all that is known ends.
    Reason Why = {codes::Jump,
                  "label '" + std::string(L->getName()) + "' can be jumped to",
                  locate(L->getIdentLoc(), AST)};
    Stopped.push_back(Why);
    emit(std::make_shared<Opaque>(std::string(L->getName()) + ":", Why.Code,
                                  Why.Text, Visible, Why.Loc));
    return lift(L->getSubStmt());
  }
  if (const auto *E = dyn_cast<clang::Expr>(S))
    return liftEffect(E);
  const char *Code;
  const char *Text = whyNot(S, Code);
  return refuse(Code, Text, S->getBeginLoc()), false;
}

} // namespace raise::lifting
