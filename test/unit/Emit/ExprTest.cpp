//===- ExprTest.cpp - which casts and parentheses are printed -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/OpenMP.h"
#include "raise/IR/Text.h"
#include "gtest/gtest.h"

using namespace raise;

namespace {

/// What the expression after `return` in IR text prints as.
std::string printed(const std::string &Type, const std::string &Expr) {
  std::string Text =
      "func @f(a: i32, b: i32, u: u32, v: u32, l: i64, c: i8, d: u8, x: f32, "
      "y: f64, p: f32*, q: bool, m: f64[][7], r: f32&): " +
      Type + " { return " + Expr + "; }";
  auto Functions = parseIR(Text, "test");
  if (!Functions)
    return "error: " + llvm::toString(Functions.takeError());
  const StmtRef &Body = Functions->front()->Body;
  return emitExpr(llvm::cast<Return>(statements(Body)[0].get())->Value);
}

TEST(EmitExpr, GroupsAsTheSourceDid) {
  EXPECT_EQ(printed("i32", "a - (b - a)"), "a - (b - a)");
  EXPECT_EQ(printed("i32", "a - b - a"), "a - b - a");
  EXPECT_EQ(printed("i32", "(a + b) * a"), "(a + b) * a");
  EXPECT_EQ(printed("f32", "x + (x + x)"), "x + (x + x)");
  EXPECT_EQ(printed("i32", "a * (b / a)"), "a * (b / a)");
  EXPECT_EQ(printed("i32", "-(-a)"), "-(-a)");
}

TEST(EmitExpr, AddsTheParenthesesThatCompilersAskFor) {
  EXPECT_EQ(printed("bool", "a < b || a > 3 && q"), "a < b || (a > 3 && q)");
  EXPECT_EQ(printed("i32", "a << (b + 1)"), "a << (b + 1)");
  EXPECT_EQ(printed("i32", "a & (b + 1)"), "a & (b + 1)");
  EXPECT_EQ(printed("i32", "a & b | a"), "(a & b) | a");
}

TEST(EmitExpr, LeavesConversionsToC) {
  EXPECT_EQ(printed("f32", "x * icast<f32>(a)"), "x * a");
  EXPECT_EQ(printed("i64", "l + icast<i64>(a)"), "l + a");
  EXPECT_EQ(printed("f64", "icast<f64>(x) + y"), "x + y");
  EXPECT_EQ(printed("i32", "icast<i32>(c) + icast<i32>(d)"), "c + d");
  EXPECT_EQ(printed("f32", "p[a * b]"), "p[a * b]");
}

TEST(EmitExpr, ComparesWithConstantsAsTheSourceDid) {
  EXPECT_EQ(printed("bool", "x > icast<f32>(0)"), "x > 0");
  EXPECT_EQ(printed("bool", "y != icast<f64>(3)"), "y != 3");
  EXPECT_EQ(printed("bool", "x < icast<f32>(a)"), "x < a");
  // 2^24 + 1 is no float: without a conversion C makes it one all the same.
  EXPECT_EQ(printed("bool", "x == icast<f32>(16777217)"), "x == 16777217");
}

TEST(EmitExpr, ConvertsArgumentsWhereAnOverloadDependsOnThem) {
  EXPECT_EQ(printed("f32", "@powf(x, icast<f32>(a))"), "powf(x, a)");
  EXPECT_EQ(printed("f64", "@pow(y, icast<f64>(a))"), "pow(y, a)");
  EXPECT_EQ(printed("f64", "@pow(icast<f64>(x), icast<f64>(x))"),
            "pow((double)x, (double)x)");
}

TEST(EmitExpr, ConvertsSubscriptsOfPlainCharOnly) {
  EXPECT_EQ(printed("f32", "p[icast<i32>(c)]"), "p[(int)c]");
  EXPECT_EQ(printed("f32", "p[icast<i32>(d)]"), "p[d]");
}

TEST(EmitExpr, WritesConversionsThatCWouldNotMake) {
  EXPECT_EQ(printed("i64", "icast<i64>(a) * icast<i64>(b)"),
            "(long long)a * b");
  EXPECT_EQ(printed("f32", "icast<f32>(y) * x"), "(float)y * x");
  EXPECT_EQ(printed("f32", "icast<f32>(a) / icast<f32>(b)"), "(float)a / b");
  EXPECT_EQ(printed("i32", "icast<i32>(u) / a"), "(int)u / a");
  EXPECT_EQ(printed("f32", "p[cast<i32>(icast<u8>(a))]"),
            "p[(int)(unsigned char)a]");
  // A narrowing inside a wider sum may not get lost.
  EXPECT_EQ(printed("i32", "icast<i32>(icast<i8>(a)) + b"),
            "(signed char)a + b");
}

TEST(EmitExpr, ComparesWithoutSignWarnings) {
  EXPECT_EQ(printed("bool", "icast<u32>(a) < u"), "(unsigned)a < u");
  EXPECT_EQ(printed("bool", "icast<i64>(a) >= 0:i64"), "a >= 0");
  EXPECT_EQ(printed("bool", "u > 3:u32"), "u > 3");
  EXPECT_EQ(printed("bool", "icast<i64>(u) < icast<i64>(a)"),
            "(long long)u < a");
}

TEST(EmitExpr, TestsForNonZero) {
  EXPECT_EQ(printed("bool", "icast<bool>(a) && q"), "a && q");
  EXPECT_EQ(printed("bool", "icast<bool>(a * b) && q"), "a * b != 0 && q");
  EXPECT_EQ(printed("bool", "!(a == b)"), "a != b");
  EXPECT_EQ(printed("bool", "!(x < x)"), "!(x < x)"); // NaN
  EXPECT_EQ(printed("bool", "nonnull(p) && q"), "p != nullptr && q");
}

TEST(EmitExpr, SpellsConstants) {
  EXPECT_EQ(printed("f32", "0.1:f32"), "0.1f");
  EXPECT_EQ(printed("f64", "1.0"), "1.0");
  EXPECT_EQ(printed("f64", "1.0e300"), "1e+300");
  EXPECT_EQ(printed("f32", "-inf:f32"), "-__builtin_inff()");
  EXPECT_EQ(printed("i64", "5000000000:i64"), "5000000000LL");
  EXPECT_EQ(printed("u32", "4294967295:u32"), "4294967295U");
  EXPECT_EQ(printed("i32", "-2147483648"), "(-2147483647 - 1)");
  EXPECT_EQ(printed("i32", "a + -1"), "a - 1");
}

TEST(EmitExpr, PrintsAccesses) {
  EXPECT_EQ(printed("f64", "m[a, b + 1]"), "m[a][b + 1]");
  EXPECT_EQ(printed("f32", "r[0]"), "r");
  EXPECT_EQ(printed("f32", "p{a, b}[1, a, b]"), "p[(a + a) * b + b]");
}

TEST(EmitExpr, CallsWithTheTypesThatChoseTheOverload) {
  EXPECT_EQ(printed("f32", "@sqrtf(x)"), "sqrtf(x)");
  EXPECT_EQ(printed("f64", "@sqrt(y)"), "sqrt(y)");
  // sqrt(x) would be the float overload in C++.
  EXPECT_EQ(printed("f64", "@sqrt(icast<f64>(x))"), "sqrt((double)x)");
  EXPECT_EQ(printed("f64", "@pow(y, icast<f64>(a))"), "pow(y, a)");
}

} // namespace
