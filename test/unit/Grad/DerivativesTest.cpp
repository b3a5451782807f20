//===- DerivativesTest.cpp - rules against differences --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Derivatives.h"
#include "Programs.h"
#include "raise/Grad/Tangent.h"
#include "raise/IR/Math.h"
#include "raise/Verify/Slopes.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;
using interp::Value;

/// What the tangent of `return E` is at x, y with tangents dx, dy.
static double tangentAt(const std::string &E, double X, double Y, double DX,
                        double DY) {
  const FunctionRef F = functionIn(
      "func @f(x: f64, y: f64): f64 {\n  return " + E + ";\n}\n", "f");
  const grad::Differentiated D = grad::tangentOf(F, {});
  EXPECT_TRUE(D.F) << E;
  if (!D.F)
    return NAN;
  const Type F64 = Type::getFloat(64);
  interp::Inputs In;
  In.Scalars = {{"x", Value::ofFloat(X, F64)},
                {"y", Value::ofFloat(Y, F64)},
                {"x_tan", Value::ofFloat(DX, F64)},
                {"y_tan", Value::ofFloat(DY, F64)}};
  auto Result = std::make_shared<interp::Storage>();
  Result->Cells.resize(1);
  In.Buffers["f_tan"].Store = Result;
  const interp::Outcome O = interp::run(*D.F, In);
  EXPECT_EQ(O.Why, interp::Stop::Done) << O.Message;
  return Result->Cells[0] ? double(Result->Cells[0]->D) : NAN;
}

static double valueAt(const std::string &E, double X, double Y) {
  const FunctionRef F = functionIn(
      "func @f(x: f64, y: f64): f64 {\n  return " + E + ";\n}\n", "f");
  const Type F64 = Type::getFloat(64);
  interp::Inputs In;
  In.Scalars = {{"x", Value::ofFloat(X, F64)}, {"y", Value::ofFloat(Y, F64)}};
  return double(interp::run(*F, In).Result->D);
}

TEST(Derivatives, EveryRuleAgreesWithDifferences) {
  const char *const Unary[] = {
      "acos",  "asin", "atan", "cos",  "sin",  "tan",   "asinh", "atanh",
      "cosh",  "sinh", "tanh", "exp",  "exp2", "expm1", "log",   "log10",
      "log1p", "log2", "cbrt", "fabs", "sqrt", "erf",   "erfc"};
  std::vector<std::string> Forms;
  for (const char *Name : Unary)
    Forms.push_back("@" + std::string(Name) + "(x * y)");
  Forms.push_back("@acosh(1.5 + x * y)");
  for (const char *Name : {"atan2", "hypot", "pow", "fmod", "remainder",
                           "copysign", "fdim", "fmax", "fmin"}) {
    Forms.push_back("@" + std::string(Name) + "(x, y)");
    Forms.push_back("@" + std::string(Name) + "(2.0 - x, y)");
    Forms.push_back("@" + std::string(Name) + "(y, x - 3.0)");
  }
  for (const char *Form :
       {"@fma(x, y, x)", "@ldexp(x * y, 3)", "@scalbn(x * y, 3)",
        "@scalbln(x, 3:i64)", "@pow(x, 2.0)", "@pow(x, 3.0)", "@pow(y, -1.5)",
        "@pow(x, icast<f64>(4))", "x / y", "1.0 / x", "3.0 / x", "x * x",
        "-(x * y)", "x - y - x * y", "icast<f64>(cast<f32>(x)) * 0.0 + x"})
    Forms.push_back(Form);
  for (const std::string &Form : Forms)
    for (auto [X, Y] : {std::pair(0.7, 0.9), std::pair(0.35, 1.2)}) {
      const double H = 1e-6, DX = 0.8, DY = -0.6;
      const double Slope = (valueAt(Form, X + H * DX, Y + H * DY) -
                            valueAt(Form, X - H * DX, Y - H * DY)) /
                           (2 * H);
      if (std::isnan(Slope)) {
        // pow of a negative number, and no other.
        EXPECT_EQ(Form, "@pow(y, x - 3.0)");
        continue;
      }
      EXPECT_NEAR(tangentAt(Form, X, Y, DX, DY), Slope,
                  1e-7 * (1 + std::fabs(Slope)))
          << Form << " at " << X << ", " << Y;
    }
}

TEST(Derivatives, StepsHaveNone) {
  for (const char *Name :
       {"ceil", "floor", "nearbyint", "rint", "round", "trunc", "logb"})
    EXPECT_EQ(
        tangentAt("@" + std::string(Name) + "(x * y) + x", 0.7, 0.9, 2, 1), 2)
        << Name;
  EXPECT_EQ(tangentAt("icast<f64>(@lrint(x * y)) + y", 0.7, 0.9, 2, 1), 1);
  EXPECT_EQ(tangentAt("icast<f64>(cast<i32>(x * y)) + y", 7, 0.9, 2, 1), 1);
}

TEST(Derivatives, KinksAreAsDocumented) {
  EXPECT_EQ(tangentAt("@fabs(x)", 0, 0, 1, 1), 0);
  EXPECT_EQ(tangentAt("@sqrt(x)", 0, 0, 0, 1), 0);
  EXPECT_TRUE(std::isinf(tangentAt("@sqrt(x)", 0, 0, 1, 1)));
  for (const auto &[Text, At] :
       {std::pair("@cbrt(x)", 0.), std::pair("@pow(x, 0.5)", 0.),
        std::pair("@asin(x)", 1.), std::pair("@acos(x)", -1.),
        std::pair("@acosh(x)", 1.)}) {
    EXPECT_EQ(tangentAt(Text, At, 0, 0, 1), 0) << Text;
    EXPECT_TRUE(std::isinf(tangentAt(Text, At, 0, 1, 1))) << Text;
  }
  EXPECT_EQ(tangentAt("@cbrt(x)", 0, 0, 0, 1), 0);
  EXPECT_EQ(tangentAt("@hypot(x, y)", 0, 0, 1, 1), 0);
  EXPECT_EQ(tangentAt("@copysign(x, y)", 0, -1, 1, 1), 0);
  EXPECT_EQ(tangentAt("@fmax(x, y)", 2, 2, 3, 5), 3);
  EXPECT_EQ(tangentAt("@fmin(x, y)", 2, 2, 3, 5), 3);
  EXPECT_EQ(tangentAt("@fmax(x, y)", NAN, 2, 3, 5), 5);
  EXPECT_EQ(tangentAt("@fmin(x, y)", 2, NAN, 3, 5), 3);
  EXPECT_EQ(tangentAt("@pow(x, y)", 0, 2, 1, 1), 0);
  EXPECT_EQ(tangentAt("@pow(x, y)", 0, 1, 3, 1), 3);
  EXPECT_EQ(tangentAt("@pow(x, y)", 2, 0, 1, 0), 0);
}

/// A branch that is not taken is not evaluated: nothing of it can spoil the
/// result.
TEST(Derivatives, AChoiceIsNoProduct) {
  EXPECT_EQ(tangentAt("x > 0.0 ? @sqrt(x) : 0.0", -1, 0, 1, 1), 0);
  EXPECT_EQ(tangentAt("x != 0.0 ? y / x : 0.0", 0, 1, 1, 1), 0);
}

TEST(Derivatives, OnlyKnownFunctionsHaveRules) {
  for (const char *Name : {"tgamma", "lgamma", "nextafter", "lgammaf"})
    EXPECT_FALSE(grad::hasRule(*knownMathCallee(Name))) << Name;
  for (const char *Name : {"exp", "expf", "erf", "erff", "fma", "lround"})
    EXPECT_TRUE(grad::hasRule(*knownMathCallee(Name))) << Name;
}

TEST(Derivatives, FloatsHaveTheirOwnFunctions) {
  const FunctionRef F = functionIn(
      "func @f(x: f32): f32 {\n  return @sinf(x) + @erff(x) + @sqrtf(x);\n}\n",
      "f");
  const grad::Differentiated D = grad::tangentOf(F, {});
  ASSERT_TRUE(D.F);
  interp::Inputs In;
  const Type F32 = Type::getFloat(32);
  In.Scalars = {{"x", Value::ofFloat(0.5, F32)},
                {"x_tan", Value::ofFloat(1, F32)}};
  auto Result = std::make_shared<interp::Storage>();
  Result->Cells.resize(1);
  In.Buffers["f_tan"].Store = Result;
  ASSERT_EQ(interp::run(*D.F, In).Why, interp::Stop::Done);
  const double Exact = std::cos(0.5) + 2 / std::sqrt(M_PI) * std::exp(-0.25) +
                       0.5 / std::sqrt(0.5);
  EXPECT_NEAR(double(Result->Cells[0]->D), Exact, 1e-6);
}
