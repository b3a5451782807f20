//===- RemarksTest.cpp - results as Clang-style remarks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Remarks.h"
#include "gtest/gtest.h"

using namespace raise;

static std::string remark(const Result &R, llvm::StringRef Source) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printRemark(OS, R, Source);
  return Text;
}

static Result loopAt(unsigned Line, unsigned Column) {
  Result R;
  R.File = "k.cpp";
  R.Line = Line;
  R.Column = Column;
  return R;
}

TEST(Remarks, RaisedHasKindAndFormula) {
  Result R = loopAt(14, 3);
  R.Outcome = Status::Raised;
  R.Kind = "map";
  R.Notation = "y[i] = x[i]·x[i]\nz[i] = 0\n";
  EXPECT_EQ(remark(R, ""),
            "k.cpp:14:3: remark: raised to a map: y[i] = x[i]·x[i]; z[i] = 0 "
            "[-Rraise]\n");
}

TEST(Remarks, ArticleFollowsTheKind) {
  Result R = loopAt(1, 1);
  R.Outcome = Status::Raised;
  R.Kind = "outer product";
  EXPECT_EQ(remark(R, ""),
            "k.cpp:1:1: remark: raised to an outer product [-Rraise]\n");
}

TEST(Remarks, MissedQuotesTheLineThatStoppedIt) {
  Result R = loopAt(1, 1);
  R.Why = {"CR1101", "carried", {"k.cpp", 2, 9, 20, 26, false}};
  EXPECT_EQ(remark(R, "for (...)\n\tu[i] = u[i-1];\n"),
            "k.cpp:1:1: remark: not raised: carried [CR1101, -Rraise-missed]\n"
            "    2 | \tu[i] = u[i-1];\n"
            "      | \t       ^~~~~~\n");
}

TEST(Remarks, ReasonInAnotherFileIsNamed) {
  Result R = loopAt(1, 1);
  R.Why = {"CR1005", "calls f", {"h.h", 7, 2, 0, 0, false}};
  EXPECT_EQ(remark(R, "x\n"), "k.cpp:1:1: remark: not raised: calls f (at "
                              "h.h:7:2) [CR1005, -Rraise-missed]\n");
}

TEST(Remarks, RaisedButNotRewrittenSaysWhy) {
  Result R = loopAt(1, 1);
  R.Outcome = Status::Raised;
  R.Kind = "map";
  R.Why = {"CR1601", "compile with -fopenmp", {}};
  EXPECT_EQ(remark(R, ""),
            "k.cpp:1:1: remark: raised to a map [-Rraise]\n"
            "k.cpp:1:1: remark: not rewritten: compile with -fopenmp [CR1601, "
            "-Rraise-missed]\n");
}

TEST(Remarks, PlaceOutsideTheTextPrintsNoSnippet) {
  Result R = loopAt(1, 1);
  R.Why = {"CR1101", "carried", {"k.cpp", 9, 9, 0, 0, false}};
  EXPECT_EQ(
      remark(R, "one line"),
      "k.cpp:1:1: remark: not raised: carried [CR1101, -Rraise-missed]\n");
}
