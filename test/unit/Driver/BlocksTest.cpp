//===- BlocksTest.cpp - marked blocks in a source -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Blocks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::HasSubstr;

static std::vector<MarkedBlock> good(llvm::StringRef Text) {
  auto B = findBlocks(Text);
  if (!B) {
    ADD_FAILURE() << toString(B.takeError());
    return {};
  }
  return *B;
}

static std::string bad(llvm::StringRef Text) {
  auto B = findBlocks(Text);
  if (B) {
    ADD_FAILURE() << "accepted";
    return "";
  }
  return toString(B.takeError());
}

TEST(Blocks, RoundTrip) {
  std::string Block = markBlock("f:1", "// y[i] = 0\nfor (;;) {\n}");
  auto B = good("int a;\n  " + Block + "\nint b;\n");
  ASSERT_EQ(B.size(), 1u);
  EXPECT_EQ(B[0].Id, "f:1");
  EXPECT_EQ(B[0].Line, 2u);
  EXPECT_EQ(B[0].Column, 3u);
  EXPECT_EQ(B[0].Begin, 9u);
  EXPECT_EQ(B[0].End, 9 + Block.size());
  EXPECT_EQ(B[0].FirstLine, "y[i] = 0");
  EXPECT_FALSE(B[0].Edited);
}

TEST(Blocks, FormattingIsNoEditButAnythingElseIs) {
  std::string Block = markBlock("f:1", "a = b;\nc = d;");
  std::string Formatted = Block, Edited = Block;
  Formatted.replace(Formatted.find("a = b;"), 6, "   a=b;");
  Edited.replace(Edited.find("a = b;"), 6, "a = e;");
  EXPECT_FALSE(good(Formatted)[0].Edited);
  EXPECT_TRUE(good(Edited)[0].Edited);
}

TEST(Blocks, ACommentMayBeBrokenDifferently) {
  std::string Block = markBlock("f:1", "// one two\n// three\na();\nb();");
  std::string Broken = Block, Commented = Block;
  Broken.replace(Broken.find("// one two\n// three"), 19,
                 "  // one\n  // two three");
  Commented.replace(Commented.find("a();"), 4, "// a();");
  EXPECT_FALSE(good(Broken)[0].Edited);
  EXPECT_TRUE(good(Commented)[0].Edited);
}

TEST(Blocks, SealingGivesWhatMarkingGives) {
  std::string Text = "x\n" + openBlock("f:1", "a();") + "\ny\n  " +
                     openBlock("f:2", "// c\nb();") + "\n";
  sealBlocks(Text);
  EXPECT_EQ(Text, "x\n" + markBlock("f:1", "a();") + "\ny\n  " +
                      markBlock("f:2", "// c\nb();") + "\n");
}

TEST(Blocks, LastLineNeedsNoNewline) {
  EXPECT_EQ(good(markBlock("a", "b") + "\n" + markBlock("c", "d")).size(), 2u);
}

TEST(Blocks, BrokenMarkersAreNamedByLine) {
  EXPECT_THAT(bad("// clang-raise: f 0123456789abcdef\n"), HasSubstr("1: no"));
  std::string Open = "// clang-raise: f 0123456789abcdef\n";
  EXPECT_THAT(bad(Open + Open), HasSubstr("2: the block above"));
}

TEST(Blocks, WhatOnlyResemblesAMarkerIsAComment) {
  for (const char *Comment :
       {"// clang-raise: hello", "// clang-raise: end", "// clang-raise: f xyz",
        "// clang-raise: ", "// clang-raise: f 0123456789abcdefg",
        "// clang-raise: f g 0123456789abcdef"}) {
    EXPECT_EQ(good(std::string(Comment) + "\n").size(), 0u) << Comment;
    auto B = good(markBlock("f:1", std::string(Comment) + "\nbody();"));
    EXPECT_EQ(B.size(), 1u) << Comment;
  }
}

TEST(Blocks, SealingLeavesOtherText) {
  std::string Other = "const char *s = \"????????????????\"; // "
                      "????????????????\n";
  std::string Text = Other + openBlock("f:1", "a();") + "\n" + Other;
  sealBlocks(Text);
  EXPECT_EQ(Text, Other + markBlock("f:1", "a();") + "\n" + Other);
}

TEST(Blocks, AroundIsByWholeContainment) {
  auto B = good("\n" + markBlock("f:1", "body"));
  EXPECT_EQ(blockAround(B, 0, 2), nullptr);
  EXPECT_EQ(blockAround(B, B[0].Begin + 3, B[0].End), &B[0]);
}
