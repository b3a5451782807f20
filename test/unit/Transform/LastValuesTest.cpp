//===- LastValuesTest.cpp - scalars that are read after the loop ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(LastValues, RandomLoops) {
  checkRandomLoops(
      4000, [](ScalarLoops &L) { return L.function(); }, rewriteLastValues, 20);
}

bool changes(const std::string &Body, bool Live = true) {
  auto Fs = parseIR("func @f(y: f32* restrict, x: const f32* restrict, n: i32, "
                    "k: i32, t: f32) {\nfor (i: i32 = 0; i < n; i += 1) {" +
                        Body + "}\n}\n",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return false;
  }
  auto *L = llvm::cast<For>(statements(Fs->front()->Body).front().get());
  Liveness::VarSet After;
  for (const Param &P : Fs->front()->Params)
    if (Live && P.Scalar)
      After.insert(P.Scalar.get());
  return rewriteLastValues(*L, After).has_value();
}

TEST(LastValues, LeftAlone) {
  EXPECT_TRUE(changes("if (x[i] > 0.0:f32) { k = i; }"));
  EXPECT_TRUE(changes("t = x[i]; y[i] = t;"));
  // Nobody asks for it; it is read before; it is set twice, in a loop, or from
  // what the loop writes.
  EXPECT_FALSE(changes("if (x[i] > 0.0:f32) { k = i; }", false));
  EXPECT_FALSE(changes("y[i] = t; t = x[i];"));
  EXPECT_FALSE(changes("if (x[i] > t) { t = x[i]; }"));
  EXPECT_FALSE(changes("if (x[i] > 0.0:f32) { k = i; } else { k = n; }"));
  EXPECT_FALSE(changes("for (j: i32 = 0; j < i; j += 1) { k = j; }"));
  EXPECT_FALSE(changes("if (x[i] > 0.0:f32) { t = y[i]; } y[i] = 1.0:f32;"));
}

} // namespace
