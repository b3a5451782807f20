//===- WrapAroundsTest.cpp - what the iteration before computed -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(WrapArounds, RandomLoops) {
  checkRandomLoops(
      4000, [](ScalarLoops &L) { return L.function(); }, expandWrapArounds, 20);
}

bool changes(const std::string &Loop) {
  auto Fs =
      parseIR("func @f(y: f32* restrict, x: const f32* restrict, z: f32*, "
              "n: i32, k: i32, t: f32) {\n" +
                  Loop + "}\n",
              "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return false;
  }
  auto *L = llvm::cast<For>(statements(Fs->front()->Body).front().get());
  return expandWrapArounds(*L, {}).has_value();
}

std::string loop(const std::string &Body) {
  return "for (i: i32 = 0; i < n; i += 1) {" + Body + "}";
}

TEST(WrapArounds, LeftAlone) {
  EXPECT_TRUE(changes(loop("y[i] = t; t = x[i];")));
  EXPECT_TRUE(changes(loop("y[k] = 1.0:f32; k = i;")));
  // Memory that the loop writes, or may.
  EXPECT_FALSE(changes(loop("y[i] = t; t = y[i + 1];")));
  EXPECT_FALSE(changes(loop("z[i] = t; t = z[i];")));
  // Under a condition; made of itself; set before it is read.
  EXPECT_FALSE(changes(loop("y[i] = t; if (k > i) { t = x[i]; }")));
  EXPECT_FALSE(changes(loop("y[i] = t; t = t * x[i];")));
  EXPECT_FALSE(changes(loop("t = x[i]; y[i] = t;")));
  // The iteration may end before.
  EXPECT_FALSE(changes(loop("y[i] = t; if (x[i] > t) { break; } t = x[i];")));
}

TEST(WrapArounds, MemoryThatIsWrittenElsewhereIsNotItsOwn) {
  EXPECT_TRUE(changes(loop("y[i] = t; z[i] = t; t = x[i];")));
  EXPECT_FALSE(changes(loop("y[i] = t; z[i] = t; t = x[i] + z[0];")));
}

} // namespace
