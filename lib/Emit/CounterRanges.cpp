//===- CounterRanges.cpp - what constants say of loop counters ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CounterRanges.h"
#include "raise/IR/Visitor.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace raise {

std::vector<StmtRef> loopsAround(const Region &R, const Function &F) {
  std::vector<StmtRef> Found;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (!isa<For>(*S) && !isa<While>(*S))
      return;
    bool Holds = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *Inner = dyn_cast<Region>(Sub.get());
      Holds |= Inner && Inner->Original == R.Original;
    });
    if (Holds)
      Found.push_back(S);
  });
  return Found;
}

void CounterRanges::add(const Var &V, const ExprRef &Lo, const ExprRef &Hi) {
  auto From = of(Lo), To = of(Hi);
  if (From && To)
    Known[&V] = {From->Least, std::max(From->Least, To->Most - 1)};
}

void CounterRanges::addLoop(const Stmt &S) {
  auto *L = dyn_cast<For>(&S);
  if (!L)
    return;
  auto From = of(L->Lo), To = of(L->Hi);
  if (!From || !To)
    return;
  const bool Up = L->Cond == BinaryOp::LT || L->Cond == BinaryOp::LE;
  const bool Down = L->Cond == BinaryOp::GT || L->Cond == BinaryOp::GE;
  if (Up)
    Known[L->V.get()] = {From->Least, std::max(From->Least, To->Most)};
  else if (Down)
    Known[L->V.get()] = {std::min(To->Least, From->Most), From->Most};
}

/// `a < b ? a : b` is limited by each of both.
std::optional<ValueRange> CounterRanges::ofSelect(const Select &S) const {
  const ValueRange Any = {-HUGE_VAL, HUGE_VAL};
  const ValueRange A = of(S.True).value_or(Any), B = of(S.False).value_or(Any);
  auto *C = dyn_cast<Binary>(S.Cond.get());
  const bool Ordered = C && structurallyEqual(*C->L, *S.True) &&
                       structurallyEqual(*C->R, *S.False);
  if (Ordered && (C->Op == BinaryOp::LT || C->Op == BinaryOp::LE))
    return ValueRange{std::min(A.Least, B.Least), std::min(A.Most, B.Most)};
  if (Ordered && (C->Op == BinaryOp::GT || C->Op == BinaryOp::GE))
    return ValueRange{std::max(A.Least, B.Least), std::max(A.Most, B.Most)};
  return ValueRange{std::min(A.Least, B.Least), std::max(A.Most, B.Most)};
}

std::optional<ValueRange> CounterRanges::of(const ExprRef &E) const {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return ValueRange{double(C->Value), double(C->Value)};
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() && C->Operand->Ty.isInt() ? of(C->Operand)
                                                   : std::nullopt;
  if (auto *U = dyn_cast<VarUse>(E.get()))
    if (auto It = Known.find(U->V.get()); It != Known.end())
      return It->second;
  if (isa<VarUse>(*E) || isa<Load>(*E)) {
    // What a narrow type holds is bound by it.
    if (!E->Ty.isInt() || E->Ty.Bits >= 32)
      return std::nullopt;
    const double All = std::exp2(E->Ty.Bits);
    return E->Ty.Signed ? ValueRange{-All / 2, All / 2 - 1}
                        : ValueRange{0, All - 1};
  }
  if (auto *S = dyn_cast<Select>(E.get()))
    return ofSelect(*S);
  auto *B = dyn_cast<Binary>(E.get());
  auto L = B && E->Ty.isInt() ? of(B->L) : std::nullopt;
  auto R = L ? of(B->R) : std::nullopt;
  if (!R)
    return std::nullopt;
  switch (B->Op) {
  case BinaryOp::Add:
    return ValueRange{L->Least + R->Least, L->Most + R->Most};
  case BinaryOp::Sub:
    return ValueRange{L->Least - R->Most, L->Most - R->Least};
  case BinaryOp::Mul: {
    auto [Least, Most] = std::minmax({L->Least * R->Least, L->Least * R->Most,
                                      L->Most * R->Least, L->Most * R->Most});
    return ValueRange{Least, Most};
  }
  case BinaryOp::Div:
    if (R->Least != R->Most || R->Least <= 0)
      return std::nullopt;
    return ValueRange{std::trunc(L->Least / R->Least),
                      std::trunc(L->Most / R->Least)};
  default:
    return std::nullopt;
  }
}

} // namespace raise
