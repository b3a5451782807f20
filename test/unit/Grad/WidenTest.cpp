//===- WidenTest.cpp - a function in double -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Widen.h"
#include "Programs.h"
#include "raise/IR/Text.h"
#include "raise/Verify/Slopes.h"
#include <gtest/gtest.h>
#include <regex>

using namespace raise;
using namespace raise::testing;

TEST(Widen, NothingNarrowIsLeft) {
  const FunctionRef F = functionIn(
      "device @g(a: f32): f32 errno { return @expf(a) * 0.1:f32; }\n"
      "func @f(y: f32*, x: const f32*, c: f64, n: i32): f32 {\n"
      "  array t: f32[2] = {x[0], x[1]};\n  cursor p: x = icast<i64>(n);\n"
      "  let s: f32 = @g(x[p]) + t[0] + @sqrtf(t[1]);\n"
      "  y[0] = cast<f32>(icast<f64>(s) * c);\n  return s;\n}\n",
      "f");
  const FunctionRef W = grad::widened(*F);
  EXPECT_TRUE(verify(*W).empty());
  const std::string Text = textOf(*W);
  EXPECT_EQ(Text.find("f32"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("expf"), std::string::npos) << Text;
  EXPECT_NE(Text.find("@sqrt("), std::string::npos) << Text;
  // The original is as it was.
  EXPECT_NE(textOf(*F).find("@expf"), std::string::npos);
}

/// Differences of a function in float say nothing; of its wide form they do.
TEST(Widen, SlopesOfFloatFunctionsCanBeCompared) {
  for (unsigned Seed = 0; Seed < 100; ++Seed) {
    // The same programs in float, with its literals and functions.
    std::string Narrow = Programs(Seed).program();
    for (auto [From, To] :
         {std::pair("f64", "f32"), std::pair("([0-9]+\\.[0-9]+)", "$1:f32"),
          std::pair("@([a-z]{2,}[0-9]?)\\(", "@$1f(")})
      Narrow = std::regex_replace(Narrow, std::regex(From), To);
    const FunctionRef F = functionIn(Narrow, "f");
    ASSERT_TRUE(F) << Narrow;
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const FunctionRef W = grad::widened(*F);
    ASSERT_TRUE(verify(*W).empty()) << Narrow;
    const grad::Differentiated D = grad::tangentOf(W, All);
    ASSERT_TRUE(D.F);
    std::mt19937_64 Random(Seed);
    SlopeCheck C;
    checkSlopes(*W, D, inputsFor(Random, 2, false), Seed, C);
    EXPECT_EQ(C.Difference, "") << Narrow;
  }
}
