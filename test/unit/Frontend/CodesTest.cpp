//===- CodesTest.cpp - each reason is documented --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Codes.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <set>
#include <string>

using namespace raise;

TEST(Codes, AreDistinctAndHaveASummaryAndAPage) {
  std::set<std::string> Seen;
  for (const char *const *C = codes::All; *C; ++C) {
    EXPECT_TRUE(Seen.insert(*C).second) << *C;
    EXPECT_NE(std::string(codes::summary(*C)), "") << *C;
    EXPECT_TRUE(llvm::sys::fs::exists(std::string(RAISE_SOURCE_DIR) +
                                      "/docs/diagnostics/" + *C + ".md"))
        << *C;
  }
  EXPECT_EQ(Seen.size(), 30u);
}

TEST(Codes, UnknownCodeHasNoSummary) {
  EXPECT_EQ(std::string(codes::summary("CR9999")), "");
}
