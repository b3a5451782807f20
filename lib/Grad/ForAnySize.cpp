//===- ForAnySize.cpp - tests that calls in good order pass ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ForAnySize.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <optional>

using namespace llvm;

namespace raise::grad {

namespace {

using Values = DenseMap<const Var *, int64_t>;

/// E where its variables are At; nothing where that is undefined.
std::optional<int64_t> valueAt(const ExprRef &E, const Values &At) {
  if (!E->Ty.isIntegral())
    return std::nullopt;
  switch (E->Kind) {
  case ExprKind::IntConst:
    return cast<IntConst>(E.get())->Value;
  case ExprKind::VarUse:
    return At.lookup(cast<VarUse>(E.get())->V.get());
  case ExprKind::Cast:
    return valueAt(cast<Cast>(E.get())->Operand, At); // they are small
  case ExprKind::Binary: {
    auto *B = cast<Binary>(E.get());
    const auto L = valueAt(B->L, At), R = valueAt(B->R, At);
    if (!L || !R)
      return std::nullopt;
    const ExprRef Made = build::binary(B->Op, build::intConst(*L, B->L->Ty),
                                       build::intConst(*R, B->R->Ty));
    auto *C = dyn_cast<IntConst>(Made.get());
    return C ? std::optional(C->Value) : std::nullopt;
  }
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    const auto C = valueAt(S->Cond, At);
    return C ? valueAt(*C ? S->True : S->False, At) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// Whether Cond is `d > 0` of a divisor or a step of F.
bool isPositiveStep(const ExprRef &Cond, const Function &F) {
  auto *B = dyn_cast<Binary>(Cond.get());
  auto *Zero = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  const Expr *L = B ? B->L.get() : nullptr;
  while (auto *C = dyn_cast_or_null<Cast>(L))
    L = C->Operand.get();
  const auto *U = dyn_cast_or_null<VarUse>(L);
  if (!U || !Zero || Zero->Value != 0 || B->Op != BinaryOp::GT)
    return false;
  bool Divides = false;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    auto *D = dyn_cast<Binary>(E.get());
    Divides |= D && (D->Op == BinaryOp::Div || D->Op == BinaryOp::Rem) &&
               uses(D->R, U->V.get());
  });
  return Divides;
}

} // namespace

SetVector<const Var *> variablesOf(const ExprRef &E) {
  SetVector<const Var *> Found;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      Found.insert(U->V.get());
  });
  return Found;
}

bool holdsForSizes(const ExprRef &Cond, const Function &F) {
  const SetVector<const Var *> Of = variablesOf(Cond);
  if (isPositiveStep(Cond, F))
    return true;
  if (Of.size() > 6)
    return false;
  for (const Var *Large : Of) {
    Values At;
    for (const Var *V : Of)
      At[V] = V == Large ? 100000 : 1;
    if (!valueAt(Cond, At).value_or(1))
      return false;
  }
  static constexpr int64_t Tried[] = {0, 1, 2, 3, 7};
  Values At;
  const std::function<bool(size_t)> Holds = [&](size_t K) {
    if (K == Of.size())
      return valueAt(Cond, At).value_or(1) != 0;
    return all_of(Tried, [&](int64_t V) {
      At[Of[K]] = V;
      return Holds(K + 1);
    });
  };
  return Holds(0);
}

bool isEmptyAtFirst(const ElementRange &R) {
  if (variablesOf(R.Hi).empty())
    return true;
  const Values Zeros;
  const auto Lo = valueAt(R.Lo, Zeros), Hi = valueAt(R.Hi, Zeros);
  return (!Lo || !Hi) || *Hi <= *Lo;
}

} // namespace raise::grad
