//===- LivenessTest.cpp - scalars that may still be read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Liveness.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// Names of the scalars that are live after the first loop of Text.
std::set<std::string> liveAfterFirstLoop(llvm::StringRef Text) {
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return {};
  }
  FunctionRef F = Fs->front();
  const Stmt *First = nullptr;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    if (!First && S->Kind == StmtKind::For)
      First = S.get();
  });
  Liveness L(*F);
  std::set<std::string> Names;
  for (const Var *V : L.liveAfter(First))
    Names.insert(V->Name);
  return Names;
}

using Names = std::set<std::string>;

TEST(Liveness, OverwrittenBeforeItIsRead) {
  EXPECT_EQ(liveAfterFirstLoop(R"(
    func @f(y: i32*, n: i32) {
      let i: i32;
      for (i = 0; i < n; i += 1) { y[i] = 0; }
      for (i = 0; i < n; i += 1) { y[i] += 1; }
    })"),
            Names({"n"}));
}

TEST(Liveness, ReadAfterwards) {
  EXPECT_EQ(liveAfterFirstLoop(R"(
    func @f(y: i32*, n: i32) {
      let i: i32;
      for (i = 0; i < n; i += 1) { y[i] = 0; }
      y[i] = 1;
    })"),
            Names({"i"}));
}

TEST(Liveness, NextIterationOfTheLoopAround) {
  EXPECT_EQ(liveAfterFirstLoop(R"(
    func @g(y: i32*, n: i32) {
      let j: i32 = 0;
      let t: i32 = 0;
      while (j < n) {
        y[j] = t;
        for (i: i32 = 0; i < n; i += 1) { t = y[i]; }
        j += 1;
      }
    })"),
            Names({"j", "n", "t"}));
}

TEST(Liveness, BreakSkipsTheRestOfTheBody) {
  EXPECT_EQ(liveAfterFirstLoop(R"(
    func @f(y: i32*, n: i32) {
      let s: i32 = 0;
      let k: i32 = 0;
      while (k < n) {
        for (i: i32 = 0; i < n; i += 1) { s = i; }
        if (y[k] > 0) { break; }
        s = 0;
        k += 1;
      }
      y[0] = s;
    })")
                .count("s"),
            1u);
}

} // namespace
