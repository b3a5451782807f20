//===- DistributeTest.cpp - one loop as several in a row ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Distribute.h"
#include "SequenceChecks.h"
#include "raise/Analysis/Dependences.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

TEST(Distribute, RandomBodies) {
  checkLoopBodies(
      1000,
      [](const FunctionRef &F, Context &Ctx) {
        FunctionRef New = distributePass(F, Ctx);
        return hasRegion(New) ? New : nullptr;
      },
      12);
}

TEST(Distribute, RandomBodiesRaised) {
  checkLoopBodies(
      600,
      [](const FunctionRef &F, Context &Ctx) {
        FunctionRef New = raiseLoops(F, Ctx);
        return hasRegion(New) ? New : nullptr;
      },
      8);
}

/// The loops that Body becomes in `for (i = 1; i < n; ++i)`, by what they store
/// to: "b a" for two; empty: left. All buffers are restrict; t may be read
/// after the loop if Live.
std::string loopsOf(const std::string &Body, bool Live = false) {
  auto Fs = parseIR("func @f(a: f64* restrict, b: f64* restrict, c: f64* "
                    "restrict, d: const f64* restrict, k: const i32* restrict, "
                    "n: i32, t: f64) {\nfor (i: i32 = 1; i < n; i += 1) {\n" +
                        Body + "\n}\n}\n",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return "";
  }
  const Function &F = *Fs->front();
  Context Ctx;
  LoopQuery Q;
  Q.Loop = llvm::cast<For>(statements(F.Body).front().get());
  std::vector<const Var *> After;
  if (Live)
    After.push_back(F.findParam("t")->Scalar.get());
  Q.LiveOut = &After;
  auto New = distribute(Q, F, Ctx);
  std::string Out;
  for (const StmtRef &S : New ? New->Body : std::vector<StmtRef>()) {
    Out += Out.empty() ? "" : " ";
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *W = llvm::dyn_cast<Store>(Sub.get()))
        Out += W->To.Buf->Name;
    });
  }
  return Out;
}

TEST(Distribute, StatementsAreReordered) {
  // b reads what a will store one iteration later.
  EXPECT_EQ(loopsOf("a[i] = c[i]; b[i] = a[i + 1];"), "b a");
  EXPECT_EQ(loopsOf("a[i] = b[i - 1]; b[i] = c[i];"), "b a");
  // Written twice: the later value stays.
  EXPECT_EQ(loopsOf("a[i + 1] = c[i]; a[i] = d[i];"), "a a");
}

TEST(Distribute, AnOrderStaysInALoopOfItsOwn) {
  EXPECT_EQ(loopsOf("a[i] = d[i]; b[i] = b[i - 1] * b[i - 1]; c[i] = a[i];"),
            "ac b");
  EXPECT_EQ(loopsOf("b[i] = b[i - 1] * b[i - 1]; c[i] = b[i];"), "b c");
  // Nothing is free.
  EXPECT_EQ(loopsOf("a[i] = a[i - 1] * a[i - 1]; b[i] = b[i - 1] * a[i];"), "");
}

TEST(Distribute, CyclesStayTogether) {
  EXPECT_EQ(loopsOf("a[i] = b[i - 1]; b[i] = a[i - 1];"), "");
  // Unknown elements: an edge both ways.
  EXPECT_EQ(loopsOf("a[i] = d[i]; b[k[i]] = a[k[i]];"), "");
}

TEST(Distribute, ScalarsOfTheIterationAreRepeated) {
  EXPECT_EQ(loopsOf("t = d[i] * 2.0; a[i] = t + b[i - 1]; b[i] = t;"), "b a");
  EXPECT_EQ(loopsOf("let x: f64 = d[i]; a[i] = x + b[i - 1]; b[i] = x;"),
            "b a");
  // What it reads is stored before its second use: the loops' order keeps it.
  EXPECT_EQ(loopsOf("t = a[i]; a[i] = b[i - 1]; b[i] = t;"), "b a");
  EXPECT_EQ(loopsOf("t = a[i] + b[i]; a[i] = c[i - 1]; b[i] = t; c[i] = t;"),
            "bc a");
  EXPECT_EQ(loopsOf("t = a[i - 1]; a[i] = b[i - 1]; b[i] = t;"), "");
  // Carried, or read after the loop.
  EXPECT_EQ(loopsOf("a[i] = t + b[i - 1]; t = d[i]; b[i] = t;"), "");
  EXPECT_EQ(loopsOf("t = d[i]; a[i] = t + b[i - 1]; b[i] = t;", true), "");
  // A call is not made twice.
  EXPECT_EQ(loopsOf("t = @exp(d[i]); a[i] = t + b[i - 1]; b[i] = t;"), "");
}

TEST(Distribute, ConditionsAreRepeated) {
  EXPECT_EQ(loopsOf("if (d[i] < 0.0) { a[i] = b[i - 1]; b[i] = c[i]; }"),
            "b a");
  EXPECT_EQ(loopsOf("if (d[i] < t) { a[i] = c[i]; } else { b[i] = a[i - 1]; "
                    "}"),
            "a b");
  // a is read by the test before it is stored.
  EXPECT_EQ(loopsOf("if (a[i] < 0.0) { a[i] = b[i - 1]; b[i] = c[i]; }"),
            "b a");
  EXPECT_EQ(loopsOf("if (b[i + 1] < 0.0) { a[i] = b[i - 1]; b[i] = c[i]; }"),
            "");
}

TEST(Distribute, StoredValuesFreeTheirReaders) {
  // a[i] is the iteration's own: only a[i + 1] must be read before.
  EXPECT_EQ(loopsOf("a[i] = c[i] * 2.0; b[i] = a[i] + a[i + 1];"), "b a");
  EXPECT_EQ(loopsOf("a[i] += c[i]; b[i] = a[i] + a[i + 1];"), "b a");
  // The element may have changed in between.
  EXPECT_EQ(loopsOf("a[i] = c[i]; a[k[i]] = d[i]; b[i] = a[i] + a[i + 1];"),
            "");
  // What a's new value is made of is overwritten by b.
  EXPECT_EQ(loopsOf("a[i] = b[i] * c[i]; b[i] = a[i] * a[i + 1];"), "");
}

TEST(Distribute, LeftAlone) {
  EXPECT_EQ(loopsOf("a[i] = c[i]; if (d[i] < 0.0) { break; } b[i] = a[i + 1];"),
            "");
  EXPECT_EQ(loopsOf("a[i] = c[i]; b[i] = d[i];"), ""); // free as it stands
  EXPECT_EQ(loopsOf("a[i] = a[i - 1] + 1.0;"), "");
}

// Such a bound is evaluated once, before the loops: too late for a test.
TEST(Distribute, TestsDoNotLookAtBoundsFromTheRegion) {
  const char *Loop = ") {\nfor (i: i32 = 0; i < n / k; i += 1) { a[i] = 1.0; "
                     "b[i] = a[i + 1]; }\n}\n";
  for (const char *Params :
       {"a: f64*, b: f64*, n: i32, k: i32",
        "a: f64* restrict, b: f64* restrict, n: i32, k: i32"}) {
    auto Fs = parseIR("func @f(" + std::string(Params) + Loop, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError());
    Context Ctx;
    FunctionRef New = distributePass(Fs->front(), Ctx);
    EXPECT_EQ(hasRegion(New), Fs->front()->Params[0].Buf->Restrict);
    EXPECT_TRUE(verify(*New).empty());
  }
}

TEST(Dependences, NamesWhatItRestsOn) {
  auto Fs = parseIR("func @f(a: f64*, b: f64*, n: i32) {\nfor (i: i32 = 0; i < "
                    "n; i += 1) { a[i] = 1.0; b[i] = a[i + 1]; }\n}\n",
                    "test.rir");
  ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError());
  Context Ctx;
  LoopQuery Q;
  Q.Loop = llvm::cast<For>(statements(Fs->front()->Body).front().get());
  BodyFacts Facts = analyseBody(Q, *Fs->front(), Ctx);
  ASSERT_FALSE(Facts.Why.isSet());
  ASSERT_EQ(Facts.Parts.size(), 2u);
  ASSERT_EQ(Facts.Order.size(), 1u);
  EXPECT_EQ(Facts.Order.front(), std::make_pair(1u, 0u));
  ASSERT_EQ(Facts.Guards.size(), 1u);
  EXPECT_FALSE(Facts.Guards.front().Cond);
}

} // namespace
