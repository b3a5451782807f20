//===- NestGuardsTest.cpp - tests that follow from others -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NestGuards.h"
#include "raise/IR/Text.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// The guards of a region, each as text, after dropImplied.
std::vector<std::string> left(const std::vector<std::string> &Tests) {
  std::string Text = "func @f(x: f64*, n: u64, m: u64, k: i32, "
                     "s: i16, b: u8) {\nregion {\n";
  for (const std::string &T : Tests)
    Text += "guard (" + T + ") \"\"\n";
  Text += "body { x[0] = 1.0:f64; }\noriginal { x[0] = 1.0:f64; }\n}\n}\n";
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError()) << Text;
    return {};
  }
  const llvm::ArrayRef<StmtRef> Body = statements(Fs->front()->Body);
  std::vector<Guard> Guards =
      llvm::cast<Region>(Body.front().get())->Rests.Guards;
  dropImplied(Guards);
  std::vector<std::string> Out;
  for (const Guard &G : Guards)
    Out.push_back(sourceText(G.Cond));
  return Out;
}

using Texts = std::vector<std::string>;

TEST(DropImplied, TheSmallerLimitStays) {
  EXPECT_EQ(left({"n <= 100:u64", "n <= 7:u64"}), Texts{"n <= 7"});
  EXPECT_EQ(left({"n <= 7:u64", "n <= 100:u64"}), Texts{"n <= 7"});
  EXPECT_EQ(left({"n <= 7:u64", "m <= 100:u64"}).size(), 2u);
}

// n*m + m <= 9 says n*m <= 9, and that m + 8 >= n*m.
TEST(DropImplied, SumsOfNumbersThatAreNotNegative) {
  const std::string Small = "n <= 1000:u64", Also = "m <= 1000:u64",
                    Product = "icast<i64>(n) * icast<i64>(m)";
  const auto Left = left({Small, Also, Product + " <= 9:i64",
                          "icast<i64>(m) + 9:i64 >= " + Product,
                          Product + " + icast<i64>(m) <= 9:i64"});
  EXPECT_EQ(Left.size(), 3u);
  EXPECT_EQ(Left.back(), "n * m + m <= 9");
}

// k may be negative: k + m <= 9 says nothing of m.
TEST(DropImplied, ASignedNumberMayTakeAway) {
  EXPECT_EQ(left({"m <= 1000:u64", "icast<i64>(m) <= 9:i64",
                  "icast<i64>(m) + icast<i64>(k) <= 9:i64"})
                .size(),
            3u);
}

// Without a limit a cast may make a large number a negative one.
TEST(DropImplied, WhatMayNotFitSaysNothing) {
  EXPECT_EQ(left({"n <= 9:u64", "icast<i64>(n) <= 5:i64"}).size(), 2u);
  EXPECT_EQ(left({"icast<i64>(n) <= 9:i64", "icast<i64>(n) <= 5:i64"}).size(),
            2u);
}

// Compilers warn of what a short's type says, through conversions that keep
// its values.
TEST(DropImplied, WhatTheTypeSays) {
  EXPECT_EQ(left({"icast<i64>(s) <= 2147483647:i64"}), Texts{});
  EXPECT_EQ(left({"icast<i64>(icast<i32>(s)) < 32768:i64"}), Texts{});
  EXPECT_EQ(left({"icast<i32>(s) >= -32768"}), Texts{});
  EXPECT_EQ(left({"icast<i32>(b) >= 0"}), Texts{});
  EXPECT_EQ(left({"icast<i64>(k) > -2147483649:i64"}), Texts{});
  EXPECT_EQ(left({"icast<i64>(s) <= 32766:i64"}).size(), 1u);
  EXPECT_EQ(left({"icast<i64>(s) >= 0:i64"}).size(), 1u);
  EXPECT_EQ(left({"icast<i32>(b) > 0"}).size(), 1u);
  EXPECT_EQ(left({"icast<i64>(cast<u16>(s)) <= 40000:i64"}).size(), 1u);
  EXPECT_EQ(left({"icast<u64>(s) <= 40000:u64"}).size(), 1u);
  EXPECT_EQ(left({"icast<i64>(icast<i8>(b)) >= 0:i64"}).size(), 1u);
}

// The largest unsigned number is no limit.
TEST(DropImplied, LargeNumbers) {
  EXPECT_EQ(left({"n <= 100:u64", "n <= 18446744073709551615:u64"}).front(),
            "n <= 100");
}

// n*m*n does not fit before n and m are known to be small.
TEST(DropImplied, NothingIsComputedTooEarly) {
  const auto Left = left({"icast<i64>(k) <= 9:i64", "n <= 1000:u64",
                          "icast<i64>(k) + icast<i64>(n) * icast<i64>(n) <= "
                          "9:i64"});
  EXPECT_EQ(Left.size(), 3u);
}

} // namespace
