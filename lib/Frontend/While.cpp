//===- While.cpp - while, do, and what is no counted loop -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::liftLoopBody(const clang::Stmt *Body, std::function<bool()> Before,
                          StmtList &List) {
  Loops.push_back({std::move(Before), /*InSwitch=*/false, Ending.size()});
  const bool Done = liftInto(Body, List);
  Loops.pop_back();
  return Done;
}

/// The loop's condition and the statements that it needs before it.
bool Lifter::liftLoopCond(const clang::Expr *Cond, StmtList &Pre, ExprRef &C) {
  if (!Cond) {
    C = build::boolConst(true);
    return true;
  }
  StmtList *const Saved = Out;
  Out = &Pre;
  C = condition(Cond);
  Out = Saved;
  return C != nullptr;
}

static StmtRef exitUnless(ExprRef Cond) {
  const SourceLoc Loc = Cond->Loc;
  return std::make_shared<If>(build::logicalNot(std::move(Cond)),
                              std::make_shared<Break>(Loc), nullptr, Loc);
}

/// Whether S, which stands in a loop, may leave that loop's body by `break` or
/// `continue`; the loops and switches of its own take theirs.
static bool jumpsOut(const clang::Stmt *S, bool Breaks = true) {
  if (!S || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return false;
  if (isa<ContinueStmt>(S) || (Breaks && isa<BreakStmt>(S)))
    return true;
  Breaks &= !isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [=](const clang::Stmt *Sub) {
    return jumpsOut(Sub, Breaks);
  });
}

/// Whether S adds something to a variable: by how much, and whether that stays
/// the same, is for the loop's form to say.
static bool isStep(const clang::Stmt *S, const ASTContext &AST) {
  const auto *E = dyn_cast<clang::Expr>(S);
  E = E ? E->IgnoreParens() : nullptr;
  if (const auto *U = dyn_cast_or_null<clang::UnaryOperator>(E))
    return U->isIncrementDecrementOp();
  const auto *B = dyn_cast_or_null<clang::BinaryOperator>(E);
  if (!B || B->getRHS()->HasSideEffects(AST))
    return false;
  const clang::Expr *By = B->getRHS()->IgnoreParenImpCasts();
  const auto *Sum = dyn_cast<clang::BinaryOperator>(By);
  return B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign ||
         (B->getOpcode() == BO_Assign && Sum && Sum->isAdditiveOp());
}

/// `while (i < n) { S; i++; }` as `for (; i < n; i++) { S; }`; null where S may
/// go on without the step, or no step stands at the end.
static const ForStmt *asCounted(const WhileStmt *S, ASTContext &AST) {
  const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
  if (!Body || Body->size() < 2 || !isStep(Body->body_back(), AST))
    return nullptr;
  const ArrayRef<clang::Stmt *> All(Body->body_begin(), Body->size());
  if (llvm::any_of(All, [](const clang::Stmt *Sub) {
        return jumpsOut(Sub, /*Breaks=*/false);
      }))
    return nullptr;
  auto *Rest = CompoundStmt::Create(AST, All.drop_back(), FPOptionsOverride(),
                                    Body->getLBracLoc(), Body->getRBracLoc());
  return new (AST)
      ForStmt(AST, /*Init=*/nullptr, const_cast<clang::Expr *>(S->getCond()),
              /*condVar=*/nullptr, cast<clang::Expr>(All.back()), Rest,
              S->getWhileLoc(), S->getLParenLoc(), S->getRParenLoc());
}

bool Lifter::liftWhile(const WhileStmt *S) {
  const ScopeGuard Scope(*this);
  std::string Why = "how often the while loop runs is not known before it";
  if (const ForStmt *Counted =
          S->getConditionVariable() ? nullptr : asCounted(S, AST))
    if (const int Done = liftCounted(Counted, Why))
      return Done > 0;
  if (S->getConditionVariable())
    return refuse(codes::Statement, "a condition that declares a variable",
                  S->getSourceRange()),
           false;
  StmtList Pre, Body;
  ExprRef Cond;
  if (!liftLoopCond(S->getCond(), Pre, Cond) ||
      !liftLoopBody(S->getBody(), nullptr, Body))
    return false;
  const SourceLoc Loc = locateStatement(S, AST);
  if (!Pre.empty()) { // the test has effects: it moves into the body
    Pre.push_back(exitUnless(Cond));
    Pre.insert(Pre.end(), Body.begin(), Body.end());
    Body = std::move(Pre);
    Cond = build::boolConst(true);
  }
  emit(std::make_shared<raise::While>(Cond, true, makeBlock(std::move(Body)),
                                      Why, Loc));
  return true;
}

/// `do S while (0)`, as macros are written, is S.
static bool runsOnce(const DoStmt *S, const ASTContext &AST) {
  const clang::Expr *const Cond = S->getCond();
  if (Cond->isValueDependent() || jumpsOut(S->getBody()))
    return false;
  const auto Value = Cond->getIntegerConstantExpr(AST);
  return Value && Value->isZero();
}

bool Lifter::liftDo(const DoStmt *S) {
  if (runsOnce(S, AST))
    return lift(S->getBody());
  const ScopeGuard Scope(*this);
  // A loop of jumps has no word of its own (BackJumps.cpp).
  const bool Jumps = S->getDoLoc() == S->getWhileLoc();
  const std::string Why =
      Jumps ? "how often the jump back is made is not known before it"
            : "how often the do loop runs is not known before it";
  const SourceLoc Loc = locateStatement(S, AST);
  StmtList Pre, Body;
  ExprRef Cond;
  if (!liftLoopCond(S->getCond(), Pre, Cond))
    return false;
  if (Pre.empty()) {
    if (!liftLoopBody(S->getBody(), nullptr, Body))
      return false;
    emit(std::make_shared<raise::While>(Cond, /*TestFirst=*/false,
                                        makeBlock(std::move(Body)), Why, Loc));
    return true;
  }
  // The test has effects: it moves to the end of the body, and before each
  // `continue`.
  const auto Test = [&]() -> bool {
    ExprRef C = condition(S->getCond());
    if (C)
      emit(exitUnless(C));
    return C != nullptr;
  };
  if (!liftLoopBody(S->getBody(), Test, Body))
    return false;
  StmtList *const Saved = Out;
  Out = &Body;
  const bool Done = Test();
  Out = Saved;
  if (Done)
    emit(std::make_shared<raise::While>(build::boolConst(true),
                                        /*TestFirst=*/true,
                                        makeBlock(std::move(Body)), Why, Loc));
  return Done;
}

bool Lifter::liftForAsWhile(const ForStmt *S, const std::string &Why,
                            StmtRef AsIf) {
  StmtList Outer;
  StmtList *const Saved = Out;
  Out = &Outer;
  const auto Leave = [&](bool Done) {
    Out = Saved;
    return Done;
  };
  if (S->getConditionVariable())
    return refuse(codes::Statement, "a condition that declares a variable",
                  S->getSourceRange()),
           Leave(false);
  if (S->getInit() && !lift(S->getInit()))
    return Leave(false);
  const auto Increment = [&]() -> bool {
    return !S->getInc() || liftEffect(S->getInc());
  };
  StmtList Pre, Body;
  ExprRef Cond;
  if (!liftLoopCond(S->getCond(), Pre, Cond) ||
      !liftLoopBody(S->getBody(), Increment, Body))
    return Leave(false);
  Out = &Body;
  if (!Increment())
    return Leave(false);
  Out = Saved;
  if (!Pre.empty()) {
    Pre.push_back(exitUnless(Cond));
    Pre.insert(Pre.end(), Body.begin(), Body.end());
    Body = std::move(Pre);
    Cond = build::boolConst(true);
  }
  const SourceLoc Loc = locateStatement(S, AST);
  Outer.push_back(std::make_shared<raise::While>(
      Cond, true, makeBlock(std::move(Body)), Why, Loc, std::move(AsIf)));
  emit(std::make_shared<raise::Block>(std::move(Outer), Loc));
  return true;
}

} // namespace raise::lifting
