//===- AlwaysDefinedTest.cpp - what may be computed ahead -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AlwaysDefined.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// Whether E may be computed ahead for i in 0 .. Points.
bool defined(const std::string &E, const std::string &Points = "n") {
  const std::string Text =
      "func @f(a: const i32*, s: const i16*, b: const i8*, u: const u32*, "
      "l: const i64*, x: const f32*, d: const f64*, n: i32, k: i32, r: i32*) "
      "{\nregion {\nordered \"it ends early\"\nbody {\ntensor (i: search 0 "
      ".. " +
      Points + ") {\nif (" + E +
      ") {\nr[0] = i;\n}\n}\n}\noriginal { for (i: i32 = 0; i < " + Points +
      "; i += 1) {\nif (" + E + ") {\nr[0] = i;\n}\n}\n}\n}\n}";
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError()) << Text;
    return false;
  }
  const TensorOp *T = nullptr;
  forEachStmt(Fs->front()->Body, [&](const StmtRef &S) {
    if (const auto *Found = llvm::dyn_cast<TensorOp>(S.get()))
      T = Found;
  });
  const auto &Asks = llvm::cast<If>(*statements(T->Body).front());
  return isAlwaysDefined(Asks.Cond, &T->Iterators.front());
}

TEST(AlwaysDefined, Sums) {
  EXPECT_TRUE(defined("a[i] > k"));
  EXPECT_FALSE(defined("a[i] + 1 > k"));
  EXPECT_FALSE(defined("a[i] - k > 0"));
  EXPECT_FALSE(defined("a[i] * 2 > k"));
  // What was a short, or is computed in more bits.
  EXPECT_TRUE(defined("icast<i32>(s[i]) * icast<i32>(s[i + 1]) > k"));
  EXPECT_FALSE(
      defined("icast<i32>(s[i]) * icast<i32>(s[i]) * icast<i32>(b[i]) > k"));
  EXPECT_TRUE(defined("icast<i64>(a[i]) * icast<i64>(k) > 5:i64"));
  EXPECT_FALSE(defined("l[i] + 1:i64 > 5:i64"));
  // Numbers without a sign wrap.
  EXPECT_TRUE(defined("u[i] * u[i + 1] > 7:u32"));
  EXPECT_TRUE(defined("icast<u64>(l[i]) * icast<u64>(l[i + 1]) > 7:u64"));
  EXPECT_TRUE(defined("(icast<u64>(l[i]) << 63:u64) > 7:u64"));
}

TEST(AlwaysDefined, Counters) {
  EXPECT_FALSE(defined("i * 1000 > a[i]"));
  EXPECT_TRUE(defined("i * 1000 > a[i]", "2000"));
  EXPECT_FALSE(defined("i * 3000000 > a[i]", "2000"));
  EXPECT_FALSE(defined("i * k > a[i]", "2000"));
}

TEST(AlwaysDefined, SignsAndShifts) {
  EXPECT_FALSE(defined("-a[i] > k"));
  EXPECT_TRUE(defined("-icast<i32>(s[i]) > k"));
  EXPECT_FALSE(defined("(1 << a[i]) > k"));
  EXPECT_FALSE(defined("(a[i] << 3) > k"));
  EXPECT_TRUE(defined("(a[i] >> 3) > k"));
  EXPECT_FALSE(defined("(a[i] >> 32) > k"));
  EXPECT_FALSE(defined("a[i] / k > 2"));
}

TEST(AlwaysDefined, FloatingNumbers) {
  EXPECT_TRUE(defined("x[i] * x[i] > 1.0:f32"));
  EXPECT_TRUE(defined("cast<f64>(a[i]) > d[i]"));
  EXPECT_FALSE(defined("cast<i32>(x[i]) > 5"));
}

} // namespace
