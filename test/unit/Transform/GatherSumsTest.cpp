//===- GatherSumsTest.cpp - sums renumbered by their elements -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SequenceChecks.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

namespace {

/// Nests that add to neighbouring elements of a and b, by 1 to 3 loops, with
/// other statements beside.
class Scatters {
public:
  explicit Scatters(uint64_t Seed) : Random(Seed), Depth(1 + pick(3)) {}

  std::string function() {
    std::string Text = "func @f(";
    for (const char *B : {"a", "b"})
      Text += std::string(B) + ": f64*" + (pick(5) ? " restrict" : "") + ", ";
    for (const char *B : {"x", "w"})
      Text += std::string(B) + ": f64*" + (pick(5) ? " restrict" : "") + ", ";
    Text += "n: i32, m: i32, s: f64) {\n";
    const std::string Made = nest();
    if (pick(3))
      return Text + "region {\nguard (n <= 1000) \"\"\nbody {\n" + Made +
             "}\noriginal {\n" + Made + "}\n}\n}\n";
    return Text + Made + "}\n";
  }

private:
  std::mt19937_64 Random;
  const unsigned Depth;
  bool HasLet = false;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string one(std::initializer_list<const char *> Of) {
    return Of.begin()[pick(Of.size())];
  }

  /// V or a neighbour.
  std::string near(const char *V, int Most) {
    const int By = static_cast<int>(pick(2 * Most + 1)) - Most;
    if (By == 0)
      return V;
    const std::string Size = std::to_string(std::abs(By));
    if (By > 0 && pick(4) == 0)
      return Size + " + " + V;
    return V + std::string(By < 0 ? " - " : " + ") + Size;
  }
  std::string index(int Most) {
    static const char *const Vars[] = {"i", "j", "k"};
    std::string Out;
    for (unsigned D = 0; D + 1 < Depth; ++D)
      Out += "(" + near(Vars[D], pick(3) ? 1 : 0) + ") * " +
             one({"5", "5", "4", "m"}) + " + ";
    if (Depth == 3 && pick(2)) // one stride for both
      Out = "(" + near("i", 1) + ") * 9 + (" + near("j", 1) + ") * 3 + ";
    return Out + near(Vars[Depth - 1], Most);
  }
  std::string term() {
    std::string Out = HasLet && pick(2) ? "d" : "x[" + index(1) + "]";
    if (pick(2))
      Out = one({"2.0", "s", "3.0"}) + " * " + Out;
    if (pick(4) == 0)
      Out += " * w[" + index(1) + "]";
    if (pick(12) == 0)
      Out += " / 2.0";
    return Out;
  }
  std::string sum() {
    const std::string To = pick(8) ? "a" : "b";
    std::string Out = To + "[" + index(pick(6) ? 1 : 4) + "]" +
                      one({" += ", " += ", " -= "}) + term() + ";\n";
    if (pick(8) == 0)
      return "if (x[" + index(0) + "] < 2.0) {\n" + Out + "}\n";
    return Out;
  }
  std::string other() {
    switch (pick(6)) {
    case 0:
      return "x[" + index(0) + "] = 0.0;\n";
    case 1:
      return "w[" + index(0) + "] = " + term() + ";\n";
    case 2:
      return "s += " + term() + ";\n";
    case 3:
      return "b[" + index(0) + "] += a[" + index(0) + "];\n";
    case 4:
      return "a[" + index(0) + "] = 1.0;\n";
    default:
      return "w[" + index(1) + "] += " + term() + ";\n";
    }
  }
  std::string nest() {
    static const char *const Vars[] = {"i", "j", "k"};
    std::string Text;
    for (unsigned D = 0; D < Depth; ++D) {
      const std::string V = Vars[D];
      std::string Lo = one({"0", "1", "1", "2", "m"}),
                  Hi = one({"n", "n - 1", "n - 2", "m", "6", "n + 1"});
      if (D == Depth - 1 && D && pick(4) == 0)
        (pick(2) ? Lo : Hi) = one({"i", "i + 1", "n - i"});
      Text += "for (" + V + ": i32 = " + Lo + "; " + V + " < " + Hi + "; " + V +
              " += 1) {\n";
    }
    HasLet = pick(2);
    if (HasLet)
      Text += "let d: f64 = x[" + index(0) + "];\n";
    for (unsigned N = 2 + pick(4); N; --N)
      Text += sum();
    for (unsigned N = pick(3); N; --N)
      Text += other();
    for (unsigned D = 0; D < Depth; ++D)
      Text += "}\n";
    return Text;
  }
};

TEST(GatherSums, RandomNests) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  const char *From = std::getenv("RAISE_FUZZ_FIRST");
  const unsigned Count = Asked ? std::atoi(Asked) : 1500;
  const unsigned First = From ? std::atoi(From) : 0;
  unsigned Changed = 0, Ran = 0;
  for (unsigned P = First; P < First + Count; ++P) {
    const std::string Text = Scatters(P).function();
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    Context Ctx;
    Ctx.Opts.OpenMP = P % 2;
    const FunctionRef New = gatherSums(Fs->front(), Ctx);
    if (structurallyEqual(*New, *Fs->front()))
      continue;
    ++Changed;
    for (const std::string &Problem : verify(*New))
      FAIL() << Problem << "\n" << toString(New->Body);
    const SequenceTrial T = compareRuns(*Fs->front(), *New, {"s"}, P, 12);
    ASSERT_EQ(T.Difference, "") << "program " << P;
    Ran += T.Ran;
  }
  printf("changed %u (%u runs)\n", Changed, Ran);
  EXPECT_GT(Changed * 8, Count);
  EXPECT_GT(Ran, Changed);
}

/// Programs of which the pass changed nothing.
std::string afterPass(const std::string &Body, FPMode FP = FPMode::Reduce) {
  auto Fs = parseIR("func @f(u: f64* restrict, v: f64* restrict, k: const i32* "
                    "restrict, n: i32) {\n" +
                        Body + "}\n",
                    "test.rir");
  EXPECT_TRUE(bool(Fs)) << Body;
  Context Ctx;
  Ctx.Opts.FP = FP;
  const FunctionRef New = gatherSums(Fs->front(), Ctx);
  return structurallyEqual(*New, *Fs->front()) ? "" : toString(New->Body);
}

const std::string Three = "for (i: i32 = 1; i < 99; i += 1) {\n"
                          "u[i - 1] += v[i];\nu[i + 1] += v[i];\n";

TEST(GatherSums, SumsKeepTheirOrderWhereThatIsAsked) {
  EXPECT_NE(afterPass(Three + "}\n"), "");
  EXPECT_EQ(afterPass(Three + "}\n", FPMode::Strict), "");
}

TEST(GatherSums, WhatTheSumsAreReadFor) {
  EXPECT_EQ(afterPass(Three + "v[i] = u[i];\n}\n"), "");
  EXPECT_EQ(afterPass(Three + "u[i] = 0.0;\n}\n"), "");
}

TEST(GatherSums, SubscriptsFromMemory) {
  EXPECT_EQ(afterPass("for (i: i32 = 1; i < 99; i += 1) {\n"
                      "u[k[i] - 1] += v[i];\nu[k[i] + 1] += v[i];\n}\n"),
            "");
}

TEST(GatherSums, CostlyTermsAreComputedOnce) {
  EXPECT_EQ(afterPass("for (i: i32 = 1; i < 99; i += 1) {\n"
                      "let d: f64 = 1.0 / v[i];\n"
                      "u[i - 1] += d;\nu[i + 1] += d;\n}\n"),
            "");
}

TEST(GatherSums, BoundsThatMightOverflow) {
  // Nothing here could test whether n + 1 is a number.
  EXPECT_EQ(afterPass("for (i: i32 = 0; i < n; i += 1) {\n"
                      "u[i] += v[i];\nu[i + 9] += v[i];\n}\n"),
            "");
}

} // namespace
