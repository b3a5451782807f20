//===- ProgressTest.cpp - how far a run is --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../../../lib/Driver/Progress.h"
#include "gtest/gtest.h"

using namespace raise;

TEST(Progress, TellsWhatIsLeft) {
  EXPECT_EQ(progressText(0, 9, 2, 0, 5, "a.c"), "[0/9] 2 running: a.c");
  EXPECT_EQ(progressText(3, 9, 2, 1, 33.5, "a.c"),
            "[3/9] 2 running, 1 failed, 1:07 left: a.c");
  EXPECT_EQ(progressText(9, 9, 0, 0, 100, "a.c"), "[9/9] 0 running: a.c");
}

TEST(Progress, NamesStayOnOneLine) {
  EXPECT_EQ(progressText(0, 1, 1, 0, 0, "a\nb\x1b[31m.c"),
            "[0/1] 1 running: a?b?[31m.c");
  std::string Text = progressText(0, 1, 1, 0, 0, std::string(300, 'x'));
  EXPECT_LT(Text.size(), 80u);
}

TEST(Progress, TheLineIsGoneAtTheEnd) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  {
    Progress P(OS, 2, /*Shown=*/true);
    P.started("a.c");
    P.finished("a.c", /*IsFailure=*/true);
    EXPECT_NE(Text.find("[1/2] 0 running, 1 failed"), std::string::npos);
  }
  EXPECT_TRUE(llvm::StringRef(Text).ends_with("\r\x1b[K"));
  EXPECT_EQ(llvm::StringRef(Text).count('\n'), 0u);
}

TEST(Progress, IsSilentElsewhere) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  {
    Progress P(OS, 2, /*Shown=*/false);
    P.started("a.c");
    P.finished("a.c", false);
  }
  EXPECT_EQ(Text, "");
}
