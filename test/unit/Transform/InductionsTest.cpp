//===- InductionsTest.cpp - closed forms of steady scalars ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(Inductions, RandomLoops) {
  checkRandomLoops(
      2500, [](ScalarLoops &L) { return L.function(); }, substituteInductions,
      5);
}

/// The loop of a function with the given parameters, rewritten with all of them
/// read afterwards; empty where it is left alone.
std::string rewritten(const std::string &Params, const std::string &Loop) {
  auto Fs = parseIR("func @f(" + Params + ") {\n" + Loop + "}\n", "test.rir");
  if (!Fs)
    return llvm::toString(Fs.takeError());
  Liveness::VarSet After;
  for (const Param &P : Fs->front()->Params)
    if (P.Scalar)
      After.insert(P.Scalar.get());
  auto *L = llvm::cast<For>(statements(Fs->front()->Body).front().get());
  auto New = substituteInductions(*L, After);
  return New ? toString(*New) : "";
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST(Inductions, PlainWhereTheProductFits) {
  std::string S =
      rewritten("y: i32*, n: i32, k: i32", "for (i: i32 = 0; i < n; i += 1) {"
                                           "  k += 1; y[k] = 0; }");
  EXPECT_TRUE(has(S, "y[k + i + 1] = 0;")) << S;
  EXPECT_TRUE(has(S, "k += 0 < n ? n : 0;")) << S;
}

TEST(Inductions, WideWhereItMayNot) {
  std::string S =
      rewritten("y: i32*, n: i32, k: i32", "for (i: i32 = 0; i < n; i += 1) {"
                                           "  y[k] = k; k += 3; }");
  EXPECT_TRUE(has(S, "y[icast<i64>(k) + 3:i64 * icast<i64>(i)] = "
                     "icast<i32>(icast<i64>(k) + 3:i64 * icast<i64>(i));"))
      << S;
}

TEST(Inductions, ThroughANameThatGoes) {
  std::string S = rewritten("y: i32*, n: i32, k: i32",
                            "for (i: i32 = 0; i < n; i += 1) {"
                            "  let p: i32 = k; k = p + 1; y[k] = p; }");
  EXPECT_TRUE(has(S, "y[k + i + 1] = k + i;")) << S;
}

TEST(Inductions, LeftAlone) {
  const char *Params = "y: i32*, n: i32, k: i32, l: i64, c: i64";
  // Under a condition, by a changing amount, times two, by what is loaded.
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  if (y[i] > 0) { k += 1; } y[k] = 0; }"),
            "");
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  k += i; y[k] = 0; }"),
            "");
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  k = k * 2; y[k] = 0; }"),
            "");
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  k += y[0]; y[k] = 0; }"),
            "");
  // The end of the loop is not that of its range.
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  k += 1; if (y[k] > 0) { break; } }"),
            "");
  // c * i may overflow where no value of l does.
  EXPECT_EQ(rewritten(Params, "for (i: i32 = 0; i < n; i += 1) {"
                              "  l += c; y[l] = 0; }"),
            "");
  // An unsigned variable may pass n and begin again.
  EXPECT_EQ(rewritten("y: i32*, n: u32, k: i32",
                      "for (i: u32 = 0:u32; i < n; i += 2:u32) {"
                      "  k += 1; y[k] = 0; }"),
            "");
}

TEST(Inductions, BoundsThatTheLoopChangesAreKept) {
  std::string S = rewritten("y: i32*, n: i32, k: i32",
                            "for (i: i32 = k; i < y[0]; i += 1) {"
                            "  k += 1; y[k] = 0; }");
  EXPECT_TRUE(has(S, "let i_first: const i32 = k;")) << S;
  EXPECT_TRUE(has(S, "let i_end: const i32 = y[0];")) << S;
  EXPECT_TRUE(has(S, "i < i_end")) << S;
}

} // namespace
