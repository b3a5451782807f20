//===- AlwaysDefined.cpp - what may be computed ahead ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop that stops at an element computes nothing of those behind it. There
// `a[i] * 1000` may overflow, which no program may do: so it is computed ahead
// only where types say that it cannot, as of a short. Intervals of 128 bits
// hold every product of two numbers of 64 with a sign; what has none wraps.
//
//===----------------------------------------------------------------------===//
#include "AlwaysDefined.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"
#include <algorithm>

using namespace raise;
using llvm::cast;

namespace {

struct Interval {
  __int128 Lo = 0, Hi = 0;
  bool isWithin(const Interval &Other) const {
    return Other.Lo <= Lo && Hi <= Other.Hi;
  }
};

Interval ofType(const Type &Ty) {
  if (Ty.isBool())
    return {0, 1};
  const __int128 Half = __int128(1) << (Ty.Bits - 1);
  return Ty.Signed ? Interval{-Half, Half - 1} : Interval{0, 2 * Half - 1};
}

bool isWhole(const Type &Ty) {
  return Ty.isBool() || (Ty.isInt() && Ty.Bits <= 64);
}

/// What E may be, if it is defined; for floating numbers an interval that says
/// nothing.
class Range {
public:
  explicit Range(const Iterator *Over) : Over(Over) {}
  std::optional<Interval> of(const ExprRef &E) const;

private:
  const Iterator *Over;

  std::optional<Interval> ofCast(const Cast &C) const;
  std::optional<Interval> ofUnary(const Unary &U) const;
  std::optional<Interval> ofBinary(const Binary &B) const;
  Interval ofVariable(const VarUse &U) const;

  /// Where a result of Ty lies that is R in the arithmetic of integers.
  static std::optional<Interval> fit(const Interval &R, const Type &Ty) {
    const Interval All = ofType(Ty);
    if (R.isWithin(All))
      return R;
    return Ty.isInt() && !Ty.Signed ? std::optional(All) : std::nullopt;
  }
};

Interval Range::ofVariable(const VarUse &U) const {
  if (Over && U.V == Over->V) {
    const auto Lo = constantValue(Over->Lo), Hi = constantValue(Over->Hi);
    if (Lo && Hi && *Lo < *Hi)
      return {*Lo, *Hi - 1};
  }
  return ofType(U.Ty);
}

std::optional<Interval> Range::ofCast(const Cast &C) const {
  const auto From = of(C.Operand);
  if (!From || !isWhole(C.Ty))
    return From;
  if (C.Ty.isBool()) // whether it is 0
    return Interval{0, 1};
  if (!isWhole(C.Operand->Ty))
    return std::nullopt;
  const Interval All = ofType(C.Ty);
  return From->isWithin(All) ? *From : All;
}

std::optional<Interval> Range::ofUnary(const Unary &U) const {
  const auto Of = of(U.Operand);
  if (!Of || !isWhole(U.Ty))
    return Of;
  switch (U.Op) {
  case UnaryOp::Neg:
    return fit({-Of->Hi, -Of->Lo}, U.Ty);
  case UnaryOp::Not:
    return Interval{0, 1};
  default:
    return ofType(U.Ty);
  }
}

std::optional<Interval> Range::ofBinary(const Binary &B) const {
  const auto L = of(B.L), R = of(B.R);
  if (!L || !R)
    return std::nullopt;
  if (isComparison(B.Op) || B.Op == BinaryOp::LAnd || B.Op == BinaryOp::LOr)
    return Interval{0, 1};
  if (!isWhole(B.Ty))
    return Interval();
  switch (B.Op) {
  case BinaryOp::Add:
    return fit({L->Lo + R->Lo, L->Hi + R->Hi}, B.Ty);
  case BinaryOp::Sub:
    return fit({L->Lo - R->Hi, L->Hi - R->Lo}, B.Ty);
  case BinaryOp::Mul: {
    if (!B.Ty.Signed)
      return ofType(B.Ty);
    const auto [Least, Most] = std::minmax(
        {L->Lo * R->Lo, L->Lo * R->Hi, L->Hi * R->Lo, L->Hi * R->Hi});
    return fit({Least, Most}, B.Ty);
  }
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor:
    return ofType(B.Ty);
  case BinaryOp::Shr:
    if (R->Lo < 0 || R->Hi >= B.Ty.Bits)
      return std::nullopt;
    return ofType(B.Ty);
  case BinaryOp::Shl:
    if (R->Lo < 0 || R->Hi >= B.Ty.Bits || (B.Ty.Signed && L->Lo < 0))
      return std::nullopt;
    if (!B.Ty.Signed)
      return ofType(B.Ty);
    return fit({L->Lo, L->Hi << int(R->Hi)}, B.Ty);
  default: // quotients
    return std::nullopt;
  }
}

std::optional<Interval> Range::of(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::IntConst: {
    const int64_t Value = cast<IntConst>(*E).Value;
    return Value < 0 && !E->Ty.Signed ? ofType(E->Ty) : Interval{Value, Value};
  }
  case ExprKind::VarUse:
    return isWhole(E->Ty) ? ofVariable(cast<VarUse>(*E)) : Interval();
  case ExprKind::Load:
    return isWhole(E->Ty) ? ofType(E->Ty) : Interval();
  case ExprKind::FloatConst:
    return Interval();
  case ExprKind::Cast:
    return ofCast(cast<Cast>(*E));
  case ExprKind::Unary:
    return ofUnary(cast<Unary>(*E));
  case ExprKind::Binary:
    return ofBinary(cast<Binary>(*E));
  case ExprKind::Call: { // of floating numbers, as the caller knows
    bool Ok = !isWhole(E->Ty);
    for (const ExprRef &A : cast<Call>(*E).Args)
      Ok = Ok && of(A);
    return Ok ? std::optional(Interval()) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

bool raise::isAlwaysDefined(const ExprRef &E, const Iterator *Over) {
  return Range(Over).of(E).has_value();
}

bool raise::isAlwaysZero(const ExprRef &E) {
  const auto R = Range(nullptr).of(E);
  return R && isWhole(E->Ty) && R->Lo == 0 && R->Hi == 0;
}
