//===- DiffTest.cpp - unified differences ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Diff.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace raise;
using llvm::StringRef;

/// What `patch` does, for the diffs written here: copies up to each hunk, then
/// takes the hunk's ' ' and '+' lines, checking ' ' and '-' against Old.
static std::string patch(StringRef Old, StringRef Diff) {
  llvm::SmallVector<StringRef> Lines, Hunk;
  Old.split(Lines, '\n');
  Diff.split(Hunk, '\n', -1, false);
  std::vector<std::string> Out;
  size_t At = 0;
  for (StringRef L : Hunk) {
    if (L.starts_with("---") || L.starts_with("+++"))
      continue;
    if (L.consume_front("@@ -")) {
      size_t Start = 0, Count = 1;
      L.consumeInteger(10, Start);
      if (L.consume_front(","))
        L.consumeInteger(10, Count);
      size_t First = Count ? Start - 1 : Start;
      while (At < First)
        Out.push_back(Lines[At++].str());
      continue;
    }
    if (L.starts_with("+")) {
      Out.push_back(L.drop_front().str());
      continue;
    }
    EXPECT_EQ(Lines[At], L.drop_front());
    if (L.starts_with(" "))
      Out.push_back(Lines[At].str());
    ++At;
  }
  while (At < Lines.size())
    Out.push_back(Lines[At++].str());
  std::string Text;
  for (size_t I = 0; I < Out.size(); ++I)
    Text += (I ? "\n" : "") + Out[I];
  return Text;
}

TEST(Diff, EqualTextsGiveNothing) {
  EXPECT_EQ(unifiedDiff("a\n", "a\n", "o", "n"), "");
}

TEST(Diff, OneChange) {
  EXPECT_EQ(unifiedDiff("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\n6\n", "o", "n"),
            "--- o\n+++ n\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+x\n 6\n");
}

TEST(Diff, IntoAndOutOfNothing) {
  EXPECT_EQ(unifiedDiff("", "a\n", "o", "n"),
            "--- o\n+++ n\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unifiedDiff("a\n", "", "o", "n"),
            "--- o\n+++ n\n@@ -1 +0,0 @@\n-a\n");
}

TEST(Diff, MissingLastNewlineIsSaid) {
  EXPECT_EQ(
      unifiedDiff("a", "a\n", "o", "n"),
      "--- o\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(Diff, RandomTextsPatchBack) {
  std::mt19937 Random(7);
  for (int Round = 0; Round < 300; ++Round) {
    auto Text = [&] {
      std::string T;
      for (unsigned N = Random() % 30; N; --N)
        T += std::string(1, 'a' + Random() % 3) + "\n";
      return T;
    };
    std::string Old = Text(), New = Text();
    EXPECT_EQ(patch(Old, unifiedDiff(Old, New, "o", "n")), New);
  }
}

TEST(Diff, ChangedRangesAreWholeRuns) {
  std::string New = "a\nx\ny\nb\nz\n";
  auto Ranges = changedRanges("a\nb\nc\n", New);
  ASSERT_EQ(Ranges.size(), 2u);
  EXPECT_EQ(New.substr(Ranges[0].first, Ranges[0].second - Ranges[0].first),
            "x\ny\n");
  EXPECT_EQ(New.substr(Ranges[1].first, Ranges[1].second - Ranges[1].first),
            "z\n");
  EXPECT_TRUE(changedRanges(New, New).empty());
}

TEST(Diff, LineEditsGiveTheNewText) {
  const std::string Texts[] = {"",           "a\n",  "a\nb\nc\n",
                               "a\nc\n",     "b\nc", "x\na\nb\n",
                               "a\nx\nc\ny", "\n\n", "a\r\nb\n"};
  for (const std::string &Old : Texts)
    for (const std::string &New : Texts) {
      std::string Now;
      size_t At = 0;
      for (const LineEdit &E : lineEdits(Old, New)) {
        EXPECT_LE(At, E.Begin);
        EXPECT_LE(E.Begin, E.End);
        Now += Old.substr(At, E.Begin - At) + E.Text;
        At = E.End;
      }
      EXPECT_EQ(Now + Old.substr(At), New);
    }
}
