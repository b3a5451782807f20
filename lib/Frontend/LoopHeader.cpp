//===- LoopHeader.cpp - what the header of a loop says --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which variable a `for` counts with, by how much, and what limits it: from the
// text alone. Whether that is so is for Loop.cpp to see.
//
//===----------------------------------------------------------------------===//

#include "LoopLifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

const VarDecl *LoopLifter::variable(const clang::Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Found = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!Found || !Found->isLocalVarDeclOrParm() ||
      !Found->getType()->isIntegerType() || Found->getType()->isBooleanType())
    return nullptr;
  return Found;
}

/// Whether E is the counter, or the counter and something else.
bool LoopLifter::isCounterAndMore(const clang::Expr *E) {
  if (variable(E) == Counter)
    return true;
  const auto *B = dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B || (B->getOpcode() != BO_Add && B->getOpcode() != BO_Sub))
    return false;
  return isCounterAndMore(B->getLHS()) ||
         (B->getOpcode() == BO_Add && isCounterAndMore(B->getRHS()));
}

bool LoopLifter::matchComparison(const clang::Expr *Left,
                                 const clang::Expr *Right, BinaryOp O) {
  if (!isCounterAndMore(Left))
    return false;
  if (!Limits.empty() && (O != Op || O == BinaryOp::NE))
    return false;
  Limits.push_back({Left, Right});
  Op = O;
  return true;
}

bool LoopLifter::matchCondition() {
  if (!S->getCond())
    return no("the loop has no condition");
  Limits.clear();
  return matchConditions(S->getCond());
}

/// A conjunction of comparisons is one with the least of the bounds.
bool LoopLifter::matchConditions(const clang::Expr *E) {
  const auto *B = dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B)
    return no("the loop's condition is no comparison of its variable");
  if (B->getOpcode() == BO_LAnd) {
    std::string Before = Why;
    if (matchConditions(B->getLHS()) && matchConditions(B->getRHS()))
      return true;
    Why = std::move(Before);
    return no("the loop's condition tests more than one limit of its variable");
  }
  BinaryOp O;
  switch (B->getOpcode()) {
  case BO_LT:
    O = BinaryOp::LT;
    break;
  case BO_LE:
    O = BinaryOp::LE;
    break;
  case BO_GT:
    O = BinaryOp::GT;
    break;
  case BO_GE:
    O = BinaryOp::GE;
    break;
  case BO_NE:
    O = BinaryOp::NE;
    break;
  default:
    return no("the loop's condition is no comparison of its variable");
  }
  return matchComparison(B->getLHS(), B->getRHS(), O) ||
         matchComparison(B->getRHS(), B->getLHS(), mirrored(O)) ||
         no("the loop's condition does not compare the variable that it steps");
}

bool LoopLifter::matchOneStep(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E);
      U && U->isIncrementDecrementOp()) {
    Counter = variable(U->getSubExpr());
    StepDown = U->isDecrementOp();
    return Counter;
  }
  const auto *B = dyn_cast<clang::BinaryOperator>(E);
  if (!B || !(Counter = variable(B->getLHS())))
    return false;
  if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign) {
    StepBy = B->getRHS();
    StepDown = B->getOpcode() == BO_SubAssign;
    return true;
  }
  if (B->getOpcode() != BO_Assign)
    return false;
  const auto *Sum =
      dyn_cast<clang::BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  if (!Sum || (Sum->getOpcode() != BO_Add && Sum->getOpcode() != BO_Sub))
    return false;
  StepDown = Sum->getOpcode() == BO_Sub;
  if (variable(Sum->getLHS()) == Counter)
    StepBy = Sum->getRHS();
  else if (!StepDown && variable(Sum->getRHS()) == Counter)
    StepBy = Sum->getLHS();
  return StepBy;
}

/// The pointer that E moves on by one.
static const VarDecl *pointerStepped(const clang::Expr *E) {
  const auto *U = dyn_cast<clang::UnaryOperator>(E->IgnoreParens());
  const auto *D = U && U->isIncrementDecrementOp()
                      ? dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())
                      : nullptr;
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->getType()->isPointerType() ? V : nullptr;
}

/// `i-- > 0`, `i-- != 0` and `i--` as conditions that step their variable.
bool LoopLifter::matchCountdown() {
  if (S->getInc() || !S->getCond())
    return false;
  const clang::Expr *E = S->getCond()->IgnoreParenImpCasts();
  bool IsGreater = false;
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    IsGreater = B->getOpcode() == BO_GT;
    if ((!IsGreater && B->getOpcode() != BO_NE) ||
        B->getRHS()->getIntegerConstantExpr(L.AST) != 0)
      return false;
    E = B->getLHS()->IgnoreParenImpCasts();
  }
  const auto *U = dyn_cast<clang::UnaryOperator>(E);
  if (!U || U->getOpcode() != UO_PostDec ||
      !(Counter = variable(U->getSubExpr())))
    return false;
  // A narrower one is decremented as an int, and wraps; an unsigned one ends as
  // the largest value there is.
  if (L.AST.getIntWidth(Counter->getType()) < 32)
    return no("the loop's condition counts a narrow variable down");
  if (!Counter->getType()->isSignedIntegerType())
    return no("the loop's condition counts an unsigned variable down, past 0");
  Op = IsGreater ? BinaryOp::GE : BinaryOp::NE;
  return Countdown = StepDown = true;
}

bool LoopLifter::matchStep() {
  if (!S->getInc())
    return no("the loop has no step");
  // In `i++, j--` the counter is the one that the condition compares.
  std::vector<const clang::Expr *> Parts;
  const clang::Expr *E = S->getInc()->IgnoreParens();
  while (const auto *C = dyn_cast<clang::BinaryOperator>(E)) {
    if (C->getOpcode() != BO_Comma)
      break;
    Parts.insert(Parts.begin(), C->getRHS());
    E = C->getLHS()->IgnoreParens();
  }
  Parts.insert(Parts.begin(), E);
  for (size_t I = 0; I < Parts.size(); ++I) {
    StepBy = nullptr;
    if (!matchOneStep(Parts[I]))
      continue;
    if (matchCondition()) { // of several steps, one is the condition's
      Parts.erase(Parts.begin() + I);
      MoreSteps = Parts;
      Why.clear();
      return true;
    }
  }
  if (const VarDecl *P = pointerStepped(Parts.back()))
    return no("the loop's condition does not compare '" + P->getNameAsString() +
              "', the pointer that it steps");
  return no("the loop does not step its variable by a fixed amount");
}

} // namespace raise::lifting
