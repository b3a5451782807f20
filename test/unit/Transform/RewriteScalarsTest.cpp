//===- RewriteScalarsTest.cpp - all rewrites of a loop's scalars ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(RewriteScalars, RandomLoops) {
  unsigned P = 0;
  checkRandomLoops(
      2000,
      [&](ScalarLoops &L) { return P++ % 4 ? L.function() : L.searching(); },
      rewriteScalars, 3);
}

} // namespace
