//===- TripCount.cpp - how often a loop has run ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable of a defined loop is Lo + Step * t in iteration t, as integers,
// wherever its arithmetic cannot wrap: always if it is signed, and if it is
// unsigned where the bound stops it first. So t is (V - Lo) / Step; what is
// left to see to is that V - Lo itself fits the type that it is computed in.
//
//===----------------------------------------------------------------------===//
#include "TripCount.h"
#include "FoldConstants.h"

using namespace raise;

namespace {

class Counter {
public:
  explicit Counter(const For &L) : L(L), Ty(L.V->Ty), HiTy(L.Hi->Ty) {}
  std::optional<TripCount> run();

private:
  const For &L;
  const Type &Ty, &HiTy;
  std::optional<int64_t> Lo, Hi, Step;
  bool Down = false;
  /// The type in which differences are taken, and |Step| in it.
  Type In;
  ExprRef Size;

  bool is(BinaryOp A, BinaryOp B) const { return L.Cond == A || L.Cond == B; }
  bool isNonNegative(std::optional<int64_t> C) const { return C && *C >= 0; }
  bool findStep();
  bool endsBeforeItWraps() const;
  bool chooseType();
  ExprRef in(const ExprRef &E) const { return build::cast(E, In); }
  /// How far From is from To, in the loop's direction, in steps.
  ExprRef steps(const ExprRef &From, const ExprRef &To, int64_t Less) const;
  ExprRef trips();
};

bool Counter::findStep() {
  Step = constantValue(L.Step);
  if (!Step) {
    // Its sign follows from the condition: the other one never ends.
    Down = is(BinaryOp::GT, BinaryOp::GE);
    return Ty.Signed && Ty.Bits == 32 && L.Cond != BinaryOp::NE;
  }
  if (!Ty.Signed && Ty.Bits == 32)
    Step = static_cast<int32_t>(*Step);
  Down = *Step < 0;
  if (*Step == 0 || *Step == INT64_MIN)
    return false;
  return L.Cond == BinaryOp::NE || Down == is(BinaryOp::GT, BinaryOp::GE);
}

/// An unsigned variable reaches the value that ends the loop without wrapping;
/// for `!=` and a step of one it may wrap on the way, and the difference is
/// right all the same.
bool Counter::endsBeforeItWraps() const {
  if (HiTy != Ty)
    return false;
  uint64_t Most = Ty.Bits == 64 ? ~0ULL : (1ULL << Ty.Bits) - 1;
  int64_t By = Step.value_or(0);
  uint64_t Size = Down ? -static_cast<uint64_t>(By) : By;
  auto End = static_cast<uint64_t>(Hi.value_or(0));
  switch (L.Cond) {
  case BinaryOp::NE:
    return Size == 1;
  case BinaryOp::LT:
    return Size == 1 || (Hi && End <= Most - (Size - 1));
  case BinaryOp::LE:
    return Hi && End <= Most - Size;
  case BinaryOp::GT:
    return Size == 1 || (Hi && End >= Size - 1);
  default:
    return Hi && End >= Size;
  }
}

/// Picks the type of the differences: the variable's where both ends are known
/// not to be negative, else i64 if that is wider.
bool Counter::chooseType() {
  In = Ty;
  if (!Ty.Signed)
    return true;
  // Going down, the last value inside the loop is Hi at least.
  bool SameSign = Step && isNonNegative(Down ? Hi : Lo) &&
                  (HiTy.Signed || !Down) && HiTy.Bits >= Ty.Bits;
  if (!SameSign && Ty.Bits == 64)
    return false;
  if (!SameSign)
    In = Type::getI64();
  return true;
}

ExprRef Counter::steps(const ExprRef &From, const ExprRef &To,
                       int64_t Less) const {
  ExprRef Way =
      Down ? build::sub(in(From), in(To)) : build::sub(in(To), in(From));
  return build::div(build::sub(Way, build::intConst(Less, In)), Size);
}

ExprRef Counter::trips() {
  // A signed variable against an unsigned bound: both are the same integers
  // only where the variable is not negative.
  if (Ty.Signed && !HiTy.Signed && (Down || !Lo || *Lo < 0 || !Step))
    return nullptr;
  // All of a signed type's non-negative values are one more than it can count.
  // (Counting up past the last of them would overflow.)
  if (L.Cond == BinaryOp::GE && In == Ty && Ty.Signed && Hi == 0) {
    if (Ty.Bits == 64)
      return nullptr;
    In = Type::getI64();
    Size = build::cast(Size, In);
  }
  ExprRef One = build::intConst(1, In);
  switch (L.Cond) {
  case BinaryOp::NE:
    return steps(L.Lo, L.Hi, 0);
  case BinaryOp::LT:
  case BinaryOp::GT: {
    // (d - 1) / s + 1, which for s == 1 is d.
    bool Unit = Step && (*Step == 1 || *Step == -1);
    return Unit ? steps(L.Lo, L.Hi, 0) : build::add(steps(L.Lo, L.Hi, 1), One);
  }
  default:
    return build::add(steps(L.Lo, L.Hi, 0), One);
  }
}

std::optional<TripCount> Counter::run() {
  if (!Ty.isInt() || Ty.Bits < 32 || !HiTy.isInt() || HiTy.Bits < Ty.Bits)
    return std::nullopt;
  Lo = constantValue(L.Lo);
  Hi = constantValue(L.Hi);
  if (!findStep() || (!Ty.Signed && !endsBeforeItWraps()) || !chooseType())
    return std::nullopt;
  if (Step)
    Size = build::intConst(Down ? -*Step : *Step, In);
  else
    Size = Down ? build::unary(UnaryOp::Neg, in(L.Step)) : in(L.Step);
  TripCount T;
  T.Before = steps(L.Lo, build::var(L.V), 0);
  T.Runs = build::binary(L.Cond, build::cast(L.Lo, HiTy), L.Hi);
  if (auto Never = constantValue(T.Runs); Never && *Never == 0) {
    T.Constant = 0;
    return T;
  }
  T.Trips = trips();
  if (T.Trips && constantValue(T.Runs))
    T.Constant = constantValue(T.Trips);
  return T;
}

} // namespace

std::optional<TripCount> raise::countTrips(const For &L) {
  return Counter(L).run();
}
