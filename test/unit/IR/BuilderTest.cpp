//===- BuilderTest.cpp - folding of the short constructors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"
#include "raise/IR/Math.h"
#include <climits>

using namespace raise;
using namespace raise::test;
using namespace raise::build;

namespace {

const Type I32 = Type::getI32(), I64 = Type::getI64(),
           U8 = Type::getInt(8, false), U32 = Type::getInt(32, false),
           U64 = Type::getInt(64, false), F32 = Type::getFloat(32);

std::string text(const ExprRef &E) { return toString(E); }

TEST(Builder, FoldsIntegersThatDoNotOverflow) {
  EXPECT_EQ(text(add(intConst(2), intConst(3))), "5");
  EXPECT_EQ(text(sub(intConst(2), intConst(3))), "-1");
  EXPECT_EQ(text(mul(intConst(-4), intConst(3))), "-12");
  EXPECT_EQ(text(div(intConst(-7), intConst(2))), "-3");
  EXPECT_EQ(text(rem(intConst(-7), intConst(2))), "-1");
  EXPECT_EQ(text(lt(intConst(-7), intConst(2))), "true");
}

TEST(Builder, KeepsSignedOverflow) {
  EXPECT_EQ(text(add(intConst(INT_MAX), intConst(1))), "2147483647 + 1");
  EXPECT_EQ(text(sub(intConst(INT_MIN), intConst(1))), "-2147483648 - 1");
  EXPECT_EQ(text(mul(intConst(INT64_MAX, I64), intConst(2, I64))),
            "9223372036854775807:i64 * 2:i64");
  EXPECT_EQ(text(div(intConst(INT_MIN), intConst(-1))), "-2147483648 / -1");
  EXPECT_EQ(text(rem(intConst(INT_MIN), intConst(-1))), "-2147483648 % -1");
  EXPECT_EQ(text(unary(UnaryOp::Neg, intConst(INT_MIN))), "-(-2147483648)");
}

TEST(Builder, WrapsUnsigned) {
  EXPECT_EQ(text(add(intConst(-1, U32), intConst(2, U32))), "1:u32");
  EXPECT_EQ(text(sub(intConst(0, U8), intConst(1, U8))), "255:u8");
  EXPECT_EQ(text(mul(intConst(-1, U64), intConst(-1, U64))), "1:u64");
  EXPECT_EQ(text(unary(UnaryOp::Neg, intConst(1, U32))), "4294967295:u32");
  EXPECT_EQ(text(lt(intConst(-1, U64), intConst(1, U64))), "false");
}

TEST(Builder, KeepsDivisionByZero) {
  EXPECT_EQ(text(div(intConst(1), intConst(0))), "1 / 0");
  EXPECT_EQ(text(rem(intConst(1, U32), intConst(0, U32))), "1:u32 % 0:u32");
}

TEST(Builder, FoldsShiftsOnlyInsideTheWidth) {
  EXPECT_EQ(text(binary(BinaryOp::Shl, intConst(3), intConst(4))), "48");
  EXPECT_EQ(text(binary(BinaryOp::Shl, intConst(1), intConst(32))), "1 << 32");
  EXPECT_EQ(text(binary(BinaryOp::Shl, intConst(1), intConst(31))), "1 << 31");
  EXPECT_EQ(text(binary(BinaryOp::Shr, intConst(1), intConst(-1))), "1 >> -1");
  EXPECT_EQ(text(binary(BinaryOp::Shr, intConst(-8), intConst(1))), "-4");
  EXPECT_EQ(text(binary(BinaryOp::Shl, intConst(200, U8), intConst(1))),
            "144:u8");
}

TEST(Builder, SimplifiesIdentities) {
  ExprRef X = var(makeVar("x"));
  EXPECT_EQ(add(X, intConst(0)), X);
  EXPECT_EQ(add(intConst(0), X), X);
  EXPECT_EQ(sub(X, intConst(0)), X);
  EXPECT_EQ(mul(X, intConst(1)), X);
  EXPECT_EQ(mul(intConst(1), X), X);
  EXPECT_EQ(div(X, intConst(1)), X);
  EXPECT_EQ(text(mul(X, intConst(0))), "x * 0");
  EXPECT_EQ(text(sub(intConst(0), X)), "0 - x");
}

TEST(Builder, LeavesFloatingArithmeticAlone) {
  ExprRef X = var(makeVar("x", F32));
  EXPECT_EQ(text(add(X, floatConst(0, F32))), "x + 0.0:f32");
  EXPECT_EQ(text(mul(floatConst(2, F32), floatConst(3, F32))),
            "2.0:f32 * 3.0:f32");
}

TEST(Builder, NeverDropsWhatMayTrapOnTheLeft) {
  VarRef N = makeVar("n");
  ExprRef Trap = lt(div(intConst(1), var(N)), intConst(2));
  EXPECT_EQ(text(logicalAnd(Trap, boolConst(false))), "1 / n < 2 && false");
  EXPECT_EQ(logicalAnd(Trap, boolConst(true)), Trap);
  EXPECT_EQ(text(logicalAnd(boolConst(false), Trap)), "false");
  EXPECT_EQ(logicalAnd(nullptr, Trap), Trap);
  EXPECT_EQ(logicalAnd(Trap, nullptr), Trap);
  EXPECT_EQ(logicalNot(logicalNot(Trap)), Trap);
}

TEST(Builder, CastsConstantsOnlyWhereTheValueStays) {
  EXPECT_EQ(text(cast(intConst(5), I64)), "5:i64");
  EXPECT_EQ(text(cast(intConst(-1), U64)), "icast<u64>(-1)");
  EXPECT_EQ(text(cast(intConst(300), U8)), "icast<u8>(300)");
  EXPECT_EQ(text(cast(intConst(5), I64, /*Implicit=*/false)), "cast<i64>(5)");
  ExprRef X = var(makeVar("x"));
  EXPECT_EQ(cast(X, I32), X);
}

TEST(Builder, RoundsAndExtendsConstants) {
  EXPECT_EQ(llvm::cast<IntConst>(*intConst(-1, U32)).Value, 4294967295);
  EXPECT_EQ(llvm::cast<IntConst>(*intConst(255, Type::getInt(8))).Value, -1);
  EXPECT_EQ(llvm::cast<FloatConst>(*floatConst(0.1, F32)).Value, double(0.1f));
}

TEST(Math, KnowsSignaturesAndErrno) {
  CalleeRef Expf = knownMathCallee("expf");
  ASSERT_TRUE(Expf);
  EXPECT_EQ(Expf->Result, F32);
  EXPECT_TRUE(Expf->SetsErrno);
  EXPECT_EQ(knownMathCallee("expf"), Expf);
  EXPECT_FALSE(knownMathCallee("fabs")->SetsErrno);
  EXPECT_EQ(knownMathCallee("fma")->Params.size(), 3u);
  EXPECT_EQ(knownMathCallee("ldexpf")->Params[1], I32);
  EXPECT_EQ(knownMathCallee("lround")->Result, I64);
  EXPECT_EQ(knownMathCallee("abs")->Result, I32);
  EXPECT_FALSE(knownMathCallee("absf"));
  EXPECT_FALSE(knownMathCallee("frexp"));
  EXPECT_FALSE(knownMathCallee(""));
}

} // namespace
