//===- RecurrencesTest.cpp - values that iterations hand on, and strips ---===//
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

/// Rows of tables in which each element is made of its neighbours: of the row,
/// up or down it, or of the column.
class Rows {
public:
  explicit Rows(uint64_t Seed) : Random(Seed) {}

  std::string function() {
    const std::string Apart = pick(4) ? " restrict" : "";
    Columns = pick(3) == 0;
    std::string Text = "func @f(p: f64[][8]" + Apart + ", q: f64[][8]" + Apart +
                       ", a: const f64[][8]" + Apart + ", y: f64*" + Apart +
                       ", n: i32, m: i32, k: i32, t: f64) {\n"
                       "for (i: i32 = 0; i < n; i += 1) {\n";
    for (unsigned N = pick(3); N; --N)
      Text += table() + at(pick(3) ? "0" : "m - 1") + " = " + value() + ";\n";
    for (unsigned N = 1 + pick(2); N; --N)
      Text += inner();
    return Text + "}\n}\n";
  }

private:
  std::mt19937_64 Random;
  bool Columns = false;
  unsigned Loops = 0;
  std::string J, Let;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string table() { return pick(2) ? "p" : "q"; }
  std::string at(const std::string &Place) const {
    return Columns ? "[" + Place + ", i]" : "[i, " + Place + "]";
  }
  std::string near() {
    static const char *Offsets[] = {" - 1", " - 1", " - 1", " + 1",
                                    " + 1", "",     " - 2"};
    return J.empty() ? "0" : J + Offsets[pick(7)];
  }
  std::string value() {
    std::string E;
    for (unsigned N = 1 + pick(3); N; --N) {
      const std::string Elements[] = {table() + at(near()),
                                      table() + at(near()),
                                      "a" + at(J.empty() ? "0" : J),
                                      "t",
                                      "y[i]",
                                      Let.empty() ? "2.0:f64" : Let};
      const std::string Element = Elements[pick(6)];
      E += (E.empty() ? ""
            : pick(2) ? " * "
                      : " + ") +
           (pick(8) || J.empty()
                ? Element
                : "(" + J + " > 1 ? " + Element + " : 1.0:f64)");
    }
    return E;
  }
  std::string statement() {
    if (pick(6) == 0) {
      Let = "s" + J;
      return "let " + Let + ": f64 = t * " + table() + at(near()) + ";\n";
    }
    static const char *Ops[] = {" = ", " = ", " = ", " += "};
    const std::string To = pick(8) ? pick(6) ? J : J + " - 1" : "k";
    return table() + at(To) + Ops[pick(4)] + value() + ";\n";
  }
  std::string inner() {
    J = "j" + std::to_string(++Loops);
    Let.clear();
    const bool Down = pick(3) == 0;
    std::string Text = "for (" + J + ": i32 = ";
    Text += Down ? "m - 2; " + J + " >= " + (pick(2) ? "0" : "1") + "; " + J +
                       " += -1) {\n"
                 : std::string(pick(3) ? "1" : "2") + "; " + J + " < " +
                       (pick(3) ? "m" : "m - 1") + "; " + J + " += 1) {\n";
    for (unsigned N = 1 + pick(3); N; --N)
      Text += statement();
    J.clear();
    Let.clear();
    return Text + "}\n";
  }
};

TEST(CarryValues, RandomRowsKeepEveryBit) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  const unsigned Programs = Asked ? std::atoi(Asked) : 1200;
  unsigned Changed = 0, Ran = 0, Guarded = 0;
  for (unsigned P = 1; P <= Programs; ++P) {
    const std::string Text = Rows(P).function();
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    Context Ctx;
    Ctx.Opts.FP = FPMode::Strict;
    FunctionRef New = Fs->front();
    for (auto *Pass : {raiseLoops, orderIterators, carryValues})
      New = Pass(New, Ctx);
    if (!isLaidOut(New))
      continue;
    ++Changed;
    for (const std::string &Problem : verify(*New))
      FAIL() << Problem << "\n" << toString(New->Body);
    SequenceTrial T = compareRuns(*Fs->front(), *New, {}, P, 16);
    ASSERT_EQ(T.Difference, "") << "program " << P << "\n"
                                << Text << toString(New->Body);
    Ran += T.Ran;
    Guarded += T.Guarded;
  }
  printf("%u of %u hand values on (%u runs, %u under their guards)\n", Changed,
         Programs, Ran, Guarded);
  EXPECT_GT(Changed * 60, Programs);
  EXPECT_GT(Guarded * 4, Ran);
}

TEST(StripParts, RandomBodiesKeepEveryBit) {
  checkLoopBodies(
      1000,
      [](const FunctionRef &F, Context &Ctx) -> FunctionRef {
        Ctx.Opts.FP = FPMode::Strict;
        Ctx.Opts.Machine.VectorBytes = 0; // strips of two points
        FunctionRef New = stripParts(raiseLoops(F, Ctx), Ctx);
        return isLaidOut(New) ? New : nullptr;
      },
      200);
}

} // namespace
