//===- LoopLifter.h - counted loops -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_LOOPLIFTER_H
#define RAISE_LIB_FRONTEND_LOOPLIFTER_H

#include "Lifter.h"

namespace raise::lifting {

/// Recognises the header of a counted loop and builds the For.
class LoopLifter {
  Lifter &L;
  const clang::ForStmt *S;
  const Claim *Claimed; ///< what the author's directive says; may be null
  const clang::VarDecl *Counter = nullptr;
  /// What limits the counter: of `i < n && i < m` each of both.
  struct Limit {
    const clang::Expr *Counter, *Bound;
  };
  std::vector<Limit> Limits;
  const clang::Expr *StepBy = nullptr;
  bool StepDown = false, Declares = false;
  bool Countdown = false; ///< `for (i = n; i-- > 0;)`
  BinaryOp Op = BinaryOp::LT;
  std::vector<const clang::Expr *> MoreSteps; ///< of `i++, j += 2`
  StmtList Outer;
  VarRef V;
  ExprRef Lo, Hi, Step;

public:
  std::string Why; ///< why this is no counted loop
  StmtRef AsIf;    ///< what it would be if its body left the bound alone
  LoopLifter(Lifter &L, const clang::ForStmt *S, const Claim *C)
      : L(L), S(S), Claimed(C) {}
  /// Null: not a counted loop, see Why; or a failure was recorded.
  StmtRef run();
  /// Whether condition and step are those of a counted loop.
  bool matched() const { return Countdown || !Limits.empty(); }

private:
  bool no(const std::string &Text) {
    if (Why.empty())
      Why = Text;
    return false;
  }
  const clang::VarDecl *variable(const clang::Expr *E);
  bool matchCondition();
  bool matchConditions(const clang::Expr *E);
  bool matchComparison(const clang::Expr *Left, const clang::Expr *Right,
                       BinaryOp O);
  bool isCounterAndMore(const clang::Expr *E);
  bool matchCountdown();
  bool matchStep();
  bool matchOneStep(const clang::Expr *E);
  bool liftInit();
  bool liftCountdown();
  bool liftBounds();
  bool liftBound(const Limit &By);
  bool liftStep();
  bool fitStep();
  std::string changerOf(const ExprRef &From, const StmtRef &Body);
  std::string changerOf(const VarRef &X, const StmtRef &Body);
  bool isStable(const ExprRef &E, const StmtRef &Body, const char *What);
  bool mayChange(const VarRef &X, const StmtRef &Body);
  Prescan InBody{L.Called}; ///< what the body does, by its text
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_LOOPLIFTER_H
