//===- SignatureTest.cpp - what is differentiated -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Signature.h"
#include "Programs.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::grad;
using namespace raise::testing;

/// "x:in y:out z:inout return", or the codes of what is refused.
static std::string slots(const std::string &Text, const Request &Asked = {},
                         Mode M = Mode::Forward) {
  const FunctionRef F = functionIn(Text, "f");
  std::vector<Reason> Refused;
  const Signature S = signatureOf(*F, Asked, M, Refused);
  std::string Out;
  for (const Reason &R : Refused)
    Out += (Out.empty() ? "" : " ") + R.Code;
  if (!Refused.empty())
    return Out;
  for (const Slot &Sl : S.Slots)
    Out += Sl.Derivative.name().str() + ":" + (Sl.Independent ? "in" : "") +
           (Sl.Dependent ? "out" : "") + " ";
  return Out + (S.ResultDependent ? S.Result.name().str() : "");
}

TEST(Signature, DefaultsFollowTheText) {
  EXPECT_EQ(slots("func @f(y: f64*, x: const f64*, k: const i32*, a: f32, n: "
                  "i32) { y[0] = x[k[n]]; }\n"),
            "y_tan:out x_tan:in a_tan:in ");
  EXPECT_EQ(slots("func @f(y: f64*, x: f64*) { y[0] += 1.0; x[0] = 1.0; }\n"),
            "y_tan:inout x_tan:out ");
  EXPECT_EQ(slots("func @f(y: f64*, a: f64): f64 { y[0] = a; return a; }\n"),
            "a_tan:in f_tan");
  EXPECT_EQ(slots("func @f(y: f64*, a: f64): f64 { y[0] = a; return a; }\n", {},
                  Mode::Reverse),
            "a_adj:in f_adj");
}

TEST(Signature, WhatIsNamedGetsASlot) {
  const std::string Text =
      "func @f(y: f64*, x: const f64*, a: f64, n: i32): f64 { y[0] = x[n]; "
      "return a; }\n";
  EXPECT_EQ(slots(Text, {{"a"}, {"y"}, AliasMode::Check, {}}),
            "y_tan:out a_tan:in ");
  EXPECT_EQ(slots(Text, {{"y"}, {"y", "return"}, AliasMode::Check, {}}),
            "y_tan:inout f_tan");
}

TEST(Signature, WhatCannotBeNamedIsRefused) {
  const std::string Text = "func @f(y: f64*, a: f64, n: i32) { y[0] = a; }\n";
  EXPECT_EQ(slots(Text, {{"n"}, {}, AliasMode::Check, {}}), "CR1802");
  EXPECT_EQ(slots(Text, {{"q"}, {}, AliasMode::Check, {}}), "CR1802");
  EXPECT_EQ(slots(Text, {{}, {"a"}, AliasMode::Check, {}}), "CR1802");
  EXPECT_EQ(slots(Text, {{}, {"return"}, AliasMode::Check, {}}), "CR1802");
  EXPECT_EQ(slots("func @f(k: i32*, n: i32) { k[0] = n; }\n"), "CR1803 CR1803");
}

TEST(Signature, DerivativesHaveTheirPrimalsForm) {
  const FunctionRef F =
      functionIn("func @f(n: i32, c: const f64[][n], r: f64&, x: f64): f64 {\n"
                 "  r[0] = c[0, 0] * x; return r[0]; }\n",
                 "f");
  std::vector<Reason> Refused;
  Request All;
  All.Wrt = {"c", "r", "x"};
  const Signature T = signatureOf(*F, All, Mode::Forward, Refused);
  ASSERT_TRUE(Refused.empty());
  ASSERT_EQ(T.Slots.size(), 3u);
  EXPECT_EQ(T.Slots[0].Derivative.Buf->rank(), 2u);
  EXPECT_FALSE(T.Slots[0].Derivative.Buf->Const);
  EXPECT_FALSE(T.Slots[1].Derivative.Buf->Reference);
  EXPECT_TRUE(T.Slots[2].Derivative.Scalar);
  EXPECT_TRUE(T.Result.Buf);
  const Signature A = signatureOf(*F, All, Mode::Reverse, Refused);
  EXPECT_TRUE(A.Slots[2].Derivative.Buf);
  EXPECT_TRUE(A.Result.Scalar);
}

TEST(Signature, WhatAnotherParameterGivesHasADerivativeOfItsOwn) {
  const FunctionRef F =
      functionIn("func @f(a: void*, b: void*, v: const f64* container, implied "
                 "`v.size()`: u64, implied `a->d`: f64* member d of a, implied "
                 "`b->d`: f64* "
                 "member d of b, implied `a->w`: f64* member w of a): f64 {\n"
                 "  return `a->d`[0] * `b->d`[0] * `a->w`[0] * v[0]; }\n",
                 "f");
  std::vector<Reason> Refused;
  const Signature A = signatureOf(*F, {}, Mode::Reverse, Refused);
  ASSERT_TRUE(Refused.empty());
  ASSERT_EQ(A.Slots.size(), 4u);
  EXPECT_EQ(A.Slots[0].Derivative.name(), "v_adj");
  EXPECT_TRUE(A.Slots[0].Derivative.Buf->Container);
  // By the member's name, where that is the only one.
  EXPECT_EQ(A.Slots[1].Derivative.name(), "a_d_adj");
  EXPECT_EQ(A.Slots[2].Derivative.name(), "b_d_adj");
  EXPECT_EQ(A.Slots[3].Derivative.name(), "w_adj");
  EXPECT_FALSE(A.Slots[3].Derivative.Implied);
  Request One;
  One.Wrt = {"w"};
  EXPECT_EQ(signatureOf(*F, One, Mode::Reverse, Refused).Slots.size(), 1u);
  EXPECT_TRUE(Refused.empty());
}

TEST(Signature, AnArrayInAStructureHasItsDerivativeInTheStructures) {
  const FunctionRef F =
      functionIn("func @f(s: void*, implied `s->c`: f64[3], implied `s->p`: "
                 "f64* member p of s): f64 {\n"
                 "  return `s->c`[1] * `s->p`[0]; }\n",
                 "f");
  std::vector<Reason> Refused;
  const Signature A = signatureOf(*F, {}, Mode::Reverse, Refused);
  ASSERT_TRUE(Refused.empty());
  ASSERT_EQ(A.Slots.size(), 3u);
  EXPECT_EQ(A.Slots[0].Derivative.name(), "s_adj");
  EXPECT_EQ(A.Slots[1].Derivative.name(), "s_adj->c");
  EXPECT_TRUE(A.Slots[1].Derivative.Implied);
  EXPECT_EQ(A.Slots[2].Derivative.name(), "p_adj");
  EXPECT_FALSE(A.Slots[2].Derivative.Implied);
}

TEST(Signature, AParameterThatTheIRDoesNotHoldIsRefused) {
  Function F = *functionIn("func @f(a: f64): f64 { return a; }\n", "f");
  F.MissingSignature = "parameter 'v' has type 'V', which is not supported";
  std::vector<Reason> Refused;
  signatureOf(F, {}, Mode::Forward, Refused);
  ASSERT_EQ(Refused.size(), 1u);
  EXPECT_EQ(Refused[0].Code, "CR1807");
  EXPECT_EQ(Refused[0].Text, F.MissingSignature);
}
