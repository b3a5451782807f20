//===- ReductionForm.cpp - one spelling for every reduction ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReductionForm.h"
#include "raise/Analysis/UpdateChain.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::dyn_cast;

namespace {

class Canonicalizer : public Rewriter {
public:
  explicit Canonicalizer(const ReductionInfo &R) : R(R) {}

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *I = dyn_cast<If>(S.get()))
      return fromIf(S, *I);
    ExprRef Value;
    Combiner Op;
    if (!plainWrite(S, Op, Value))
      return S;
    if (Op == Combiner::None)
      return fromReplacement(S, Value);
    return S;
  }

private:
  const ReductionInfo &R;

  bool isTarget(const ExprRef &E) const {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      return R.Scalar && U->V == R.Scalar;
    auto *L = dyn_cast<Load>(E.get());
    return L && !R.Scalar && sameAccess(L->From, R.Element);
  }

  /// Whether S writes the reduction's target, and how.
  bool plainWrite(const StmtRef &S, Combiner &Op, ExprRef &Value) const {
    if (auto *A = dyn_cast<Assign>(S.get());
        A && R.Scalar && A->V == R.Scalar) {
      Op = A->Op;
      Value = A->Value;
      return true;
    }
    auto *St = dyn_cast<Store>(S.get());
    if (!St || R.Scalar || !sameAccess(St->To, R.Element))
      return false;
    Op = St->Op;
    Value = St->Value;
    return true;
  }

  StmtRef combined(const StmtRef &S, Combiner Op, ExprRef Value) const {
    if (R.Scalar)
      return std::make_shared<Assign>(R.Scalar, Op, std::move(Value), S->Loc);
    return std::make_shared<Store>(R.Element, Op, std::move(Value), false,
                                   S->Loc);
  }

  bool isExtremum() const {
    return R.Op == Combiner::Min || R.Op == Combiner::Max;
  }

  /// The new value in a comparison that is true when it replaces the old one.
  ExprRef candidate(const ExprRef &Cond) const {
    auto *B = dyn_cast<Binary>(Cond.get());
    if (!B || !isComparison(B->Op))
      return nullptr;
    bool Less = B->Op == BinaryOp::LT || B->Op == BinaryOp::LE;
    bool Greater = B->Op == BinaryOp::GT || B->Op == BinaryOp::GE;
    bool OrEqual = B->Op == BinaryOp::LE || B->Op == BinaryOp::GE;
    // On a tie, `<=` and `<` leave one integer but may leave different zeros.
    if ((!Less && !Greater) || (OrEqual && B->L->Ty.isFloat()))
      return nullptr;
    if (isTarget(B->R))
      return (R.Op == Combiner::Min) == Less ? B->L : nullptr;
    if (isTarget(B->L))
      return (R.Op == Combiner::Max) == Less ? B->R : nullptr;
    return nullptr;
  }

  StmtRef fromIf(const StmtRef &S, const If &I) {
    auto Then = statements(I.Then);
    if (!isExtremum() || I.Else || Then.size() != 1)
      return S;
    ExprRef Value;
    Combiner Op;
    ExprRef New = candidate(I.Cond);
    // Children come before parents: the write was counted as pending, and this
    // condition is what makes it good.
    if (!New || !plainWrite(Then.front(), Op, Value) || Op != Combiner::None ||
        !structurallyEqual(New, Value))
      return S;
    --Pending;
    return combined(S, R.Op, Value);
  }

  StmtRef fromReplacement(const StmtRef &S, const ExprRef &Value) {
    if (isExtremum()) {
      auto *Sel = dyn_cast<Select>(Value.get());
      ExprRef New = Sel ? candidate(Sel->Cond) : nullptr;
      if (New && structurallyEqual(New, Sel->True) && isTarget(Sel->False))
        return combined(S, R.Op, New);
      ++Pending; // only good inside an If
      return S;
    }
    static const std::pair<Combiner, BinaryOp> Ops[] = {
        {Combiner::Add, BinaryOp::Add}, {Combiner::Mul, BinaryOp::Mul},
        {Combiner::And, BinaryOp::And}, {Combiner::Or, BinaryOp::Or},
        {Combiner::Xor, BinaryOp::Xor}, {Combiner::Sub, BinaryOp::Sub}};
    auto *B = dyn_cast<Binary>(Value.get());
    for (auto [Op, Bin] : Ops) {
      if (!B || B->Op != Bin)
        continue;
      if (isTarget(B->L))
        return combined(S, Op, B->R);
      if (isTarget(B->R) && Bin != BinaryOp::Sub)
        return combined(S, Op, B->L);
    }
    auto Chain =
        updateChain(Value, [&](const ExprRef &E) { return isTarget(E); });
    if (!Chain) {
      ++Pending;
      return S;
    }
    std::vector<StmtRef> Updates;
    for (ChainLink &Link : *Chain)
      Updates.push_back(combined(S, Link.Op, std::move(Link.Operand)));
    return makeBlock(std::move(Updates), S->Loc);
  }

public:
  int Pending = 0; ///< writes in no known form
};

} // namespace

StmtRef raise::canonicalReduction(const StmtRef &S, const ReductionInfo &R) {
  Canonicalizer C(R);
  StmtRef Out = C.run(S);
  return C.Pending == 0 ? Out : nullptr;
}
