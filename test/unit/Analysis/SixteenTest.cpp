//===- SixteenTest.cpp - kernels of the kind that real programs have ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Index arithmetic as in widely used layers: mixed-radix decompositions by
// parameters, parametric strides, triangles, gathers. Each answer is checked
// twice: never a conflict where the guards hold, for any small parameters; and
// the guards hold for the parameters that callers use.
//
//===----------------------------------------------------------------------===//

#include "LoopChecks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using namespace raise::testing;

namespace {

struct Case {
  const char *File;
  LoopFacts::Result Expected;
  const char *Code; ///< of the reason, where the answer is not Independent
  std::vector<Sizes> Sensible;
};

const auto Independent = LoopFacts::Result::Independent;
const auto Unknown = LoopFacts::Result::Unknown;

std::vector<Case> cases() {
  return {
      {"reorg",
       Independent,
       "",
       {{{"N", 96},
         {"w", 2},
         {"h", 3},
         {"c", 8},
         {"batch", 2},
         {"stride", 2},
         {"forward", 1}},
        {{"N", 96},
         {"w", 2},
         {"h", 3},
         {"c", 8},
         {"batch", 2},
         {"stride", 2},
         {"forward", 0}}}},
      {"shortcut",
       Independent,
       "",
       {{{"size", 36},
         {"minw", 3},
         {"minh", 2},
         {"minc", 3},
         {"stride", 1},
         {"sample", 1},
         {"batch", 2},
         {"w1", 3},
         {"h1", 2},
         {"c1", 3},
         {"w2", 3},
         {"h2", 2},
         {"c2", 4}},
        {{"size", 24},
         {"minw", 3},
         {"minh", 2},
         {"minc", 2},
         {"stride", 1},
         {"sample", 2},
         {"batch", 2},
         {"w1", 3},
         {"h1", 2},
         {"c1", 2},
         {"w2", 6},
         {"h2", 4},
         {"c2", 2}}}},
      {"upsample",
       Independent,
       "",
       {{{"N", 96},
         {"w", 2},
         {"h", 3},
         {"c", 2},
         {"batch", 2},
         {"stride", 2},
         {"forward", 1}},
        {{"N", 96},
         {"w", 2},
         {"h", 3},
         {"c", 2},
         {"batch", 2},
         {"stride", 2},
         {"forward", 0}}}},
      {"im2col",
       Independent,
       "",
       {{{"n", 24},
         {"height", 4},
         {"width", 3},
         {"ksize", 3},
         {"pad", 1},
         {"stride", 1},
         {"height_col", 4},
         {"width_col", 3}}}},
      {"col2im",
       Independent,
       "",
       {{{"n", 24},
         {"height", 4},
         {"width", 3},
         {"ksize", 3},
         {"pad", 1},
         {"stride", 1},
         {"height_col", 4},
         {"width_col", 3}},
        {{"n", 32},
         {"height", 4},
         {"width", 4},
         {"ksize", 2},
         {"pad", 0},
         {"stride", 2},
         {"height_col", 2},
         {"width_col", 2}}}},
      {"copy-inc",
       Independent,
       "",
       {{{"N", 7}, {"OFFX", 0}, {"INCX", 1}, {"OFFY", 0}, {"INCY", 1}},
        {{"N", 5}, {"OFFX", 2}, {"INCX", 3}, {"OFFY", 1}, {"INCY", 2}}}},
      {"maxpool-forward",
       Independent,
       "",
       {{{"n", 24},
         {"in_h", 4},
         {"in_w", 6},
         {"in_c", 2},
         {"stride", 2},
         {"size", 2},
         {"pad", 1}}}},
      {"maxpool-backward",
       Independent,
       "",
       {{{"n", 96},
         {"in_h", 4},
         {"in_w", 6},
         {"in_c", 2},
         {"stride", 2},
         {"size", 2},
         {"pad", 1}}}},
      {"l2norm",
       Independent,
       "",
       {{{"N", 12}, {"batch", 2}, {"filters", 3}, {"spatial", 6}}}},
      // Where the groups lie is known to the caller only.
      {"softmax-tree", Unknown, "CR1109", {}},
      {"flatten",
       Independent,
       "",
       {{{"N", 24},
         {"spatial", 4},
         {"layers", 3},
         {"batch", 2},
         {"forward", 1}},
        {{"N", 24},
         {"spatial", 4},
         {"layers", 3},
         {"batch", 2},
         {"forward", 0}}}},
      {"crop",
       Independent,
       "",
       {{{"size", 16},
         {"c", 2},
         {"h", 3},
         {"w", 3},
         {"crop_height", 2},
         {"crop_width", 2}}}},
      {"add-bias", Independent, "", {{{"batch", 2}, {"n", 3}, {"size", 4}}}},
      // Rows of delta are shared between pairs.
      {"dot", Unknown, "CR1103", {}},
      {"attention",
       Independent,
       "",
       {{{"B", 2}, {"T", 3}, {"C", 4}, {"NH", 2}},
        {{"B", 1}, {"T", 4}, {"C", 6}, {"NH", 3}}}},
      {"csr", Independent, "", {{{"n", 3}}}},
  };
}

/// What is wrong with the answer; empty if nothing.
std::string judge(const Case &C, bool Threads) {
  Question Q;
  Q.Threads = Threads;
  Answer A = askFile(std::string(C.File) + ".rir", Q);
  if (!A.Error.empty())
    return A.Error;
  if (A.Facts.R != C.Expected)
    return "answer " + A.toString();
  if (!A.independent())
    return A.Facts.Why.Code == C.Code ? "" : "code " + A.Facts.Why.Code;
  for (const Sizes &S : C.Sensible) {
    Trial T;
    tryOnce(A, S, 7, false, T);
    if (T.Refused || !T.Violation.empty() || T.Stopped)
      return "sensible sizes: " + T.Violation +
             (T.Refused   ? "a guard fails"
              : T.Stopped ? "stopped"
                          : "") +
             "\n" + A.toString();
  }
  return "";
}

TEST(Sixteen, Answers) {
  unsigned Right = 0;
  for (const Case &C : cases()) {
    std::string Wrong = judge(C, false);
    Right += Wrong.empty();
    EXPECT_EQ(Wrong, "") << C.File;
  }
  RecordProperty("right", Right);
  EXPECT_GE(Right, 12u);
}

TEST(Sixteen, NeverAConflictUnderGuards) {
  for (bool Threads : {false, true})
    for (const Case &C : cases()) {
      Question Q;
      Q.Threads = Threads;
      Answer A = askFile(std::string(C.File) + ".rir", Q);
      if (!A.independent())
        continue;
      Trial T = tryMany(A, 6, 200);
      EXPECT_EQ(tryExtremes(A, 3000), "") << C.File;
      EXPECT_EQ(T.Violation, "") << C.File << "\n" << A.toString();
      EXPECT_GT(T.Ran, 0u) << C.File << "\n" << A.toString();
    }
}

} // namespace
