//===- IndexMathTest.cpp - polynomials of index expressions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/IndexMath.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

VarRef makeVar(const char *Name, Type Ty = Type::getI32()) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

TEST(Polynomial, DistributesAndCancels) {
  VarRef A = makeVar("a"), B = makeVar("b");
  ExprRef EA = build::var(A), EB = build::var(B);
  auto L = Polynomial::of(build::mul(build::add(EA, EB), build::sub(EA, EB)));
  auto R = Polynomial::of(build::sub(build::mul(EA, EA), build::mul(EB, EB)));
  ASSERT_TRUE(L && R);
  EXPECT_TRUE(*L == *R);
  EXPECT_TRUE((*L - *R).isZero());
}

TEST(Polynomial, CoefficientsAreThoseOfTheFirstPower) {
  VarRef I = makeVar("i"), W = makeVar("w");
  auto P =
      Polynomial::of(build::add(build::mul(build::var(I), build::var(W)),
                                build::add(build::var(I), build::intConst(7))));
  ASSERT_TRUE(P);
  auto C = P->coefficient(I.get());
  ASSERT_TRUE(C);
  EXPECT_TRUE(*C == Polynomial::variable(W.get()) + Polynomial::constant(1));
  EXPECT_EQ(P->without(I.get()).asConstant(), 7);
  auto Square = Polynomial::of(build::mul(build::var(I), build::var(I)));
  ASSERT_TRUE(Square);
  EXPECT_FALSE(Square->coefficient(I.get()));
}

TEST(Polynomial, SumsOfOthersAreFoundByTheirOwnTerms) {
  VarRef N = makeVar("n"), M = makeVar("m");
  const Polynomial One = Polynomial::constant(1),
                   PN = Polynomial::variable(N.get()),
                   PM = Polynomial::variable(M.get());
  const std::vector<Polynomial> Basis{PN, One};
  using Factors = std::vector<int64_t>;
  EXPECT_EQ(
      (PN * Polynomial::constant(-2) + Polynomial::constant(3)).asSum(Basis),
      (Factors{-2, 3}));
  EXPECT_FALSE((PN + PM).asSum(Basis));
  Polynomial Rest;
  EXPECT_EQ((PN + PM).asSum(Basis, &Rest), (Factors{1, 0}));
  EXPECT_TRUE(Rest == PM);
  // 3 is no multiple of 2, and neither term of n + 1 is its own here.
  EXPECT_FALSE(Polynomial::constant(3).asSum({Polynomial::constant(2)}));
  EXPECT_FALSE(PN.asSum({PN + One, PN, One}));
  EXPECT_EQ(PN.asSum({Polynomial(), PN}), (Factors{0, 1}));
}

TEST(Polynomial, NarrowCastsAreOpaque) {
  ExprRef I = build::var(makeVar("i"));
  EXPECT_TRUE(Polynomial::of(build::cast(I, Type::getI64())));
  EXPECT_TRUE(Polynomial::of(build::cast(I, Type::getInt(32, false))));
  EXPECT_FALSE(Polynomial::of(build::cast(I, Type::getInt(8, false))));
  EXPECT_FALSE(Polynomial::of(build::div(I, build::intConst(2))));
}

} // namespace
