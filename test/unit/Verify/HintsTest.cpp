//===- HintsTest.cpp - the language of input hints
//----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Hints.h"
#include "Make.h"
#include "raise/Verify/Verify.h"
#include "gtest/gtest.h"

using namespace raise;

static std::optional<HintRange> hint(llvm::StringRef Text) {
  return evaluateHint(Text, [](llvm::StringRef N) -> std::optional<double> {
    if (N == "NH")
      return 4;
    if (N == "k")
      return 2;
    return std::nullopt;
  });
}

TEST(Hints, Values) {
  auto H = hint("k*NH + 1");
  ASSERT_TRUE(H);
  EXPECT_EQ(H->Lo, 9);
  EXPECT_EQ(H->Hi, 9);
  H = hint("-1 .. NH-1");
  ASSERT_TRUE(H);
  EXPECT_EQ(H->Lo, -1);
  EXPECT_EQ(H->Hi, 3);
  H = hint("1..8");
  ASSERT_TRUE(H);
  EXPECT_EQ(H->Lo, 1);
  EXPECT_EQ(H->Hi, 8);
  H = hint("0.5..1e-1*20");
  ASSERT_TRUE(H);
  EXPECT_EQ(H->Lo, 0.5);
  EXPECT_EQ(H->Hi, 2);
}

TEST(Hints, Malformed) {
  for (const char *Text :
       {"", "..", "1..", "8..1", "2 NH", "unknown", "1..2..3", "*2", "1 +"})
    EXPECT_FALSE(hint(Text)) << Text;
}

TEST(Hints, ProblemsAreNamed) {
  const FunctionRef F =
      raise::testing::parseOne("func @f(NH: i32, C: i32) { }");
  const auto problem = [&](const char *Name, const char *Hint) {
    return problemOfHints(*F, {{Name, Hint}});
  };
  EXPECT_EQ(problem("C", "k*NH"), "");
  EXPECT_EQ(problem("C", "8..NH"), ""); // which depends on NH
  EXPECT_EQ(problem("D", "1..4"),
            "'f' has no parameter 'D' (its parameters: NH, C)");
  EXPECT_EQ(problem("C", "k*HN"),
            "of 'f', C: 'k*HN' names 'HN', which is no scalar of it");
  EXPECT_EQ(problem("C", "8..1"), "of 'f', C: '8..1' is a range of nothing");
  for (const char *Text : {"", "1..", "2 NH", "1..2..3"})
    EXPECT_NE(problem("C", Text).find("is no number, no range"),
              std::string::npos)
        << Text;
}
