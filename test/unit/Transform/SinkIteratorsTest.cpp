//===- SinkIteratorsTest.cpp - random nests that are laid out otherwise ---===//
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

/// Functions of one nest over rows and columns of tables with rows of 8: sums
/// over a third range in scalars and in elements, some of which end with the
/// row or begin with it, beside statements of the point; scalars that are the
/// same for a row, for a point, or that a condition sets.
class Nests {
public:
  /// Plain: of products and sums that stay small, so that whole numbers have
  /// one value in any order.
  Nests(uint64_t Seed, bool Plain) : Random(Seed), Plain(Plain) {}

  std::string function() {
    const std::string Apart = pick(4) ? " restrict" : "";
    std::string Text = "func @f(c: f64[][8]" + Apart + ", d: f64[][8]" + Apart +
                       ", a: const f64[][8]" + Apart + ", b: const f64[][8]" +
                       Apart + ", y: f64*" + Apart +
                       ", n: i32, m: i32, l: i32, t: f64) {\n";
    const bool Turned = pick(4) == 0;
    Text += header(Turned ? "j" : "i", Turned ? "m" : "n");
    if (pick(4) == 0) {
      if (!Plain)
        Lets.push_back("r");
      Text +=
          Turned ? "let r: f64 = y[j] * t;\n" : "let r: f64 = a[i, 0] + t;\n";
    }
    Text += header(Turned ? "i" : "j", Turned ? "n" : "m");
    for (unsigned N = 1 + pick(4); N; --N)
      Text += statement();
    return Text + "}\n}\n}\n";
  }

private:
  std::mt19937_64 Random;
  std::vector<std::string> Lets;
  const bool Plain;
  bool InSum = false;
  unsigned Sums = 0;

  unsigned pick(unsigned N) { return Random() % N; }

  std::string header(const std::string &V, const std::string &End) {
    return "for (" + V + ": i32 = " + (pick(5) ? "0" : "1") + "; " + V + " < " +
           End + (pick(6) ? "" : " - 1") + "; " + V + " += 1) {\n";
  }
  std::string factor() {
    if (!Lets.empty() && pick(3) == 0)
      return Lets[pick(Lets.size())];
    const std::string K = "k" + std::to_string(Sums);
    static const char *Points[] = {"c[i, j]", "d[i, j]", "a[i, j]", "b[j, i]",
                                   "y[j]",    "2.0:f64", "t"};
    if (!InSum)
      return Points[pick(7)];
    const std::string InSums[] = {"a[i, " + K + "]", "b[" + K + ", j]",
                                  "a[" + K + ", j]", "b[j, " + K + "]",
                                  "c[" + K + ", j]", "y[" + K + "]",
                                  Points[pick(7)]};
    return InSums[pick(7)];
  }
  std::string value() {
    std::string E = factor();
    if (Plain)
      return pick(2) ? E : E + " + " + factor();
    for (unsigned N = pick(3); N; --N)
      E += (pick(3) ? " * " : " + ") + factor();
    return E;
  }
  std::string let() {
    const std::string Name = "s" + std::to_string(Lets.size());
    const std::string Text =
        "let " + Name + ": f64 = " + (pick(2) ? value() : "0.0:f64") + ";\n";
    Lets.push_back(Name);
    return Text;
  }
  std::string update() {
    static const char *Ops[] = {" += ", " += ", " -= ", " = "};
    const std::string To = !Lets.empty() && pick(2)
                               ? Lets[pick(Lets.size())]
                               : std::string(pick(3) ? "c" : "d") + "[i, j]";
    return To + Ops[pick(InSum ? 3 : 4)] + value() + ";\n";
  }
  std::string sum() {
    ++Sums;
    const std::string K = "k" + std::to_string(Sums);
    static const char *Ends[] = {"l", "l", "l", "i", "j"};
    std::string Text = header(K, Ends[pick(5)]);
    InSum = true;
    const size_t Outer = Lets.size();
    if (pick(4) == 0)
      Text += let();
    for (unsigned N = 1 + pick(2); N; --N)
      Text += update();
    InSum = false;
    Lets.resize(Outer);
    return Text + "}\n";
  }
  /// A product of tables, as people write it.
  std::string product() {
    const std::string K = "k" + std::to_string(++Sums);
    const std::string S = "p" + std::to_string(Sums);
    static const char *Rows[] = {"a[i, ", "b[i, "}, *Turned[] = {"a[", "b["};
    const std::string Left =
        pick(3) ? Rows[pick(2)] + K + "]" : Turned[pick(2)] + K + ", i]";
    const std::string Right = pick(4)   ? "b[" + K + ", j]"
                              : pick(2) ? "a[j, " + K + "]"
                                        : "y[" + K + "]";
    const std::string Of = (pick(3) ? "" : "t * ") + Left + " * " + Right;
    const std::string Op = pick(3) ? " += " : " -= ";
    const std::string To = pick(2) ? "c[i, j]" : "d[i, j]";
    const std::string Loop = header(K, "l");
    if (pick(3) == 0)
      return (pick(2) ? To + " = 0.0:f64;\n" : "") + Loop + To + Op + Of +
             ";\n}\n";
    static const char *Starts[] = {"0.0:f64", "0.0:f64", "t", "y[j]"};
    const std::string Ends[] = {To + " = " + S, To + " += " + S,
                                To + " -= t * " + S, To + " = " + S,
                                To + " = t * " + S + " + 2.0:f64 * " + To};
    return "let " + S + ": f64 = " + Starts[pick(4)] + ";\n" + Loop + S + Op +
           Of + ";\n}\n" + Ends[pick(5)] + ";\n";
  }
  std::string statement() {
    switch (Plain ? pick(4) + 4 * pick(2) : pick(8)) {
    case 4:
    case 5:
      return Plain ? product() : sum();
    case 6:
    case 7:
      return product();
    case 0:
      return let();
    case 1:
    case 2:
      return update();
    case 3:
      if (Plain)
        return product();
      return "if (" + factor() + " < " + factor() + ") {\n" +
             (pick(3) ? update() : sum()) + "}\n";
    default:
      return sum();
    }
  }
};

unsigned programs(unsigned Usual) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  return Asked ? std::atoi(Asked) : Usual;
}

using Passes = std::vector<FunctionRef (*)(FunctionRef, Context &)>;

/// Programs through Run; how many of them were laid out.
void check(const Passes &Run, const Options &Opts, uint64_t First,
           unsigned OneIn) {
  const unsigned Programs = programs(600);
  unsigned Changed = 0, Ran = 0, Guarded = 0;
  for (unsigned P = 0; P < Programs; ++P) {
    const std::string Text =
        Nests(First + P, Opts.FP == FPMode::Fast).function();
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    Context Ctx;
    Ctx.Opts = Opts;
    // Tables of these sizes have rows that are long enough.
    Ctx.Opts.Machine.VectorBytes = P % 2 ? 2 : 8;
    FunctionRef New = Fs->front();
    for (auto *Pass : Run)
      New = Pass(New, Ctx);
    if (!isLaidOut(New))
      continue;
    ++Changed;
    for (const std::string &Problem : verify(*New))
      FAIL() << Problem << "\n" << toString(New->Body);
    SequenceTrial T = compareRuns(*Fs->front(), *New, {}, First + P, 16);
    ASSERT_EQ(T.Difference, "") << "program " << First + P;
    Ran += T.Ran;
    Guarded += T.Guarded;
  }
  printf("laid out %u of %u (%u runs, %u under their guards)\n", Changed,
         Programs, Ran, Guarded);
  EXPECT_GT(Changed * OneIn, Programs);
  EXPECT_GT(Guarded * 4, Ran);
}

TEST(SinkIterators, RandomNestsKeepEveryRounding) {
  Options Opts;
  Opts.FP = FPMode::Strict;
  check({raiseLoops, orderIterators, sinkIterators}, Opts, 1, 10);
}

TEST(NameInvariants, RandomNestsKeepEveryRounding) {
  Options Opts;
  Opts.FP = FPMode::Strict;
  check({raiseLoops, orderIterators, nameInvariants}, Opts, 3000001, 150);
  check({raiseLoops, orderIterators, sinkIterators, nameInvariants}, Opts,
        4000001, 5);
}

// Values are small whole numbers, whose sums no order rounds.
TEST(IsolateProducts, RandomNests) {
  Options Opts;
  Opts.FP = FPMode::Fast;
  Opts.Blas = true;
  check({raiseLoops, orderIterators, isolateProducts}, Opts, 1000001, 40);
}

TEST(IsolateProducts, RandomNestsBeforeSinking) {
  Options Opts;
  Opts.FP = FPMode::Fast;
  Opts.Blas = true;
  check({raiseLoops, orderIterators, isolateProducts, sinkIterators}, Opts,
        2000001, 10);
}

} // namespace
