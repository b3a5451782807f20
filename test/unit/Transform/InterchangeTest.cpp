//===- InterchangeTest.cpp - random nests in another order ----------------===//
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

/// Functions of one perfect nest: rows of 4, neighbours in all directions,
/// ranges that may hang on one another, run down or be empty, buffers that may
/// overlap, a scalar that lives in an iteration or goes on to the next.
class Nests {
public:
  explicit Nests(uint64_t Seed) : Random(Seed) {}

  std::string function() {
    const bool Apart = pick(2);
    const unsigned Depth = 2 + pick(2);
    std::string Text =
        "func @f(a: f64[][4]" + std::string(Apart ? " restrict" : "") +
        ", b: f64[][4]" + (Apart ? " restrict" : "") + ", y: f64*" +
        (Apart ? " restrict" : "") + ", n: i32, m: i32, t: f64) {\n";
    for (unsigned D = 0; D < Depth; ++D)
      Text += header(D);
    const unsigned Statements = 1 + pick(2);
    for (unsigned S = 0; S < Statements; ++S)
      Text += statement();
    return Text + std::string(Depth, '}') + "\n}\n";
  }

private:
  std::mt19937_64 Random;
  std::vector<std::string> Vars;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string var() { return Vars[pick(Vars.size())]; }

  std::string header(unsigned D) {
    const std::string V(1, "ijk"[D]);
    std::string Lo = pick(4) ? "0" : "1", Hi = pick(2) ? "n" : "m";
    if (D > 0 && pick(5) == 0)
      (pick(2) ? Lo : Hi) = var() + (pick(2) ? "" : " + 1");
    else if (pick(4) == 0)
      Hi += pick(2) ? " - 1" : " / 2";
    Vars.push_back(V);
    if (pick(6) == 0)
      return "for (" + V + ": i32 = " + Hi + "; " + V + " > " + Lo + "; " + V +
             " += -1) {\n";
    return "for (" + V + ": i32 = " + Lo + "; " + V + " < " + Hi + "; " + V +
           " += 1) {\n";
  }

  std::string index() {
    const std::string V = var();
    return pick(3) ? V : V + (pick(2) ? " + 1" : " - 1");
  }
  std::string element() {
    if (pick(3) == 0)
      return "y[" + index() + "]";
    return std::string(pick(2) ? "a" : "b") + "[" + index() + ", " + index() +
           "]";
  }
  std::string statement() {
    if (pick(8) == 0)
      return "t = " + element() + ";\n" + element() + " = t * 0.5;\n";
    static const char *Ops[] = {" = ", " += ", " += ", " -= "};
    const std::string To = element();
    const std::string By = pick(5) ? element() : "t";
    const std::string Store = To + Ops[pick(4)] + (pick(2) ? To : element()) +
                              " * 0.5 + " + By + ";\n";
    return pick(6) ? Store : "if (" + element() + " < t) {\n" + Store + "}\n";
  }
};

TEST(Interchange, RandomNests) {
  unsigned Programs = 500, Changed = 0, Ran = 0, Guarded = 0;
  if (const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS"))
    Programs = std::atoi(Asked);
  for (unsigned P = 0; P < Programs; ++P) {
    const std::string Text = Nests(P).function();
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    for (auto *Pass : {interchangePass, raiseLoops}) {
      Context Ctx;
      // No element's rounding changes.
      Ctx.Opts.FP = FPMode::Strict;
      FunctionRef New = Pass(Fs->front(), Ctx);
      if (!hasRegion(New))
        continue;
      Changed += Pass == interchangePass;
      for (const std::string &Problem : verify(*New))
        FAIL() << Problem << "\n" << toString(New->Body);
      SequenceTrial T = compareRuns(*Fs->front(), *New, {}, P, 12);
      ASSERT_EQ(T.Difference, "") << "program " << P;
      Ran += T.Ran;
      Guarded += T.Guarded;
    }
  }
  printf("interchanged %u (%u runs, %u under their guards)\n", Changed, Ran,
         Guarded);
  EXPECT_GT(Changed * 50, Programs);
  EXPECT_GT(Guarded * 8, Ran);
}

} // namespace
