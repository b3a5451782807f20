//===- SizeTestTest.cpp - tests of sizes as people write them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/SizeTest.h"
#include "raise/IR/Text.h"
#include "gtest/gtest.h"

using namespace raise;

namespace {

ExprRef variable(const char *Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return build::var(V);
}

/// n + By compared with Than.
std::string test(BinaryOp Op, int64_t By, int64_t Than,
                 const Type &Ty = Type::getI32()) {
  const ExprRef N = variable("n", Ty);
  const ExprRef L = By < 0 ? build::sub(N, build::intConst(-By, Ty))
                           : build::add(N, build::intConst(By, Ty));
  return sourceText(sizeTest(Op, L, build::intConst(Than, Ty)));
}

TEST(SizeTest, OneNumberOfTwo) {
  EXPECT_EQ(test(BinaryOp::GE, -1, 57), "n >= 58");
  EXPECT_EQ(test(BinaryOp::GT, -2, 2), "n > 4");
  EXPECT_EQ(test(BinaryOp::LT, 3, 10), "n < 7");
  EXPECT_EQ(test(BinaryOp::LE, 3, 1), "n <= -2");
  EXPECT_EQ(test(BinaryOp::EQ, -1, 5, Type::getI64()), "n == 6");
}

TEST(SizeTest, SumsOfSeveralNumbers) {
  const ExprRef N = variable("n", Type::getI32()),
                M = variable("m", Type::getI32()), One = build::intConst(1),
                Nine = build::intConst(9);
  EXPECT_EQ(sourceText(sizeTest(BinaryOp::GT,
                                build::sub(build::add(N, Nine), One), Nine)),
            "n > 1");
  EXPECT_EQ(sourceText(sizeTest(BinaryOp::GT, build::sub(build::sub(N, M), One),
                                Nine)),
            "n - m > 10");
  EXPECT_EQ(sourceText(sizeTest(BinaryOp::GT, build::sub(N, M), Nine)),
            "n - m > 9");
  EXPECT_EQ(sourceText(sizeTest(BinaryOp::GT, build::sub(N, One), M)),
            "n - 1 > m");
}

// 0 - 1 is the largest number there.
TEST(SizeTest, UnsignedSumsStay) {
  EXPECT_EQ(test(BinaryOp::GE, -1, 57, Type::getInt(32, false)), "n - 1 >= 57");
  EXPECT_EQ(test(BinaryOp::GE, -1, 57, Type::getInt(64, false)), "n - 1 >= 57");
  EXPECT_EQ(test(BinaryOp::GE, -1, 57, Type::getInt(16, true)), "n - 1 >= 57");
}

TEST(SizeTest, LargeNumbersStay) {
  EXPECT_EQ(test(BinaryOp::GE, -1, 2147483647), "n - 1 >= 2147483647");
  EXPECT_EQ(test(BinaryOp::GE, -2147483647, 1), "n - 2147483647 >= 1");
}

// What the source calls a number by stays.
TEST(SizeTest, NamedNumbersStay) {
  const auto Named = std::make_shared<IntConst>(8, Type::getI32(), "HALO");
  const ExprRef Sum = build::sub(variable("n", Type::getI32()), Named);
  EXPECT_EQ(sourceText(sizeTest(BinaryOp::GE, Sum, build::intConst(64))),
            "n - 8 >= 64");
}

// The same for all values at which the sum fits.
TEST(SizeTest, AgreesWithTheSum) {
  const Type Ty = Type::getI32();
  const auto Holds = [](const ExprRef &E, int64_t N) {
    const auto &B = llvm::cast<Binary>(*E);
    const auto *Sum = llvm::dyn_cast<Binary>(B.L.get());
    int64_t L = N;
    if (Sum) {
      const int64_t By = llvm::cast<IntConst>(*Sum->R).Value;
      L += Sum->Op == BinaryOp::Add ? By : -By;
    }
    const int64_t R = llvm::cast<IntConst>(*B.R).Value;
    switch (B.Op) {
    case BinaryOp::LT:
      return L < R;
    case BinaryOp::LE:
      return L <= R;
    case BinaryOp::GT:
      return L > R;
    default:
      return L >= R;
    }
  };
  const ExprRef N = variable("n", Ty);
  for (BinaryOp Op : {BinaryOp::LT, BinaryOp::LE, BinaryOp::GT, BinaryOp::GE})
    for (int64_t By : {-7, -1, 1, 7})
      for (int64_t Than : {-9, -1, 0, 1, 57}) {
        const ExprRef L = By < 0 ? build::sub(N, build::intConst(-By))
                                 : build::add(N, build::intConst(By));
        const ExprRef R = build::intConst(Than);
        const ExprRef Old = build::binary(Op, L, R), New = sizeTest(Op, L, R);
        EXPECT_TRUE(llvm::isa<VarUse>(*llvm::cast<Binary>(*New).L));
        for (int64_t Middle :
             {int64_t(INT32_MIN) + 80, int64_t(0), int64_t(INT32_MAX) - 80})
          for (int64_t V = Middle - 80; V <= Middle + 80; ++V)
            if (V + By >= INT32_MIN && V + By <= INT32_MAX)
              EXPECT_EQ(Holds(Old, V), Holds(New, V)) << V;
      }
}

} // namespace
