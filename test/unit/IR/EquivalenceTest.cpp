//===- EquivalenceTest.cpp - wrong rewrites are noticed -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Equivalence.h"
#include "TestHelpers.h"
#include "gmock/gmock.h"

using namespace raise;
using namespace raise::test;
using testing::HasSubstr;

namespace {

EquivalenceResult check(const std::string &Signature, const std::string &Before,
                        const std::string &After, Options Opts = {}) {
  return checkEquivalent(*parse(Signature + " { " + Before + " }"),
                         *parse(Signature + " { " + After + " }"), Opts, 7);
}

const char *const Map = "func @f(y: f32*, x: const f32*, n: i32)";
const char *const MapLoop = "for (i: i32 = 0; i < n; i += 1) "
                            "{ y[i] = x[i] + 1.0:f32; }";

TEST(Equivalence, AcceptsTheSame) {
  EquivalenceResult R = check(Map, MapLoop, MapLoop);
  EXPECT_EQ(R.Difference, "");
  EXPECT_EQ(R.Compared, 84u);
}

TEST(Equivalence, SeesAWrongValue) {
  EXPECT_THAT(
      check(Map, MapLoop, "for (i: i32 = 0; i < n; i += 1) { y[i] = x[i]; }")
          .Difference,
      HasSubstr("instead of"));
}

TEST(Equivalence, SeesAMissingAndAnExtraIteration) {
  const char *Less = "for (i: i32 = 0; i < n - 1; i += 1) "
                     "{ y[i] = x[i] + 1.0:f32; }";
  EXPECT_NE(check(Map, MapLoop, Less).Difference, "");
  EXPECT_NE(check(Map, Less, MapLoop).Difference, "");
}

TEST(Equivalence, SeesASpeculatedRead) {
  const char *Guarded = "for (i: i32 = 0; i < n; i += 1) "
                        "{ if (i > 0) { y[i] = x[i - 1]; } }";
  const char *Speculated =
      "for (i: i32 = 0; i < n; i += 1) "
      "{ let t: f32 = x[i - 1]; if (i > 0) { y[i] = t; } }";
  EXPECT_THAT(check(Map, Guarded, Speculated).Difference,
              HasSubstr("execution stops"));
}

TEST(Equivalence, SeesOverlap) {
  const char *Shift = "for (i: i32 = 0; i < n; i += 1) { y[i + 1] = x[i]; }";
  const char *Parallel =
      "parallel for (i: i32 = 0; i < n; i += 1) { y[i + 1] = x[i]; }";
  EXPECT_THAT(check(Map, Shift, Parallel).Difference, HasSubstr("overlaps"));
  Options Assume;
  Assume.Alias = AliasMode::Assume;
  EXPECT_EQ(check(Map, Shift, Parallel, Assume).Difference, "");
  EXPECT_EQ(
      check("func @f(y: f32* restrict, x: const f32*, n: i32)", Shift, Parallel)
          .Difference,
      "");
}

TEST(Equivalence, SeesADependenceOnOrder) {
  EXPECT_NE(check("func @f(y: f32*, n: i32)",
                  "for (i: i32 = 1; i < n; i += 1) { y[i] = y[i - 1]; }",
                  "parallel for (i: i32 = 1; i < n; i += 1) "
                  "{ y[i] = y[i - 1]; }")
                .Difference,
            "");
}

TEST(Equivalence, SeesAWrongResult) {
  EXPECT_THAT(
      check("func @f(n: i32): i32", "return n;", "return n + 1;").Difference,
      HasSubstr("the result is"));
}

TEST(Equivalence, StrictComparesEveryBit) {
  const char *F = "func @f(x: f32): f32";
  const char *Once = "return x / 3.0:f32;";
  const char *Other = "return x * 0.33333334:f32;";
  EXPECT_EQ(check(F, Once, Other).Difference, "");
  Options Strict;
  Strict.FP = FPMode::Strict;
  EXPECT_NE(check(F, Once, Other, Strict).Difference, "");
}

TEST(Equivalence, SkipsInputsWithoutMeaning) {
  EquivalenceResult R =
      check("func @f(n: i32): i32", "return 4 / n;", "return 4 / n;");
  EXPECT_GT(R.Skipped, 0u);
  EXPECT_GT(R.Compared, 0u);
  EXPECT_EQ(R.Difference, "");
  EXPECT_EQ(check("func @f()", "opaque \"g();\" \"CR1005\" \"calls g\";", "")
                .Compared,
            0u);
}

TEST(Equivalence, SkipsRaces) {
  EquivalenceResult R =
      check("kernel @f(y: i32*)",
            "block.x for (i: u32 = 0:u32; i < blockDim.x; i += 1:u32) "
            "{ y[0] = cast<i32>(i); }",
            "y[0] = 0;");
  EXPECT_GT(R.Skipped, 0u);
}

} // namespace
