//===- CountsTest.cpp - whether iterations can be counted -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each condition against the sums that a compiler makes of the bounds, at the
// ends of their types, for every loop that does not overflow by itself.
//
//===----------------------------------------------------------------------===//

#include "raise/IR/Counts.h"
#include "raise/IR/Text.h"
#include "gtest/gtest.h"
#include <map>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

namespace {

using Wide = __int128;
using Values = std::map<const Var *, int64_t>;

/// E with its variables' values; Overflows if a part of it leaves its type.
Wide valueOf(const ExprRef &E, const Values &Of, bool &Overflows) {
  if (const auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value;
  if (const auto *U = dyn_cast<VarUse>(E.get()))
    return Of.at(U->V.get());
  if (const auto *C = dyn_cast<Cast>(E.get()))
    return valueOf(C->Operand, Of, Overflows);
  const auto &B = *cast<Binary>(E.get());
  const Wide L = valueOf(B.L, Of, Overflows), R = valueOf(B.R, Of, Overflows);
  Wide V = 0;
  switch (B.Op) {
  case BinaryOp::Add:
    V = L + R;
    break;
  case BinaryOp::Sub:
    V = L - R;
    break;
  case BinaryOp::Mul:
    V = L * R;
    break;
  case BinaryOp::LE:
    return L <= R;
  case BinaryOp::GE:
    return L >= R;
  case BinaryOp::LAnd:
    return L && R;
  default:
    ADD_FAILURE() << "unexpected operator";
  }
  const Wide Most = (Wide(1) << (B.Ty.Bits - 1)) - 1;
  Overflows |= V > Most || V < -Most - 1;
  return V;
}

VarRef variable(const char *Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

struct Loop {
  int64_t Lo, Hi, Step;
  bool LoKnown, StepKnown;
};

/// Checks one loop; whether its condition let it pass.
bool check(const Loop &L, const Type &Ty) {
  const Wide Most = (Wide(1) << (Ty.Bits - 1)) - 1;
  const VarRef Lo = variable("lo", Ty), Hi = variable("hi", Ty),
               Step = variable("s", Ty);
  const Values Of = {{Lo.get(), L.Lo}, {Hi.get(), L.Hi}, {Step.get(), L.Step}};
  const ExprRef Fits = countFits(
      L.LoKnown ? build::intConst(L.Lo, Ty) : build::var(Lo), build::var(Hi),
      L.StepKnown ? build::intConst(L.Step, Ty) : build::var(Step),
      /*FromZero=*/!L.LoKnown && L.Lo >= 0);
  bool Overflows = false;
  if (Fits && !valueOf(Fits, Of, Overflows)) {
    EXPECT_FALSE(Overflows);
    return false;
  }
  EXPECT_FALSE(Overflows);
  if (L.Lo >= L.Hi)
    return true;
  const Wide Count = (Wide(L.Hi) - L.Lo + L.Step - 1) / L.Step;
  const Wide End = L.Lo + Count * L.Step;
  // The loop itself would overflow, or would not end in years.
  if (End > Most || Count > Wide(1) << 50)
    return true;
  EXPECT_LE(Wide(L.Hi) - L.Lo + L.Step - 1, Most)
      << L.Lo << " " << L.Hi << " " << L.Step << " in " << Ty.Bits;
  EXPECT_LE(End - L.Lo + L.Step - 1, Most)
      << L.Lo << " " << L.Hi << " " << L.Step << " in " << Ty.Bits;
  return true;
}

TEST(Counts, AtTheEndsOfTheTypes) {
  for (const Type &Ty : {Type::getI32(), Type::getI64()}) {
    const int64_t Most = Ty.Bits == 32 ? INT32_MAX : INT64_MAX;
    for (int64_t Lo : {int64_t(0), int64_t(1), int64_t(2), int64_t(3),
                       int64_t(6), int64_t(-1), int64_t(-5), -Most / 2})
      for (int64_t Step :
           {int64_t(1), int64_t(2), int64_t(3), int64_t(4), int64_t(5),
            int64_t(7), int64_t(8), int64_t(1000), Most / 4, Most / 2,
            Most / 2 + 2, Most - 6, Most - 1, Most})
        for (int64_t Hi :
             {-Most - 1, int64_t(0), int64_t(3), int64_t(100), Most / 2})
          for (int64_t More = 0; More < 20; ++More)
            for (int Known = 0; Known < 4; ++Known)
              for (int64_t End : {Hi + More, Most - More})
                check({Lo, End, Step, bool(Known & 1), bool(Known & 2)}, Ty);
  }
}

TEST(Counts, LetsUsualLoopsPass) {
  for (const Type &Ty : {Type::getI32(), Type::getI64()})
    for (int64_t Step : {1, 2, 3, 5, 8, 100})
      for (int Known = 0; Known < 4; ++Known)
        EXPECT_TRUE(
            check({0, 1000000, Step, bool(Known & 1), bool(Known & 2)}, Ty));
}

TEST(Counts, PowersOfTwoFromZeroNeedNoTest) {
  const Type I32 = Type::getI32();
  const ExprRef Hi = build::var(variable("n", I32));
  for (int64_t Step : {1, 2, 4, 8, 64})
    EXPECT_EQ(countFits(build::intConst(0, I32), Hi, build::intConst(Step, I32),
                        false),
              nullptr);
  EXPECT_NE(
      countFits(build::intConst(0, I32), Hi, build::intConst(3, I32), false),
      nullptr);
}

TEST(Counts, OfIntsInSixtyFourBitsNeedNoTest) {
  const Type I32 = Type::getI32(), I64 = Type::getI64();
  const auto Wide = [&](const char *Name) {
    return build::cast(build::var(variable(Name, I32)), I64);
  };
  EXPECT_EQ(countFits(build::intConst(1, I64), Wide("n"), Wide("s"), false),
            nullptr);
  EXPECT_EQ(countFits(Wide("lo"), Wide("n"), Wide("s"), false), nullptr);
  EXPECT_NE(
      countFits(Wide("lo"), build::var(variable("n", I64)), Wide("s"), false),
      nullptr);
  // What is wide is tested alone: compilers warn of a test that always holds.
  const ExprRef OfEnd =
      countFits(build::intConst(1, I64), build::var(variable("n", I64)),
                Wide("s"), false);
  ASSERT_TRUE(OfEnd);
  EXPECT_EQ(sourceText(OfEnd), "n <= 2305843009213693951");
  const ExprRef OfStep = countFits(build::intConst(1, I64), Wide("n"),
                                   build::var(variable("s", I64)), false);
  ASSERT_TRUE(OfStep);
  EXPECT_EQ(sourceText(OfStep), "s <= 2305843009213693951");
}

TEST(Counts, CountersThatAreNotNegative) {
  const Type I32 = Type::getI32(), U32 = Type::getInt(32, false);
  const auto Number = [&](int64_t V) { return build::intConst(V, I32); };
  const VarRef I = variable("i", I32), J = variable("j", I32),
               N = variable("n", I32), K = variable("k", I32),
               U = variable("u", U32);
  NotNegative C;
  C.enter({I, Number(0), build::var(N), Number(1), IterKind::Serial});
  C.enter({J, build::add(build::var(I), Number(1)), build::var(N), Number(1),
           IterKind::Serial});
  C.enter({K, build::var(N), Number(7), Number(1), IterKind::Serial});
  EXPECT_TRUE(C.holds(build::var(I)));
  EXPECT_TRUE(C.holds(build::mul(build::var(J), build::var(I))));
  EXPECT_TRUE(C.holds(build::cast(build::var(J), Type::getI64())));
  EXPECT_FALSE(C.holds(build::var(N)));
  EXPECT_FALSE(C.holds(build::var(K)));
  EXPECT_FALSE(C.holds(build::sub(build::var(J), build::var(I))));
  EXPECT_FALSE(C.holds(build::cast(build::var(U), I32)));
  EXPECT_TRUE(C.holds(build::cast(build::var(U), Type::getI64())));
}

TEST(Counts, LoopsThatRunDownEndAtTheirBound) {
  const Type I32 = Type::getI32();
  const auto Loop = [&](const VarRef &V, BinaryOp Cond, int64_t Lo, int64_t Hi,
                        int64_t Step) {
    return For(V, build::intConst(Lo, I32), Cond, build::intConst(Hi, I32),
               build::intConst(Step, I32), LoopKind::Serial, true,
               makeBlock({}));
  };
  const VarRef I = variable("i", I32), J = variable("j", I32),
               K = variable("k", I32);
  NotNegative C;
  C.enter(Loop(I, BinaryOp::GE, 9, 0, -1));
  C.enter(Loop(J, BinaryOp::GT, 9, -5, -1));
  C.enter(Loop(K, BinaryOp::LT, 9, 0, -1));
  EXPECT_TRUE(C.holds(build::var(I)));
  EXPECT_FALSE(C.holds(build::var(J)));
  EXPECT_FALSE(C.holds(build::var(K)));
}

} // namespace
