//===- TangentTest.cpp - forward mode -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Tangent.h"
#include "Programs.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Verify/ManyDirections.h"
#include "raise/Verify/Slopes.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

static std::string reasons(const grad::Differentiated &D) {
  std::string Text;
  for (const Reason &R : D.Refused)
    Text += std::to_string(R.Loc.Line) + ": " + R.Text + " [" + R.Code + "]\n";
  return Text;
}

/// What the differentiation of function f of Text is refused for.
static std::string refusal(const std::string &Text, grad::Request Asked = {}) {
  const FunctionRef F = functionIn(Text, "f");
  if (!F)
    return "";
  const grad::Differentiated D = grad::tangentOf(F, Asked);
  EXPECT_EQ(D.F == nullptr, !D.Refused.empty());
  return reasons(D);
}

TEST(Tangent, AgreesWithDifferencesOnRandomPrograms) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  const unsigned Count = Asked ? std::atoi(Asked) : 400;
  SlopeCheck Total;
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    const std::string Text = Programs(Seed).program();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const grad::Differentiated D = grad::tangentOf(F, All);
    ASSERT_TRUE(D.F) << reasons(D) << Text;
    for (const std::string &Problem : verify(*D.F))
      ADD_FAILURE() << Problem << textOf(*D.F);
    // The text of a tangent is a program like any other.
    ASSERT_TRUE(functionIn(textOf(*D.F), "f_tangent"));
    std::mt19937_64 Random(Seed);
    for (unsigned Run = 0; Run < 4; ++Run)
      checkSlopes(*F, D, inputsFor(Random, Run, Run == 3), Run, Total);
    ASSERT_EQ(Total.Difference, "") << "seed " << Seed << "\n"
                                    << Text << textOf(*D.F);
  }
  EXPECT_GT(Total.Compared, 20 * Count);
  EXPECT_GT(Total.NonZero, 15 * Count);
  EXPECT_LT(Total.Kinks, Total.Compared / 20);
  EXPECT_LT(Total.Unusable, Total.Compared / 20);
}

TEST(Tangent, DirectionsAtOnceAreThoseOneByOne) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  const unsigned Count = Asked ? std::atoi(Asked) : 200;
  ManyDirectionsCheck Total;
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    const std::string Text = Programs(Seed).program();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const grad::Differentiated One = grad::tangentOf(F, All);
    All.Directions = 2 + Seed % 3;
    const grad::Differentiated Many = grad::tangentOf(F, All);
    ASSERT_TRUE(One.F && Many.F) << reasons(Many) << Text;
    for (const std::string &Problem : verify(*Many.F))
      ADD_FAILURE() << Problem << textOf(*Many.F);
    ASSERT_TRUE(functionIn(textOf(*Many.F), "f_tangent"));
    std::mt19937_64 Random(Seed);
    for (unsigned Run = 0; Run < 4; ++Run)
      checkManyDirections(*F, One, Many, inputsFor(Random, Run, Run == 3), Run,
                          Total);
    ASSERT_EQ(Total.Difference, "") << "seed " << Seed << "\n"
                                    << Text << textOf(*Many.F);
  }
  EXPECT_GT(Total.Compared, 100 * Count);
  EXPECT_GT(Total.NonZero, 50 * Count);
}

/// The judge itself: a tangent that is wrong in one term must be found.
TEST(Tangent, DifferencesFindAWrongTangent) {
  const std::string Text =
      "func @f(y: f64*, z: f64*, x: const f64*, k: const i32*, a: f64, b: f64, "
      "n: i32): f64 { y[0] = a * x[0]; return y[0] * b; }\n";
  const FunctionRef F = functionIn(Text, "f");
  grad::Request All;
  All.Wrt = {"x", "a", "b"};
  All.Of = {"return", "y"};
  grad::Differentiated D = grad::tangentOf(F, All);
  ASSERT_TRUE(D.F);
  std::string Wrong = textOf(*D.F);
  const std::string Term = " + a * x_tan[0]";
  ASSERT_NE(Wrong.find(Term), std::string::npos) << Wrong;
  Wrong.erase(Wrong.find(Term), Term.size());
  std::mt19937_64 Random(1);
  const interp::Inputs In = inputsFor(Random, 2, false);
  SlopeCheck Right, Bad;
  checkSlopes(*F, D, In, 1, Right);
  EXPECT_EQ(Right.Difference, "");
  D.F = functionIn(Wrong, "f_tangent");
  checkSlopes(*F, D, In, 1, Bad);
  EXPECT_NE(Bad.Difference, "");
}

TEST(Tangent, ReadsAsAPersonWouldWrite) {
  const FunctionRef F = functionIn("func @f(y: f64*, x: const f64*, n: i32) {\n"
                                   "  for (i: i32 = 0; i < n; i += 1) {\n"
                                   "    let d: f64 = x[i] - 1.0;\n"
                                   "    y[i] = d * d;\n"
                                   "    y[i] /= 2.0;\n"
                                   "  }\n}\n",
                                   "f");
  const grad::Differentiated D = grad::tangentOf(F, {});
  ASSERT_TRUE(D.F) << reasons(D);
  const std::string Text = textOf(*D.F);
  EXPECT_NE(Text.find("let d_tan: f64 = x_tan[i];"), std::string::npos) << Text;
  EXPECT_NE(Text.find("y_tan[i] = icast<f64>(2) * d * d_tan;"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("y_tan[i] /= 2.0;"), std::string::npos) << Text;
}

TEST(Tangent, CallsAreNotRepeated) {
  const FunctionRef F = functionIn("func @f(a: f64, b: f64): f64 {\n"
                                   "  let s: f64 = @tanh(a * b) * a * a;\n"
                                   "  s *= @exp(s);\n"
                                   "  return a > 0.0 ? @tan(a) : s;\n}\n",
                                   "f");
  const grad::Differentiated D = grad::tangentOf(F, {});
  ASSERT_TRUE(D.F) << reasons(D);
  const std::string Text = textOf(*D.F);
  EXPECT_NE(Text.find("let tanh_value: const f64 = @tanh(a * b);"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("s_tan = s_tan * exp_value + s * (exp_value * s_tan);"),
            std::string::npos)
      << Text;
  // What only one branch needs is not computed ahead.
  EXPECT_EQ(Text.find("tan_value: const f64 = @tan("), std::string::npos)
      << Text;
  // Equal factors make one term.
  EXPECT_NE(Text.find("icast<f64>(2) * tanh_value * a * a_tan"),
            std::string::npos)
      << Text;
}

TEST(Tangent, OnlyWhatIsActiveHasATangent) {
  const FunctionRef F =
      functionIn("func @f(y: f64* restrict, x: const f64* restrict, w: const "
                 "f64*, c: f64) {\n"
                 "  let scale: f64 = w[0] * c;\n"
                 "  let unused: f64 = x[0] * c;\n"
                 "  y[0] = scale * x[0];\n  y[1] = unused < 0.0 ? 1.0 : 2.0;\n"
                 "}\n",
                 "f");
  grad::Request Asked;
  Asked.Wrt = {"x"};
  Asked.Of = {"y"};
  const grad::Differentiated D = grad::tangentOf(F, Asked);
  ASSERT_TRUE(D.F) << reasons(D);
  const std::string Text = textOf(*D.F);
  EXPECT_EQ(Text.find("scale_tan"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("unused_tan"), std::string::npos) << Text;
  EXPECT_NE(Text.find("y_tan[1] = icast<f64>(0);"), std::string::npos) << Text;
}

TEST(Tangent, ARefusalNamesItsPlace) {
  EXPECT_EQ(refusal("func @f(y: f64*, x: const f64*) {\n"
                    "  y[0] = @lgamma(x[0]);\n}\n"),
            "2: calls lgamma with a value that carries derivatives, and its "
            "own derivative is not known [CR1808]\n");
  EXPECT_EQ(refusal("func @f(y: f64*, x: const f64*) {\n"
                    "  y[0] = x[0];\n  opaque \"g(y);\" \"CR1005\" \"calls g, "
                    "whose effects are not known\";\n}\n"),
            "3: not differentiated: calls g, whose effects are not known "
            "[CR1801]\n");
  EXPECT_EQ(refusal("global t: f64[4];\nfunc @f(y: f64* restrict, x: const "
                    "f64* restrict) {\n  t[0] = x[0];\n  y[0] = t[0];\n}\n"),
            "3: 't' carries derivatives and is no parameter, so the caller "
            "could not give or take them [CR1805]\n");
}

TEST(Tangent, AWayThroughAnUnnamedParameterIsRefused) {
  const std::string Text = "func @f(y: f64* restrict, m: f64* restrict, x: "
                           "const f64* restrict, k: i32* restrict) {\n"
                           "  m[k[0]] = x[0];\n  y[0] = m[k[0]];\n}\n";
  grad::Request Asked;
  Asked.Wrt = {"x"};
  Asked.Of = {"y"};
  EXPECT_NE(refusal(Text, Asked).find("'m' carries derivatives"),
            std::string::npos);
  Asked.Of = {"y", "m"};
  EXPECT_EQ(refusal(Text, Asked), "");
}

TEST(Tangent, OverlapWithAnUnnamedParameterIsRefused) {
  const std::string Text = "func @f(y: f64*, w: const f64*, x: const f64*, "
                           "k: const i32*) {\n"
                           "  y[0] = x[0] * w[k[0]];\n}\n";
  grad::Request Asked;
  Asked.Wrt = {"x"};
  Asked.Of = {"y"};
  EXPECT_NE(refusal(Text, Asked).find("'w' may overlap"), std::string::npos);
  EXPECT_NE(refusal(Text, Asked).find("[CR1806]"), std::string::npos);
  Asked.Alias = AliasMode::Assume;
  EXPECT_EQ(refusal(Text, Asked), "");
  // Two that are only read are values apart, wherever they lie.
  Asked.Alias = AliasMode::Check;
  EXPECT_EQ(refusal("func @f(w: const f64*, x: const f64*): f64 {\n"
                    "  return x[0] * w[0];\n}\n",
                    {{"x"}, {}, AliasMode::Check, {}}),
            "");
}

TEST(Tangent, WhatIsOnlyPassedThroughLiesInside) {
  const FunctionRef F = functionIn("func @f(y: f64*, m: f64*, w: const f64*, "
                                   "x: const f64*) {\n"
                                   "  m[1] = x[0] * w[0];\n"
                                   "  y[0] = m[1];\n}\n",
                                   "f");
  grad::Request Asked;
  Asked.Wrt = {"x"};
  Asked.Of = {"y"};
  for (const AliasMode Alias : {AliasMode::Check, AliasMode::Assume}) {
    Asked.Alias = Alias;
    const grad::Differentiated D = grad::tangentOf(F, Asked);
    ASSERT_TRUE(D.F);
    ASSERT_EQ(D.Sig.Workspaces.size(), 1u);
    EXPECT_EQ(D.Sig.Workspaces[0].Derivative->Name, "m_tan");
    ASSERT_EQ(D.F->Params.size(), 6u);
    EXPECT_EQ(D.F->Params[4].name(), "y_tan");
    EXPECT_EQ(D.F->Params[5].name(), "x_tan");
    // m with x, w and y; w with y and with m. x and y are both named.
    EXPECT_EQ(D.F->Requires.size(), Alias == AliasMode::Check ? 4u : 0u);
  }
}

TEST(Tangent, AnAtomicProductIsRefused) {
  EXPECT_EQ(refusal("func @f(y: f64* restrict, x: const f64* restrict) {\n"
                    "  atomic y[0] += x[0];\n  atomic y[0] *= x[0];\n}\n"),
            "3: an atomic update other than a sum carries derivatives "
            "[CR1810]\n");
}

TEST(Tangent, NamesAreNotTakenTwice) {
  const FunctionRef F = functionIn(
      "func @f(x: f64, x_tan: f64): f64 {\n  return x * x_tan;\n}\n", "f");
  grad::Request Asked;
  Asked.Taken = {"f_tan"};
  const grad::Differentiated D = grad::tangentOf(F, Asked);
  ASSERT_TRUE(D.F);
  std::vector<std::string> Names;
  for (const Param &P : D.F->Params)
    Names.push_back(P.name().str());
  EXPECT_EQ(Names, (std::vector<std::string>{"x", "x_tan", "x_tan_",
                                             "x_tan_tan", "f_tan_"}));
}

/// An array of the name of another one, in its scope, with one variable of each
/// name in its extent.
TEST(Tangent, ArraysThatHideOthersGetNamesOfTheirOwn) {
  const FunctionRef F =
      functionIn("func @f(x: const f64*, n: i32): f64 {\n"
                 "  heap t: f64[2:i64];\n  t[0] = x[0];\n  let s: f64 = 0.0;\n"
                 "  for (i: i32 = 1; i < n; i += 1) {\n"
                 "    let m: i32 = i + 1;\n"
                 "    heap t.1: f64[icast<i64>(m)];\n    t.1[i] = x[i] * "
                 "t[0];\n    s += t.1[i];\n"
                 "  }\n  return s * t[0];\n}\n",
                 "f");
  ASSERT_TRUE(F);
  const grad::Differentiated D = grad::tangentOf(F, {});
  ASSERT_TRUE(D.F);
  const std::string Text = textOf(*D.F);
  for (const std::string &Problem : verify(*D.F))
    ADD_FAILURE() << Problem << "\n" << Text;
  std::set<std::string> Names;
  forEachStmt(D.F->Body, [&](const StmtRef &S) {
    if (auto *B = llvm::dyn_cast<DeclBuffer>(S.get())) {
      EXPECT_TRUE(Names.insert(B->B->Name).second) << B->B->Name;
    }
  });
  EXPECT_EQ(Names.size(), 4u);
}
