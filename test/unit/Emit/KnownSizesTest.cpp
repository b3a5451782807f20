//===- KnownSizesTest.cpp - loops that can never be long ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Emit/KnownSizes.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Text.h"
#include "gtest/gtest.h"

using namespace raise;
using llvm::cast;

namespace {

/// A function whose only region computes Body.
FunctionRef regionOf(const std::string &Body) {
  auto Functions =
      parseIR("func @f(y: f32*, x: const f32*, k: const i32*, n: i32) {\n"
              "  region {\n"
              "    body { tensor (i: parallel 0 .. n) { " +
                  Body +
                  " } }\n"
                  "    original { for (i: i32 = 0; i < n; i += 1) { " +
                  Body + " } }\n  }\n}\n",
              "test");
  if (!Functions) {
    ADD_FAILURE() << llvm::toString(Functions.takeError());
    return nullptr;
  }
  return Functions->front();
}

/// Whether the region is left as it is, where what is passed for the parameter
/// at Index has Elements.
bool isLeft(const std::string &Body, unsigned Index, uint64_t Elements) {
  const FunctionRef F = regionOf(Body);
  if (!F)
    return false;
  ArraySizes Sizes;
  Sizes[F->Params[Index].Buf.get()] = Elements;
  const KnownSizes Known(Sizes);
  const StmtRef &Only = cast<Block>(F->Body.get())->Body.front();
  return whyNotEmit(*cast<Region>(Only.get()), *F, Options()).Code == "CR1602";
}

TEST(KnownSizes, WhatIsWritten) {
  const std::string Map = "y[i] = x[i];";
  EXPECT_TRUE(isLeft(Map, 0, 82));
  EXPECT_FALSE(isLeft(Map, 0, 1u << 24));
}

TEST(KnownSizes, WhatIsRead) {
  EXPECT_TRUE(isLeft("y[i] = x[i] * x[i];", 1, 82));
  EXPECT_FALSE(isLeft("y[i] = x[0] * x[i];", 0, 1u << 24));
  // Every iteration reads the same element.
  EXPECT_FALSE(isLeft("y[i] = x[0];", 1, 82));
  EXPECT_FALSE(isLeft("y[i] = x[k[i]];", 1, 82));
  EXPECT_TRUE(isLeft("y[i] = x[k[i]];", 2, 82));
}

TEST(KnownSizes, StepsOfTheIndex) {
  EXPECT_TRUE(isLeft("y[i] = x[2 * i + 1];", 1, 300000));
  EXPECT_FALSE(isLeft("y[i] = x[i];", 1, 1u << 22));
}

TEST(KnownSizes, OnlyWhatEveryIterationTouches) {
  EXPECT_FALSE(isLeft("if (n > i + 8) { y[i] = 1.0:f32; }", 0, 82));
  EXPECT_FALSE(isLeft("y[i] = n > 4 ? x[i] : 0.0:f32;", 1, 82));
}

TEST(KnownSizes, EndWithTheirScope) {
  EXPECT_TRUE(isLeft("y[i] = x[i];", 0, 82));
  const FunctionRef F = regionOf("y[i] = x[i];");
  const StmtRef &Only = cast<Block>(F->Body.get())->Body.front();
  EXPECT_FALSE(whyNotEmit(*cast<Region>(Only.get()), *F, Options()).isSet());
}

} // namespace
