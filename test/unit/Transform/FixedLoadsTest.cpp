//===- FixedLoadsTest.cpp - bounds that lie in memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FixedLoads.h"
#include "raise/IR/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// The loop that the body of a function with these parameters becomes, after
/// its lets; empty where it stays.
std::string fixed(const std::string &Params, const std::string &Body) {
  auto Parsed =
      parseIR("func @f(" + Params + ") {\n{\n" + Body + "}\n}\n", "f.rir");
  EXPECT_TRUE(bool(Parsed)) << Body;
  const FunctionRef F = Parsed->front();
  StmtRef S = statements(F->Body).front();
  if (statements(S).size() == 1)
    S = statements(S).front();
  auto Found = fixLoads(S);
  if (!Found)
    return "";
  std::vector<StmtRef> All = Found->Lets;
  All.push_back(Found->Loop);
  const FunctionRef Made = withBody(*F, makeBlock(std::move(All)));
  EXPECT_TRUE(verify(*Made).empty());
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, *Made);
  return Text;
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

const std::string Step = "i += 1;\n}\n";
const std::string Up = "let i: i32 = 0;\nwhile (i < a[0:i64].n:i32) {\n";

TEST(FixedLoads, ABoundBecomesALet) {
  const std::string Text =
      fixed("a: const void*, y: f32*", Up + "y[i] = 1.0:f32;\n" + Step);
  EXPECT_TRUE(has(Text, "let n: const i32 = a[0:i64].n:i32;")) << Text;
  EXPECT_TRUE(has(Text, "for (i: i32 = 0; i < n; i += 1)")) << Text;
}

TEST(FixedLoads, OtherMembersOfTheObjectGoWithIt) {
  const std::string Text =
      fixed("a: const void*, b: const void*, y: f32*",
            Up + "y[i * a[0:i64].m:i32 + b[0:i64].m:i32] = 1.0:f32;\n" + Step);
  EXPECT_TRUE(has(Text, "y[i * m + b_m]")) << Text;
}

TEST(FixedLoads, InnerLoopsToo) {
  const std::string Text =
      fixed("a: const void*, y: f32*",
            Up +
                "{\nlet j: i32 = 9;\nwhile (j > a[0:i64].m:i32) {\n"
                "y[i * j] = 1.0:f32;\nj -= 1;\n}\n}\n" +
                Step);
  EXPECT_TRUE(has(Text, "for (j: i32 = 9; j > m; j += -1)")) << Text;
}

TEST(FixedLoads, AStrideThatOnlySubscriptsName) {
  const std::string Params = "a: const void*, y: f32*, n: i32, c: bool",
                    Loop = "for (i: i32 = 0; i < n; i += 1) {\n",
                    At = "i * a[0:i64].m:i32";
  EXPECT_TRUE(has(fixed(Params, Loop + "y[" + At + "] = 1.0:f32;\n}\n"),
                  "y[i * m] = 1.0"));
  EXPECT_TRUE(has(fixed(Params, Loop + "y[i] = y[" + At + "];\n}\n"),
                  "y[i] = y[i * m]"));
  // What is no subscript is read where it was, and so is what may not be.
  EXPECT_EQ(fixed(Params, Loop + "y[i] = cast<f32>(a[0:i64].m:i32);\n}\n"), "");
  EXPECT_EQ(fixed(Params, Loop + "if (c) {\ny[" + At + "] = 1.0:f32;\n}\n}\n"),
            "");
  EXPECT_EQ(fixed(Params, Loop + "y[i] = c ? y[" + At + "] : 1.0:f32;\n}\n"),
            "");
}

TEST(FixedLoads, WhatTheLoopSetsStays) {
  EXPECT_EQ(fixed("a: void*", Up + "a[i].n = 3;\n" + Step), "");
  EXPECT_EQ(fixed("a: void*", Up + "a[0:i64].n -= 3;\n" + Step), "");
  EXPECT_NE(fixed("a: void*", Up + "a[i].m = 3;\n" + Step), "");
}

/// The loads come before the loop: what they read must be there by then.
TEST(FixedLoads, WhatMayNotBeReachedIsNotRead) {
  const std::string Params = "a: const void*, y: f32*, k: i32",
                    Inner = "{\n" + Up + "y[i + j] = 1.0:f32;\n" + Step + "}\n",
                    Outer = "for (j: i32 = 0; j < k; j += 1) {\n";
  EXPECT_TRUE(has(fixed(Params, Outer + Inner + "}\n"), "i < n"));
  EXPECT_EQ(fixed(Params, Outer + "if (j > 3) {\n" + Inner + "}\n}\n"), "");
  EXPECT_EQ(fixed(Params, Outer + "if (j > 3) { continue; }\n" + Inner + "}\n"),
            "");
  // What a reference leads to is there at any time.
  const std::string Text = fixed("a: const void&, y: f32*, k: i32",
                                 Outer + "if (j > 3) {\n" + Inner + "}\n}\n");
  EXPECT_TRUE(has(Text, "i < n")) << Text;
}

TEST(FixedLoads, LoopsOfAnotherFormStay) {
  const std::string Store = "y[i] = 1.0:f32;\n", Params = "a: const void*, y: "
                                                          "f32*, k: i32";
  EXPECT_EQ(fixed(Params, Up + Store + "i += k;\n}\n"), "");
  EXPECT_EQ(fixed(Params, Up + Store + "i *= 2;\n}\n"), "");
  EXPECT_EQ(fixed(Params, Up + Store + "i += 1;\n" + Step), "");
  EXPECT_EQ(fixed(Params, Up + "if (y[i] > 2.0:f32) { break; }\n" + Step), "");
  EXPECT_EQ(fixed(Params,
                  "let i: i32 = 0;\nwhile (i < a[i].n:i32) {\n" + Store + Step),
            "");
}

} // namespace
