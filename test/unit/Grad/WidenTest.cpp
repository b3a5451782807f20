//===- WidenTest.cpp - a function in double -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Widen.h"
#include "Programs.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
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

/// What overlaps is told by the size of the elements, and what runs where it
/// does is widened too.
TEST(Widen, GuardsAndWhatStandsBehindThem) {
  const FunctionRef F =
      functionIn("func @f(y: f32*, x: const f32*, n: i32) {\n"
                 "  region {\n"
                 "    guard disjoint (y: 0:i64 .. icast<i64>(n), x: 0:i64 .. "
                 "icast<i64>(n)) \"they may overlap\"\n"
                 "    body {\n      y[0] = x[0];\n    }\n"
                 "    original {\n      y[0] = x[0];\n    }\n  }\n}\n",
                 "f");
  ASSERT_TRUE(F);
  const FunctionRef W = grad::widened(*F);
  ASSERT_TRUE(verify(*W).empty());
  EXPECT_EQ(textOf(*W).find("f32"), std::string::npos) << textOf(*W);
  const Region *R = nullptr;
  forEachStmt(W->Body, [&](const StmtRef &S) {
    if (auto *Reg = llvm::dyn_cast<Region>(S.get()))
      R = Reg;
  });
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Rests.Guards[0].A.Buf, W->Params[0].Buf);
  EXPECT_EQ(R->Rests.Guards[0].B.Buf, W->Params[1].Buf);
  for (const StmtRef &S : {R->Body, R->Original})
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *St = llvm::dyn_cast<Store>(Sub.get()))
        EXPECT_EQ(St->To.Buf, W->Params[0].Buf);
    });
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
