//===- ArgExtremaTest.cpp - where the largest element is ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

// With NaN, infinities, zeros of both signs and many equal values.
TEST(ArgExtrema, RandomLoops) {
  checkRandomLoops(
      4000, [](ScalarLoops &L) { return L.searching(); }, splitArgExtremum, 20);
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
