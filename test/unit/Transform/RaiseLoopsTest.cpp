//===- RaiseLoopsTest.cpp - what is tested before an operation ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

struct Outcome {
  std::string Code; ///< of the first reason; empty where all was raised
  size_t Guards = 0;
  bool IsRaised = false;
};

/// A kernel as the pass before leaves it: a statement, and a loop that needs
/// buffers apart up to w.
Outcome raiseAfter(const std::string &First) {
  auto Fs = parseIR("kernel @k(y: f32*, x: const f32*, w: i32) {"
                    "  region {"
                    "    body {" +
                        First +
                        "      for (i: i32 = 0; i < w; i += 1) {"
                        "        y[i] = x[i];"
                        "      }"
                        "    }"
                        "    original { y[0] = 1.0:f32; }"
                        "  }"
                        "}",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return {};
  }
  auto F = std::make_shared<Function>(*Fs->front());
  F->Body = statements(F->Body).front();
  Context Ctx;
  FunctionRef After = raiseLoops(F, Ctx);
  Outcome O;
  if (!Ctx.Missed.empty())
    O.Code = Ctx.Missed.front().Code;
  if (auto *R = llvm::dyn_cast<Region>(After->Body.get())) {
    O.IsRaised = true;
    O.Guards = R->Rests.Guards.size();
  }
  return O;
}

// A test is made once, before all of the operation: what a statement of the
// operation itself may change cannot be tested there.
TEST(RaiseLoops, WhatTheOperationChangesIsNotTested) {
  Outcome O = raiseAfter("w = 3;");
  EXPECT_EQ(O.Code, "CR1203");
  EXPECT_FALSE(O.IsRaised);
}

TEST(RaiseLoops, WhatItLeavesIsTested) {
  Outcome O = raiseAfter("y[0] = 2.0:f32;");
  EXPECT_EQ(O.Code, "");
  EXPECT_TRUE(O.IsRaised);
  EXPECT_GT(O.Guards, 0u);
}

} // namespace
