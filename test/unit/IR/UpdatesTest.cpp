//===- UpdatesTest.cpp - updates whose order does not matter --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Updates.h"
#include "gtest/gtest.h"

using namespace raise;

TEST(Updates, CombineInAnyOrderIfTheyDoNotRound) {
  const Type I32 = Type::getI32(), F64 = Type::getFloat(64);
  for (const Combiner Op : {Combiner::Add, Combiner::Sub, Combiner::Mul}) {
    EXPECT_TRUE(combinesInAnyOrder(Op, I32, I32, FPMode::Strict));
    EXPECT_FALSE(combinesInAnyOrder(Op, F64, F64, FPMode::Strict));
    EXPECT_TRUE(combinesInAnyOrder(Op, F64, F64, FPMode::Reduce));
    // An integer that takes a float is rounded in every step.
    EXPECT_FALSE(combinesInAnyOrder(Op, I32, F64, FPMode::Fast));
  }
  for (const Combiner Op : {Combiner::And, Combiner::Or, Combiner::Xor,
                            Combiner::Min, Combiner::Max}) {
    EXPECT_TRUE(combinesInAnyOrder(Op, I32, I32, FPMode::Strict));
    EXPECT_FALSE(combinesInAnyOrder(Op, F64, F64, FPMode::Fast));
  }
  for (const Combiner Op : {Combiner::None, Combiner::Div, Combiner::Rem})
    EXPECT_FALSE(combinesInAnyOrder(Op, I32, I32, FPMode::Fast));
}

TEST(Updates, SmallArraysFitEachThread) {
  Buffer B;
  B.Name = "h";
  B.Elem = Type::getI32();
  B.Kind = BufferKind::Global;
  const auto Of = [&](std::vector<int64_t> Extents) {
    B.Extents.clear();
    for (const int64_t E : Extents)
      B.Extents.push_back(build::intConst(E, Type::getI64()));
    return fitsEachThread(B);
  };
  EXPECT_TRUE(Of({256}));
  EXPECT_TRUE(Of({16384})); // 64 KiB
  EXPECT_TRUE(Of({16, 8, 4}));
  EXPECT_FALSE(Of({16385}));
  EXPECT_FALSE(Of({1 << 12, 1 << 12, 1 << 12, 1 << 12, 1 << 12, 1 << 12}));
  EXPECT_FALSE(Of({0}));
  B.Extents = {nullptr};
  EXPECT_FALSE(fitsEachThread(B)) << "of unknown size";
  ASSERT_TRUE(Of({256}));
  B.Volatile = true;
  EXPECT_FALSE(fitsEachThread(B));
  B.Volatile = false;
  B.Kind = BufferKind::Param;
  EXPECT_FALSE(fitsEachThread(B)) << "a clause takes a pointer's own value";
  B.Kind = BufferKind::Local;
  EXPECT_TRUE(fitsEachThread(B));
  B.Lies = ArrayHome::Heap;
  EXPECT_FALSE(fitsEachThread(B));
  B.Lies = ArrayHome::Automatic;
  B.Name = "s.h";
  EXPECT_FALSE(fitsEachThread(B)) << "no clause names a member";
}
