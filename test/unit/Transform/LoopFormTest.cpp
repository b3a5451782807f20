//===- LoopFormTest.cpp - loops as ascending half-open ranges -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopForm.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// "lo .. hi step s" of the loop with the given header, or the refusal's code.
std::string formOf(std::string Header, bool KeepOrder = false) {
  auto Fs = parseIR("func @f(y: i32*, n: i32, m: u32, l: i64, s: i32) {\n"
                    "  for (" +
                        Header + ") { y[0] = 1; }\n}\n",
                    "test.rir");
  if (!Fs)
    return llvm::toString(Fs.takeError());
  const For *L = nullptr;
  forEachStmt(Fs->front()->Body, [&](const StmtRef &S) {
    if (auto *X = llvm::dyn_cast<For>(S.get()))
      L = X;
  });
  Reason Why;
  auto Form = ascendingForm(*L, KeepOrder, Why);
  if (!Form)
    return Why.Code;
  return toString(Form->Lo) + " .. " + toString(Form->Hi) + " step " +
         toString(Form->Step);
}

TEST(LoopForm, Ascending) {
  EXPECT_EQ(formOf("i: i32 = 1; i < n; i += 2"), "1 .. n step 2");
  EXPECT_EQ(formOf("i: i32 = 0; i <= n - 1; i += 1"), "0 .. n step 1");
  EXPECT_EQ(formOf("i: i32 = 0; i <= n; i += 1"), "0 .. n + 1 step 1");
  EXPECT_EQ(formOf("i: i32 = 0; i != n; i += 1"), "0 .. n step 1");
  EXPECT_EQ(formOf("i: i32 = 0; i < n; i += s"), "0 .. n step s");
}

TEST(LoopForm, UnsignedEndsThatWrapAreRefused) {
  EXPECT_EQ(formOf("i: u32 = 0:u32; i <= m; i += 1:u32"), "CR1204");
  EXPECT_EQ(formOf("i: u32 = 0:u32; i != m; i += 1:u32"), "CR1204");
}

TEST(LoopForm, DescendingIsReversedWhereNothingOverflows) {
  EXPECT_EQ(formOf("i: i32 = n - 1; i >= 0; i += -1"), "0 .. n step 1");
  EXPECT_EQ(formOf("i: i32 = n - 2; i > 0; i += -1"), "1 .. n - 1 step 1");
  // n + 1 would overflow for the largest n.
  EXPECT_EQ(formOf("i: i32 = n; i >= 0; i += -1"), "CR1204");
  EXPECT_EQ(formOf("i: i32 = n - 1; i >= 0; i += -2"), "CR1204");
  EXPECT_EQ(formOf("i: i32 = n - 1; i >= 0; i += -1", /*KeepOrder=*/true),
            "CR1204");
}

TEST(LoopForm, CountingAway) {
  EXPECT_EQ(formOf("i: i32 = 0; i < n; i += -1"), "CR1204");
}

} // namespace
