//===- Counts.cpp - whether OpenMP can count a loop's iterations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Counts.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/Casting.h"
#include <limits>
#include <optional>

using llvm::dyn_cast;

namespace raise {

namespace {

constexpr int64_t Most32 = std::numeric_limits<int32_t>::max();
constexpr int64_t Most64 = std::numeric_limits<int64_t>::max();

/// E in 64 bits, where nothing of it that is narrower overflows: the test of a
/// loop that does not run computes what the loop does not.
ExprRef wide(const ExprRef &E) {
  const auto *B = dyn_cast<Binary>(E.get());
  const bool Sums = B && E->Ty.isInt() && E->Ty.Signed && E->Ty.Bits <= 32 &&
                    (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub);
  return Sums ? build::binary(B->Op, wide(B->L), wide(B->R))
              : build::cast(E, Type::getI64());
}

std::optional<int64_t> number(const ExprRef &E) {
  const auto *Of = dyn_cast<Cast>(E.get());
  if (Of && Of->Ty.isInt() && Of->Ty.Bits >= Of->Operand->Ty.Bits)
    return number(Of->Operand);
  const auto *C = dyn_cast<IntConst>(E.get());
  return C ? std::optional<int64_t>(C->Value) : std::nullopt;
}

/// Whether E, of 64 bits, holds a value of at most 32.
bool isNarrow(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  const std::optional<int64_t> N = number(E);
  return (C && C->Operand->Ty.isInt() && C->Operand->Ty.Bits <= 32) ||
         (N && *N >= -Most32 && *N <= Most32);
}

ExprRef atMost(ExprRef E, int64_t Limit) {
  return build::binary(BinaryOp::LE, std::move(E),
                       build::intConst(Limit, Type::getI64()));
}

/// End - Lo + (Step - 1) <= Limit for the value End with which the loop ends,
/// where Step is a number and Lo may be one.
bool fits(std::optional<int64_t> Lo, std::optional<int64_t> Hi, int64_t Step,
          int64_t Limit) {
  if (!Lo)
    return false;
  if (*Lo < 0)
    return Hi && (*Hi <= *Lo ||
                  (*Hi <= Limit + *Lo && *Hi - *Lo <= Limit - 2 * (Step - 1)));
  if (*Lo >= Step - 1)
    return true;
  if (Hi)
    return *Hi <= Limit - 2 * (Step - 1) + *Lo;
  // Where the loop ends by passing Hi without overflow, it ends with a value
  // that is Lo and some steps: this is the last one of these.
  return (Limit - *Lo) % Step >= Step - 1 - *Lo;
}

} // namespace

ExprRef countFits(const ExprRef &Lo, const ExprRef &Hi, const ExprRef &Step,
                  bool FromZero) {
  const Type &Ty = Lo->Ty;
  if (!Ty.isInt() || !Ty.Signed || Ty.Bits < 32)
    return nullptr; // that it does not wrap is part of the proof
  const std::optional<int64_t> By = number(Step), First = number(Lo);
  FromZero |= First && *First >= 0;
  const bool Narrow = Ty.Bits == 32;
  if (By && fits(First, number(Hi), *By, Narrow ? Most32 : Most64))
    return nullptr;
  if (Narrow && By && *By == 1)
    return FromZero ? nullptr : atMost(build::sub(wide(Hi), wide(Lo)), Most32);
  if (Narrow && By)
    return FromZero
               ? atMost(wide(Hi), Most32 - 2 * (*By - 1))
               : atMost(build::sub(wide(Hi), wide(Lo)), Most32 - 2 * (*By - 1));
  if (Narrow) {
    ExprRef Span = FromZero ? wide(Hi) : build::sub(wide(Hi), wide(Lo));
    return atMost(
        build::add(std::move(Span),
                   build::mul(build::intConst(2, Type::getI64()), wide(Step))),
        Most32);
  }
  // With steps as small as these, a range of 2^63 does not end.
  if (By && *By <= 1024)
    return nullptr;
  // No sum of what came from 32 bits overflows, nor of these.
  const bool NarrowEnd = isNarrow(Hi) && (By ? *By <= Most32 : isNarrow(Step));
  if (NarrowEnd && isNarrow(Lo))
    return nullptr;
  // What came from 32 bits is below that limit anyway.
  const auto MayBeLarge = [](const ExprRef &E) {
    return isNarrow(E) ? nullptr : atMost(E, Most64 / 4);
  };
  ExprRef End =
      build::logicalAnd(MayBeLarge(Hi), By ? nullptr : MayBeLarge(Step));
  if (By && *By > Most64 / 4)
    End = build::boolConst(false);
  if (FromZero)
    return End;
  return build::logicalAnd(
      build::binary(BinaryOp::GE, Lo, build::intConst(0, Ty)), End);
}

void NotNegative::enter(const Iterator &It) {
  if (holds(It.Lo))
    Known.insert(It.V.get());
}

void NotNegative::enter(const For &L) {
  const std::optional<int64_t> By = number(L.Step);
  const bool Up = L.Cond == BinaryOp::LT || L.Cond == BinaryOp::LE;
  if (Up ? By && *By > 0 && holds(L.Lo)
         : (L.Cond == BinaryOp::GT || L.Cond == BinaryOp::GE) && holds(L.Hi) &&
               L.Hi->Ty == L.V->Ty)
    Known.insert(L.V.get());
}

/// Without casts that keep every value.
static const Expr *narrowest(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  return C && C->Ty.isInt() && C->Operand->Ty.isInt() && C->Ty.Signed &&
                 C->Ty.Bits >= C->Operand->Ty.Bits && C->Operand->Ty.Signed
             ? narrowest(C->Operand)
             : E.get();
}

void NotNegative::enter(const ExprRef &Cond) {
  const auto *B = dyn_cast<Binary>(Cond.get());
  if (!B)
    return;
  if (B->Op == BinaryOp::LAnd) {
    enter(B->L);
    enter(B->R);
    return;
  }
  const bool Above = B->Op == BinaryOp::GE || B->Op == BinaryOp::GT;
  const bool Below = B->Op == BinaryOp::LE || B->Op == BinaryOp::LT;
  const auto *Than = dyn_cast<VarUse>(narrowest(Above ? B->L : B->R));
  if ((Above || Below) && Than && Than->Ty.Signed && B->L->Ty.Signed &&
      holds(Above ? B->R : B->L))
    Known.insert(Than->V.get());
}

/// What the condition of a choice says is the larger of two, and the other;
/// nulls if it compares nothing so.
static std::pair<ExprRef, ExprRef> compared(const Select &S) {
  const auto *B = dyn_cast<Binary>(S.Cond.get());
  if (B && (B->Op == BinaryOp::GE || B->Op == BinaryOp::GT))
    return {B->L, B->R};
  if (B && (B->Op == BinaryOp::LE || B->Op == BinaryOp::LT))
    return {B->R, B->L};
  return {};
}

/// The larger of both arms?
static bool isMax(const Select &S) {
  const auto [Larger, Other] = compared(S);
  return Larger && structurallyEqual(*Larger, *S.True) &&
         structurallyEqual(*Other, *S.False);
}

/// `n > m ? n - m : ...`
static bool isDistanceIfTrue(const Select &S) {
  const auto [Larger, Other] = compared(S);
  const auto *B = dyn_cast<Binary>(S.True.get());
  return Larger && B && B->Op == BinaryOp::Sub &&
         structurallyEqual(*Larger, *B->L) && structurallyEqual(*Other, *B->R);
}

bool NotNegative::holds(const ExprRef &E) const {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value >= 0;
  if (!E->Ty.isInt())
    return false;
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return !E->Ty.Signed || Known.contains(U->V.get());
  if (auto *C = dyn_cast<Cast>(E.get())) {
    const Type &From = C->Operand->Ty;
    const bool Keeps =
        From.isInt() && (From.Signed == C->Ty.Signed ? C->Ty.Bits >= From.Bits
                                                     : C->Ty.Bits > From.Bits);
    return !C->Ty.Signed || (Keeps && holds(C->Operand));
  }
  if (auto *S = dyn_cast<Select>(E.get()))
    return isMax(*S)
               ? holds(S->True) || holds(S->False)
               : (isDistanceIfTrue(*S) || holds(S->True)) && holds(S->False);
  // What is signed does not overflow.
  auto *B = dyn_cast<Binary>(E.get());
  return B &&
         (B->Op == BinaryOp::Add || B->Op == BinaryOp::Mul ||
          B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem) &&
         holds(B->L) && holds(B->R);
}

} // namespace raise
