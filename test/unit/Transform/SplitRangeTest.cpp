//===- SplitRangeTest.cpp - a loop's range in pieces ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SequenceChecks.h"
#include "raise/Analysis/Crossings.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Passes.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(SplitRange, RandomBodies) {
  checkLoopBodies(
      1000,
      [](const FunctionRef &F, Context &Ctx) {
        FunctionRef New = splitRangePass(F, Ctx);
        return hasRegion(New) ? New : nullptr;
      },
      50);
}

/// The bounds of the pieces of a loop over 0 <= i < Hi with this body, and its
/// guards; empty: left. All buffers are restrict.
std::string pieces(const std::string &Body, const std::string &Hi = "n") {
  auto Fs =
      parseIR("func @f(a: f64* restrict, b: f64* restrict, k: const i32* "
              "restrict, n: i32, m: i32, t: f64) {\nfor (i: i32 = 0; i < " +
                  Hi + "; i += 1) {\n" + Body + "\n}\n}\n",
              "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return "";
  }
  const Function &F = *Fs->front();
  Context Ctx;
  LoopQuery Q;
  Q.Loop = llvm::cast<For>(statements(F.Body).front().get());
  std::vector<const Var *> After;
  Q.LiveOut = &After;
  auto New = splitRange(Q, F, Ctx);
  if (!New)
    return "";
  std::string Out;
  for (const StmtRef &S : New->Body) {
    auto *L = llvm::dyn_cast<For>(S.get());
    Out += Out.empty() ? "" : " ";
    Out += L ? sourceText(L->Lo) + ".." + sourceText(L->Hi) : "one";
  }
  for (const Guard &G : New->Guards)
    Out += "; " + sourceText(G.Cond);
  return Out;
}

TEST(SplitRange, AnIterationAlone) {
  EXPECT_EQ(pieces("a[i] = a[m] + b[i];"), "0..m one m + 1..n; m >= 0; n > m");
  EXPECT_EQ(pieces("a[i] = a[3] + b[i];", "8"), "0..3 one 4..8");
  // The first iteration, or the last.
  EXPECT_EQ(pieces("a[i] = a[0] + b[i];", "8"), "one 1..8");
  EXPECT_EQ(pieces("a[i] = a[n - 1] + b[i];"), "0..n - 1 one; n > 0");
  // The iteration that writes what all others read.
  EXPECT_EQ(pieces("b[i] = a[i - 1] + a[2]; a[2] = t;", "2"), "");
}

TEST(SplitRange, TheMiddle) {
  EXPECT_EQ(pieces("a[i] = a[n - i - 1] + b[i];"),
            "0..(n - 1) / 2 + 1 (n - 1) / 2 + 1..n; n > 0");
  EXPECT_EQ(pieces("a[i] = a[9 - i] + b[i];", "10"), "0..5 5..10");
  EXPECT_EQ(pieces("a[i] = a[8 - i] + b[i];", "9"), "0..5 5..9");
  // Not halfway: the steps differ.
  EXPECT_EQ(pieces("a[2 * i] = a[30 - i] + b[i];", "30"), "0..11 11..30");
}

TEST(SplitRange, LeftAlone) {
  EXPECT_EQ(pieces("a[i] = b[i];"), "");            // free as it stands
  EXPECT_EQ(pieces("a[i] = a[i - 1] + b[i];"), ""); // everywhere
  EXPECT_EQ(pieces("a[i] = a[k[i]] + b[i];"), "");  // nowhere known
  // One cut is not enough.
  EXPECT_EQ(pieces("a[i] = a[m] + a[i - 1];"), "");
  EXPECT_EQ(pieces("a[i] = a[m] + b[i]; if (b[i] < t) { break; }"), "");
}

} // namespace
