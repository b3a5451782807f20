//===- ArgExtremaTest.cpp - where the largest element is ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

unsigned programs(unsigned Default) {
  const char *N = std::getenv("RAISE_FUZZ_PROGRAMS");
  return N ? std::atoi(N) : Default;
}

// With NaN, infinities, zeros of both signs and many equal values.
TEST(ArgExtrema, RandomLoops) {
  unsigned Changed = 0, Ran = 0;
  for (unsigned P = 0; P < programs(4000); ++P) {
    std::string Text = ScalarLoops(P).searching();
    ScalarTrial T = tryRewrite(Text, splitArgExtremum, P, 12);
    ASSERT_EQ(T.Difference, "") << "program " << P;
    Changed += T.Changed;
    Ran += T.Ran;
  }
  printf("changed %u (%u runs)\n", Changed, Ran);
  EXPECT_GT(Changed * 20, programs(4000));
  EXPECT_GT(Ran, Changed);
}

bool changes(const std::string &Body) {
  auto Fs = parseIR("func @f(y: f32* restrict, x: const f32* restrict, n: i32, "
                    "k: i32, l: i32, m: f32) {\n"
                    "for (i: i32 = 0; i < n; i += 1) {" +
                        Body + "}\n}\n",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return false;
  }
  auto *L = llvm::cast<For>(statements(Fs->front()->Body).front().get());
  Liveness::VarSet After;
  for (const Param &P : Fs->front()->Params)
    if (P.Scalar)
      After.insert(P.Scalar.get());
  return splitArgExtremum(*L, After).has_value();
}

TEST(ArgExtrema, LeftAlone) {
  EXPECT_TRUE(changes("if (x[i] > m) { m = x[i]; k = i; }"));
  EXPECT_TRUE(changes("if (m > x[i]) { k = i; m = x[i]; l = i + 1; }"));
  EXPECT_TRUE(changes("y[i] = 1.0:f32; if (m > x[i]) { k = i; m = x[i]; }"));
  // The last of equal values; the other sense of NaN.
  EXPECT_FALSE(changes("if (x[i] >= m) { m = x[i]; k = i; }"));
  EXPECT_FALSE(changes("if (!(x[i] <= m)) { m = x[i]; k = i; }"));
  // Something else is kept, or compared, or read in between.
  EXPECT_FALSE(changes("if (x[i] > m) { m = x[i + 1]; k = i; }"));
  EXPECT_FALSE(changes("if (x[i] > x[k]) { k = i; }"));
  EXPECT_FALSE(changes("if (x[i] > m) { m = x[i]; k = i; } y[i] = m;"));
  EXPECT_FALSE(changes("if (x[i] > m) { m = x[i]; k = l; l = i; }"));
  EXPECT_FALSE(changes("if (x[i] > m) { m = x[i]; k += 1; }"));
  // Memory that the loop writes; a value that may be rounded in two ways.
  EXPECT_FALSE(changes("if (y[i] > m) { m = y[i]; k = i; } y[i] = 0.0:f32;"));
  EXPECT_FALSE(
      changes("if (x[i] * 2.0:f32 > m) { m = x[i] * 2.0:f32; k = i; }"));
}

} // namespace
