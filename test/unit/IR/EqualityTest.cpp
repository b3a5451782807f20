//===- EqualityTest.cpp - structural equality -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"

using namespace raise;
using namespace raise::test;
using namespace raise::build;

namespace {

const Type F32 = Type::getFloat(32), F64 = Type::getFloat(64);

TEST(Equality, VariablesAreIdentities) {
  VarRef A = makeVar("x"), B = makeVar("x");
  EXPECT_TRUE(structurallyEqual(var(A), var(A)));
  EXPECT_FALSE(structurallyEqual(var(A), var(B)));
  BufferRef P = makeBuffer("p"), Q = makeBuffer("p");
  EXPECT_TRUE(sameAccess({P, {var(A)}, {}, ""}, {P, {var(A)}, {}, ""}));
  EXPECT_FALSE(sameAccess({P, {var(A)}, {}, ""}, {Q, {var(A)}, {}, ""}));
  EXPECT_FALSE(sameAccess({P, {var(A)}, {}, "x"}, {P, {var(A)}, {}, "y"}));
  EXPECT_FALSE(sameAccess({P, {var(A), var(A)}, {var(A)}, ""},
                          {P, {var(A), var(A)}, {var(B)}, ""}));
}

TEST(Equality, SpellingAndImplicitnessTakeNoPart) {
  ExprRef X = var(makeVar("x"));
  EXPECT_TRUE(structurallyEqual(cast(X, F32, true), cast(X, F32, false)));
  EXPECT_TRUE(structurallyEqual(
      IntConst(31, Type::getI32(), "0x1f"),
      IntConst(31, Type::getInt(32, true, "dim_t"), "", {"f", 1, 2})));
}

TEST(Equality, TypesAndValuesDo) {
  EXPECT_FALSE(structurallyEqual(intConst(1), intConst(1, Type::getI64())));
  EXPECT_FALSE(structurallyEqual(floatConst(1, F32), floatConst(1, F64)));
  EXPECT_FALSE(structurallyEqual(floatConst(0.0, F32), floatConst(-0.0, F32)));
  ExprRef NaN = floatConst(__builtin_nan(""), F32);
  EXPECT_TRUE(structurallyEqual(NaN, floatConst(__builtin_nan(""), F32)));
  EXPECT_TRUE(structurallyEqual(ExprRef(), ExprRef()));
  EXPECT_FALSE(structurallyEqual(ExprRef(), NaN));
}

bool sameText(llvm::StringRef A, llvm::StringRef B) {
  return structurallyEqual(*parse(A), *parse(B));
}

TEST(Equality, FunctionsUpToNames) {
  const char *Base = "func @f(n: i32) { for (i: i32 = 0; i < n; i += 1) "
                     "{ n = i; } }";
  EXPECT_TRUE(sameText(Base, "func @f(m: i32) { for (k: i32 = 0; k < m; "
                             "k += 1) { m = k; } }"));
  EXPECT_FALSE(sameText(Base, "func @f(n: i32) { for (i: i32 = 0; i < n; "
                              "i += 1) { n = n; } }"));
  EXPECT_FALSE(sameText(Base, "func @f(n: i32) { parallel for (i: i32 = 0; "
                              "i < n; i += 1) { n = i; } }"));
  EXPECT_FALSE(sameText(Base, "func @g(n: i32) { for (i: i32 = 0; i < n; "
                              "i += 1) { n = i; } }"));
}

TEST(Equality, TwoVariablesNeverMatchOne) {
  EXPECT_FALSE(sameText("func @f(a: i32, b: i32) { a = b; }",
                        "func @f(a: i32, b: i32) { a = a; }"));
  EXPECT_FALSE(sameText("func @f(a: i32, b: i32) { a = a; }",
                        "func @f(a: i32, b: i32) { a = b; }"));
}

} // namespace
