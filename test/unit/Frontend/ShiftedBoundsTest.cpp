//===- ShiftedBoundsTest.cpp - as often as the loop that tests a sum ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each plain bound against the loop that it stands for, at the ends of the
// types, with the arithmetic of C: loops in which something signed overflows
// say nothing, and the bound may not overflow where its loop does not.
//
//===----------------------------------------------------------------------===//

#include "ShiftedBounds.h"
#include "gtest/gtest.h"
#include <map>

using namespace raise;
using namespace raise::lifting;
using llvm::cast;
using llvm::dyn_cast;

namespace {

using Wide = __int128;

struct Machine {
  std::map<const Var *, Wide> Values;
  bool Overflows = false;

  Wide in(const Type &Ty, Wide V) {
    if (Ty.isBool())
      return V != 0;
    const Wide Size = Wide(1) << Ty.Bits;
    const Wide Least = Ty.Signed ? -(Size / 2) : 0;
    if (V >= Least && V < Least + Size)
      return V;
    Overflows |= Ty.Signed;
    Wide Rest = (V - Least) % Size;
    return Least + (Rest < 0 ? Rest + Size : Rest);
  }

  Wide of(const ExprRef &E) {
    if (const auto *C = dyn_cast<IntConst>(E.get()))
      return E->Ty.Signed || C->Value >= 0
                 ? Wide(C->Value)
                 : Wide(C->Value) + (Wide(1) << E->Ty.Bits);
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      return Values.at(U->V.get());
    if (const auto *S = dyn_cast<Select>(E.get()))
      return of(S->Cond) ? of(S->True) : of(S->False);
    if (const auto *C = dyn_cast<Cast>(E.get())) {
      const bool Before = Overflows;
      const Wide V = of(C->Operand);
      const bool Inside = Overflows;
      const Wide Result = in(C->Ty, V);
      Overflows = Before || Inside; // a conversion is defined
      return Result;
    }
    const auto &B = *cast<Binary>(E.get());
    return binary(B.Op, of(B.L), of(B.R), B.Ty);
  }

  Wide binary(BinaryOp Op, Wide L, Wide R, const Type &Ty) {
    switch (Op) {
    case BinaryOp::Add:
      return in(Ty, L + R);
    case BinaryOp::Sub:
      return in(Ty, L - R);
    case BinaryOp::LT:
      return L < R;
    case BinaryOp::LE:
      return L <= R;
    case BinaryOp::GT:
      return L > R;
    case BinaryOp::GE:
      return L >= R;
    default:
      ADD_FAILURE() << "another operator";
      return 0;
    }
  }
};

/// The iterations of `for (v = lo; left op hi; v += step)`; -1 for more than
/// 50, -2 for an overflow.
int runs(const VarRef &V, const ExprRef &Lo, const ExprRef &Left, BinaryOp Op,
         const ExprRef &Hi, int64_t Step, Machine M) {
  M.Values[V.get()] = M.of(Lo);
  for (int Count = 0; Count <= 50; ++Count) {
    const Wide L = M.of(Left), R = M.of(Hi);
    const bool Goes = M.binary(Op, L, R, Type::getBool()) != 0;
    if (M.Overflows)
      return -2;
    if (!Goes)
      return Count;
    M.Values[V.get()] = M.in(V->Ty, M.Values[V.get()] + Step);
  }
  return -1;
}

VarRef variable(const char *Name, Type Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = std::move(Ty);
  return V;
}

struct Case {
  Type Counter, Bound;
  int64_t Lo, Shift, Step;
  BinaryOp Op;
};

/// Whether there is a plain bound; it runs as often for all values of n.
bool check(const Case &C, bool Names = false) {
  const VarRef V = variable("i", C.Counter), N = variable("n", C.Bound),
               K = variable("k", C.Counter);
  const ExprRef Lo = build::intConst(C.Lo, C.Counter);
  const ExprRef By =
      Names ? build::var(K) : build::intConst(std::abs(C.Shift), C.Counter);
  const ExprRef Sum = C.Shift < 0 ? build::sub(build::var(V), By)
                                  : build::add(build::var(V), By);
  const ExprRef Left = build::cast(Sum, C.Bound);
  const auto Plain =
      plainBound({Left, C.Op, build::var(N), V, Lo, C.Step == 1});
  if (!Plain)
    return false;
  const Wide Size = Wide(1) << C.Bound.Bits;
  const Wide Least = C.Bound.Signed ? -(Size / 2) : 0, Most = Least + Size - 1;
  for (const Wide From : {Least, Wide(-30), Wide(0), Most - 60})
    for (Wide At = From; At < From + 61; ++At) {
      if (At < Least || At > Most)
        continue;
      Machine M;
      M.Values[N.get()] = At;
      M.Values[K.get()] = std::abs(C.Shift);
      const int Before = runs(V, Lo, Left, C.Op, build::var(N), C.Step, M);
      const int After = runs(V, Lo, build::cast(build::var(V), Plain->Hi->Ty),
                             Plain->Op, Plain->Hi, C.Step, M);
      if (Before != -2)
        EXPECT_EQ(After, Before)
            << "n = " << int64_t(At) << ", from " << C.Lo << " by " << C.Step
            << ", shift " << C.Shift << ", " << C.Counter.Bits << " in "
            << C.Bound.Bits;
    }
  return true;
}

TEST(ShiftedBounds, RunAsOften) {
  const Type I32 = Type::getI32(), I64 = Type::getI64(),
             U32 = Type::getInt(32, false), U64 = Type::getInt(64, false);
  unsigned Found = 0;
  for (const auto &[Counter, Bound] : {std::pair(I32, I32),
                                       {I32, I64},
                                       {I32, U32},
                                       {I32, U64},
                                       {I64, I64},
                                       {U32, U32},
                                       {U32, U64},
                                       {U32, I64},
                                       {U64, U64},
                                       {I64, U64}})
    for (const int64_t Lo : {0, 1, 5, -3})
      for (const int64_t Shift : {0, 1, 2, 7, -1, -4})
        for (const int64_t Step : {1, 3, -1})
          for (const BinaryOp Op :
               {BinaryOp::LT, BinaryOp::LE, BinaryOp::GT, BinaryOp::GE})
            Found += check({Counter, Bound, Lo, Shift, Step, Op});
  // Every sum of ints, and those of others that only go up.
  EXPECT_GE(Found, 4u * 6 * 3 * 4);
}

TEST(ShiftedBounds, ByWhatAVariableHolds) {
  for (const int64_t Shift : {1, 7, -4})
    for (const int64_t Step : {1, 3, -1})
      EXPECT_TRUE(check({Type::getI32(), Type::getI32(), 0, Shift, Step,
                         Step > 0 ? BinaryOp::LT : BinaryOp::GE},
                        /*Names=*/true));
}

TEST(ShiftedBounds, UsualLoopsHaveOne) {
  const Type I32 = Type::getI32(), U64 = Type::getInt(64, false);
  EXPECT_TRUE(check({I32, I32, 0, 1, 1, BinaryOp::LT}));
  EXPECT_TRUE(check({I32, I32, 0, 3, 4, BinaryOp::LT}));
  EXPECT_TRUE(check({U64, U64, 0, 1, 1, BinaryOp::LT}));
  EXPECT_TRUE(check({U64, U64, 0, 1, 1, BinaryOp::LE}));
  EXPECT_TRUE(check({I32, U64, 0, 1, 1, BinaryOp::LT}));
  // It may wrap.
  EXPECT_FALSE(check({U64, U64, 0, 1, 2, BinaryOp::LT}));
  EXPECT_FALSE(check({U64, U64, 0, -1, 1, BinaryOp::LT}));
}

} // namespace
