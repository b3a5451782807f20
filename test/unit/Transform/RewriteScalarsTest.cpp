//===- RewriteScalarsTest.cpp - all rewrites of a loop's scalars ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(RewriteScalars, RandomLoops) {
  const char *N = std::getenv("RAISE_FUZZ_PROGRAMS");
  unsigned Programs = N ? std::atoi(N) : 2000, Changed = 0, Ran = 0;
  for (unsigned P = 0; P < Programs; ++P) {
    ScalarLoops Loops(P);
    std::string Text = P % 4 ? Loops.function() : Loops.searching();
    ScalarTrial T = tryRewrite(Text, rewriteScalars, P, 12);
    ASSERT_EQ(T.Difference, "") << "program " << P;
    Changed += T.Changed;
    Ran += T.Ran;
  }
  printf("changed %u (%u runs)\n", Changed, Ran);
  EXPECT_GT(Changed * 3, Programs);
  EXPECT_GT(Ran, Changed);
}

} // namespace
