//===- RerollTest.cpp - bodies that were unrolled by hand -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random groups of statements are copied as a person would, some of them not
// quite right, and the loop is run before and after. How many and which:
// RAISE_FUZZ_PROGRAMS, RAISE_FUZZ_FIRST.
//
//===----------------------------------------------------------------------===//
#include "Reroll.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "raise/Transform/Passes.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace raise;

namespace {

/// The loop of `for (i ...) { Body }` after the pass, or "" if it is the same.
std::string rerolled(const std::string &Head, const std::string &Body,
                     FPMode FP = FPMode::Strict) {
  auto Fs = parseIR("func @f(a: f64*, b: f64*, c: i32*, n: i32, m: i64, s: "
                    "f64, t: u32, v: i32) { for (" +
                        Head + ") { " + Body + " } }",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return "";
  }
  Context Ctx;
  Ctx.Opts.FP = FP;
  FunctionRef After = rerollPass(Fs->front(), Ctx);
  std::string Text = toString(After->Body);
  return Text == toString(Fs->front()->Body) ? "" : Text;
}

const std::string ByTwo = "i: i32 = 0; i < 8; i += 2";

TEST(Reroll, GroupsOfStatements) {
  std::string Out = rerolled(
      ByTwo, "a[i] = b[i]; c[i] += 1; a[i + 1] = b[i + 1]; c[1 + i] += 1;");
  EXPECT_NE(Out.find("i < 8; i += 1"), std::string::npos) << Out;
  EXPECT_EQ(Out.find("i + 1"), std::string::npos) << Out;
  // By the largest number of copies; of steps of two, what there is.
  EXPECT_NE(rerolled("i: i32 = 0; i < 7; i += 4",
                     "a[i] = s; a[i + 1] = s; a[i + 2] = s; a[i + 3] = s;")
                .find("i < 8; i += 1"),
            std::string::npos);
  EXPECT_NE(rerolled("i: i32 = 0; i < 8; i += 4", "a[i] = s; a[i + 2] = s;")
                .find("i += 2"),
            std::string::npos);
}

TEST(Reroll, WhatDiffers) {
  EXPECT_EQ(rerolled(ByTwo, "a[i] = b[i]; a[i + 1] = b[i + 2];"), "");
  EXPECT_EQ(rerolled(ByTwo, "a[i] = b[i]; a[i + 1] = b[i];"), "");
  EXPECT_EQ(rerolled(ByTwo, "a[i] = 1.0; a[i + 1] = 2.0;"), "");
  EXPECT_EQ(rerolled(ByTwo, "a[i + 1] = s; a[i] = s;"), "");
  EXPECT_EQ(rerolled(ByTwo, "a[i] = s; a[i + 2] = s;"), "");
  EXPECT_EQ(rerolled(ByTwo, "a[i] += s; a[i + 1] -= s;"), "");
  EXPECT_EQ(rerolled("i: i32 = 0; i < 9; i += 3", "a[i] = s; a[i + 1] = s;"),
            "");
  // The second copy reads the first one's own.
  EXPECT_EQ(rerolled(ByTwo, "let x: f64 = b[i]; a[i] = x; let y: f64 = b[i + "
                            "1]; a[i + 1] = x;"),
            "");
  EXPECT_NE(rerolled(ByTwo, "let x: f64 = b[i]; a[i] = x; let y: f64 = b[i + "
                            "1]; a[i + 1] = y;"),
            "");
  // One iteration that leaves or skips takes all copies with it.
  EXPECT_EQ(rerolled(ByTwo, "if (a[i] > s) { break; } if (a[i + 1] > s) { "
                            "break; }"),
            "");
  EXPECT_EQ(rerolled(ByTwo, "if (a[i] > s) { continue; } if (a[i + 1] > s) { "
                            "continue; }"),
            "");
  // Two operations: the first may overflow for the other value.
  EXPECT_EQ(rerolled(ByTwo, "a[i + 1 - 1] = s; a[i + 1] = s;"), "");
}

TEST(Reroll, SumsInOneExpression) {
  const std::string Chain = "s = s + a[i] * b[i] + a[i + 1] * b[i + 1];";
  const std::string Pair = "s += a[i] * b[i] + a[i + 1] * b[i + 1];";
  EXPECT_NE(rerolled(ByTwo, Chain), "");
  EXPECT_EQ(rerolled(ByTwo, Pair), "") << "another rounding";
  EXPECT_NE(rerolled(ByTwo, Pair, FPMode::Reduce), "");
  EXPECT_NE(rerolled(ByTwo, "t += icast<u32>(c[i]) + icast<u32>(c[i + 1]);"),
            "");
  EXPECT_EQ(rerolled(ByTwo, "v += c[i] + c[i + 1];"), "") << "may overflow";
  EXPECT_NE(rerolled(ByTwo, "v = v + c[i] + c[i + 1];"), "");
}

TEST(Reroll, EndsOfRanges) {
  const std::string Body = "a[i] = s; a[i + 1] = s;";
  EXPECT_NE(rerolled("i: i32 = 0; i < n; i += 2", Body)
                .find("(icast<i64>(n) + 1:i64) / 2:i64 * 2:i64"),
            std::string::npos);
  EXPECT_NE(rerolled("i: i32 = v; i < n - 1; i += 2", Body), "");
  EXPECT_NE(rerolled("i: i64 = 1:i64; i < m; i += 2:i64",
                     "a[i] = s; a[i + 1:i64] = s;"),
            "");
  // A difference in 64 bits may overflow, an unsigned variable wrap.
  EXPECT_EQ(rerolled("i: i64 = m; i < m * m; i += 2:i64",
                     "a[i] = s; a[i + 1:i64] = s;"),
            "");
  EXPECT_EQ(rerolled("i: u32 = 0:u32; i < t; i += 2:u32",
                     "a[i] = s; a[i + 1:u32] = s;"),
            "");
  EXPECT_NE(rerolled("i: u32 = 0:u32; i < 9:u32; i += 2:u32",
                     "a[i] = s; a[i + 1:u32] = s;"),
            "");
  EXPECT_EQ(rerolled("i: i32 = 0; i != n; i += 2", Body), "");
}

/// A group of statements for `i + At`, and its copies.
class Unrolled {
public:
  explicit Unrolled(uint64_t Seed) : Random(Seed) {}
  std::string function() {
    unsigned Copies = 2 + pick(4), Apart = 1 + pick(2);
    unsigned Seed = Random(), Wrong = pick(3) ? 99 : pick(Copies);
    std::string Body;
    for (unsigned C = 0; C < Copies; ++C)
      Body += group(Seed + (C == Wrong), C * Apart, C);
    const char *const Los[] = {"0", "1", "k", "0"};
    const char *const His[] = {"n", "n - 1", "12", "n + k"};
    std::string Lo = Los[pick(4)], Hi = His[pick(4)];
    return "func @f(a: u32*, b: u32*, n: i32, k: i32): u32 {\nlet s: u32 = "
           "1:u32;\nlet i: i32 = 7;\nfor (i = " +
           Lo + "; i < " + Hi + "; i += " + std::to_string(Copies * Apart) +
           ") {\n" + Body + "}\nreturn s * 100:u32 + icast<u32>(i);\n}\n";
  }

private:
  std::mt19937_64 Random;
  unsigned pick(unsigned N) { return Random() % N; }
  static std::string group(unsigned Seed, unsigned At, unsigned Copy) {
    std::mt19937 Own(Seed);
    auto Pick = [&](unsigned N) { return unsigned(Own() % N); };
    auto Index = [&](unsigned Off) {
      return Off + At == 0 ? std::string("i")
                           : "i + " + std::to_string(Off + At);
    };
    std::string T = "t" + std::to_string(Copy), Text;
    Text += "let " + T + ": u32 = b[" + Index(Pick(3)) + "];\n";
    for (unsigned K = 1 + Pick(3); K; --K) {
      std::string A = "a[" + Index(Pick(2)) + "]";
      switch (Pick(4)) {
      case 0:
        Text += A + " += " + T + ";\n";
        break;
      case 1:
        Text += "s = s * 3:u32 + " + A + ";\n";
        break;
      case 2:
        Text += "if (" + T + " > 3:u32) {\n" + A + " = icast<u32>(" + Index(0) +
                ");\n}\n";
        break;
      default:
        Text += "s = s + " + A + " + " + T + ";\n";
      }
    }
    return Text;
  }
};

uint64_t setting(const char *Name, uint64_t Default) {
  const char *Text = std::getenv(Name);
  return Text ? std::strtoull(Text, nullptr, 10) : Default;
}

TEST(Reroll, DoesWhatTheCopiesDid) {
  const uint64_t First = setting("RAISE_FUZZ_FIRST", 1);
  const uint64_t Count = setting("RAISE_FUZZ_PROGRAMS", 1000);
  uint64_t Changed = 0, Runs = 0;
  for (uint64_t Seed = First; Seed < First + Count; ++Seed) {
    std::string Text = Unrolled(Seed).function();
    auto Fs = parseIR(Text, "random");
    ASSERT_TRUE(bool(Fs)) << Text << llvm::toString(Fs.takeError());
    Context Ctx;
    FunctionRef After = rerollPass(Fs->front(), Ctx);
    if (toString(After->Body) == toString(Fs->front()->Body))
      continue;
    ++Changed;
    ASSERT_TRUE(verify(*After).empty()) << verify(*After).front() << Text;
    std::mt19937_64 Random(Seed);
    for (unsigned Try = 0; Try < 6; ++Try) {
      interp::Inputs In;
      auto S = std::make_shared<interp::Storage>();
      for (unsigned I = 0; I < 64; ++I)
        S->Cells.push_back(interp::Value::ofInt(int64_t(Random() % 7),
                                                Type::getInt(32, false)));
      In.Buffers["a"] = {S, 4};
      In.Buffers["b"] = {S, 4 + int64_t(Random() % 4)};
      In.Scalars["n"] = interp::Value::ofInt(int64_t(Random() % 14) - 3);
      In.Scalars["k"] = interp::Value::ofInt(int64_t(Random() % 4) - 1);
      interp::Inputs Again = interp::clone(In);
      interp::Outcome Want = interp::run(*Fs->front(), In);
      if (Want.Why != interp::Stop::Done)
        continue;
      ++Runs;
      interp::Outcome Got = interp::run(*After, Again);
      ASSERT_EQ(int(Got.Why), int(interp::Stop::Done)) << Got.Message << Text;
      ASSERT_EQ(Want.Result->I, Got.Result->I) << Seed << "\n" << Text;
      auto &Old = S->Cells, &New = Again.Buffers["a"].Store->Cells;
      for (size_t I = 0; I < Old.size(); ++I)
        ASSERT_EQ(Old[I]->I, New[I]->I) << Seed << "\n" << Text;
    }
  }
  // Else nothing would have been compared.
  EXPECT_GT(Changed, Count / 4);
  EXPECT_GT(Runs, Count);
}

} // namespace
