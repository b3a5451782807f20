//===- JsonTest.cpp - machine-readable results ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Json.h"
#include "gtest/gtest.h"
#include <nlohmann/json.hpp>

using namespace raise;
using nlohmann::json;

static json roundTrip(std::vector<Result> Results) {
  return json::parse(toJson(Results), nullptr, /*allow_exceptions=*/false);
}

TEST(Json, EmptyRunIsStillADocument) {
  json J = roundTrip({});
  EXPECT_EQ(J["version"], 1);
  ASSERT_TRUE(J["results"].is_array());
  EXPECT_TRUE(J["results"].empty());
}

TEST(Json, EveryFieldArrives) {
  Result R;
  R.File = "a.cu";
  R.Line = 3;
  R.Column = 7;
  R.Function = "n::f";
  R.What = Construct::Kernel;
  R.Outcome = Status::Partial;
  R.Rewritten = true;
  R.Kind = "map";
  R.Notation = "y[i] = x[i]·x[i]";
  R.Why = {"CR1101", "why", {"a.cu", 4, 9, 0, 0, false}};
  R.Assumptions = {"x and y do not overlap"};
  R.Guards = {"n > 0"};
  R.Verified = Verification::Inconclusive;
  R.VerifiedDetail = "no inputs";
  json J = roundTrip({R})["results"][0];
  EXPECT_EQ(J["file"], "a.cu");
  EXPECT_EQ(J["line"], 3);
  EXPECT_EQ(J["column"], 7);
  EXPECT_EQ(J["function"], "n::f");
  EXPECT_EQ(J["construct"], "kernel");
  EXPECT_EQ(J["status"], "partial");
  EXPECT_EQ(J["rewritten"], true);
  EXPECT_EQ(J["kind"], "map");
  EXPECT_EQ(J["notation"], "y[i] = x[i]·x[i]");
  EXPECT_EQ(J["reason"], "why");
  EXPECT_EQ(J["code"], "CR1101");
  EXPECT_EQ(J["reason_line"], 4);
  EXPECT_EQ(J["assumptions"], json({"x and y do not overlap"}));
  EXPECT_EQ(J["guards"], json({"n > 0"}));
  EXPECT_EQ(J["verification"], "inconclusive");
  EXPECT_EQ(J["verification_detail"], "no inputs");
}

TEST(Json, HostileNamesAreEscaped) {
  Result R;
  R.File = "a\"\n\\.c";
  R.Function = "bad \xff byte";
  json J = roundTrip({R})["results"][0];
  ASSERT_FALSE(J.is_discarded());
  EXPECT_EQ(J["file"], "a\"\n\\.c");
  EXPECT_EQ(J["function"], "bad \xEF\xBF\xBD byte");
}
