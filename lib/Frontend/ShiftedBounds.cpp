//===- ShiftedBounds.cpp - bounds of loops that test a sum ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `i + 1 < n` is `i < n - 1` in integers. In an int it is where n - 1 is taken
// in 64 bits: a sum that overflows is undefined. What is unsigned wraps: there,
// and where no wider type is left, the bound is that of a loop that begins at a
// number and goes up, which stops before its sum could wrap.
//
//===----------------------------------------------------------------------===//

#include "ShiftedBounds.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::lifting {

namespace {

struct Term {
  ExprRef E;
  bool Minus;
};

/// E as V and Others, all of E's type. False if it is none, or holds V twice.
bool addTerms(const ExprRef &E, bool Minus, const Var *V, bool &Found,
              std::vector<Term> &Others) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub))
    return addTerms(B->L, Minus, V, Found, Others) &&
           addTerms(B->R, Minus != (B->Op == BinaryOp::Sub), V, Found, Others);
  const auto *U = dyn_cast<VarUse>(E.get());
  if (U && U->V.get() == V) {
    const bool First = !Found && !Minus;
    Found = true;
    return First;
  }
  Others.push_back({E, Minus});
  return !uses(E, V);
}

std::optional<int64_t> number(const ExprRef &E) {
  if (const auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value;
  const auto *C = dyn_cast<Cast>(E.get());
  return C && C->Ty.isInt() && C->Ty.Bits >= C->Operand->Ty.Bits
             ? number(C->Operand)
             : std::nullopt;
}

/// The sum of the terms; nothing if one is no number, or if one is large.
std::optional<int64_t> total(ArrayRef<Term> Terms) {
  int64_t Sum = 0;
  for (const Term &T : Terms) {
    const std::optional<int64_t> C = number(T.E);
    if (!C || *C < 0 || *C > (1 << 20))
      return std::nullopt;
    Sum += T.Minus ? -*C : *C;
  }
  return Sum;
}

/// In 64 bits, where nothing of 32 overflows.
std::optional<PlainBound> widened(const ShiftedTest &T, ArrayRef<Term> Others) {
  const Type Wide = Type::getI64();
  // `<= Hi` is `< Hi + 1`.
  const bool Closed = T.Op == BinaryOp::LE;
  const BinaryOp Op = Closed ? BinaryOp::LT : T.Op;
  ExprRef Hi = build::cast(T.Hi, Wide);
  if (const auto By = total(Others)) {
    const int64_t Less = *By - Closed;
    if (Less == 0)
      return PlainBound{Op, T.Hi};
    const ExprRef Size = build::intConst(std::abs(Less), Wide);
    Hi = Less > 0 ? build::sub(Hi, Size) : build::add(Hi, Size);
  } else {
    for (const Term &O : Others)
      Hi = O.Minus ? build::add(Hi, build::cast(O.E, Wide))
                   : build::sub(Hi, build::cast(O.E, Wide));
    if (Closed)
      Hi = build::add(Hi, build::intConst(1, Wide));
  }
  const auto *C = dyn_cast<IntConst>(Hi.get());
  if (C && C->Value > INT32_MIN && C->Value < INT32_MAX)
    Hi = build::intConst(C->Value, T.V->Ty);
  return PlainBound{Op, Hi};
}

/// `V + C < Hi` for 0 <= Lo <= V: `V < (Hi > C ? Hi - C : 0)`; and of `<=` the
/// same with one more.
std::optional<PlainBound> clamped(const ShiftedTest &T, int64_t C) {
  if (T.Op == BinaryOp::LE)
    --C;
  else if (T.Op != BinaryOp::LT)
    return std::nullopt;
  const Type &Ty = T.Hi->Ty;
  if (C < 0)
    return std::nullopt;
  if (C == 0)
    return PlainBound{BinaryOp::LT, T.Hi};
  const ExprRef By = build::intConst(C, Ty);
  return PlainBound{BinaryOp::LT,
                    build::select(build::binary(BinaryOp::GT, T.Hi, By),
                                  build::sub(T.Hi, By),
                                  build::intConst(0, Ty))};
}

} // namespace

std::optional<PlainBound> plainBound(const ShiftedTest &T) {
  const auto *Converted = dyn_cast<Cast>(T.Sum.get());
  const ExprRef Sum = Converted ? Converted->Operand : T.Sum;
  const Type &In = Sum->Ty, &Ty = T.Hi->Ty;
  std::vector<Term> Others;
  bool Found = false;
  if (!In.isInt() || !(In == T.V->Ty) || In.Bits < 32 ||
      T.Sum->Ty != T.Hi->Ty ||
      !addTerms(Sum, false, T.V.get(), Found, Others) || !Found)
    return std::nullopt;
  if (In.Signed && In.Bits == 32 && !Converted)
    return widened(T, Others);
  // From here on the loop starts at a number, and the sum is never negative.
  const std::optional<int64_t> First = number(T.Lo), By = total(Others);
  if (!First || *First < 0 || *First > (1 << 20) || !By || *By < 0 || !T.ByOne)
    return std::nullopt;
  // A conversion keeps what is not negative, in a type that is no narrower.
  if (Converted && Ty.Bits < In.Bits + (Ty.Signed && !In.Signed))
    return std::nullopt;
  return clamped(T, *By);
}

} // namespace raise::lifting
