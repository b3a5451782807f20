//===- EarlyExitsTest.cpp - loops that some iteration leaves --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random loops with ways out are raised and run beside themselves. How many and
// which: RAISE_FUZZ_PROGRAMS, RAISE_FUZZ_FIRST.
//
//===----------------------------------------------------------------------===//
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "raise/Transform/Passes.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace raise;

namespace {

/// One loop, for or while, over arrays a and b, with carried s and t.
class Loops {
public:
  explicit Loops(uint64_t Seed) : Random(Seed) {}

  std::string function() {
    std::string Text =
        "func @f(a: u32*, b: u32*" + std::string(pick(2) ? " restrict" : "") +
        ", n: i32, x: u32): u32 {\nlet s: u32 = x;\nlet t: u32 = 3:u32;\n"
        "let i: " +
        Type + " = " + number(0) + ";\nlet j: i64 = 1:i64;\n";
    Text += pick(2) ? forLoop() : whileLoop();
    return Text + "a[30] = s;\na[31] = t;\nb[30] = icast<u32>(i);\nb[31] = "
                  "icast<u32>(j);\nreturn s + 5:u32;\n}\n";
  }

private:
  std::mt19937_64 Random;
  const char *Type = "i32";
  unsigned pick(unsigned N) { return Random() % N; }
  std::string number(int V) { return std::to_string(V) + ":" + Type; }

  std::string element(bool Written) {
    std::string At = "icast<i64>(i) + " + std::to_string(pick(3)) + ":i64";
    if (pick(6) == 0)
      At = "j + " + std::to_string(pick(2)) + ":i64";
    else if (pick(8) == 0)
      At = "2:i64";
    return std::string(pick(2) || Written ? "a" : "b") + "[" + At + "]";
  }
  std::string value() {
    switch (pick(8)) {
    case 0:
      return "s";
    case 1:
      return "t";
    case 2:
      return "icast<u32>(i)";
    case 3:
      return element(false) + " * 3:u32";
    case 4:
      return "(s + " + element(false) + ")";
    default:
      return element(false);
    }
  }
  std::string test() {
    const char *const Ops[] = {"<", ">", "==", "!="};
    std::string L = value();
    const char *Op = Ops[pick(4)];
    return L + " " + Op + " " +
           (pick(3) ? std::to_string(pick(7)) + ":u32" : value());
  }
  std::string leave() {
    std::string Text = "if (" + test() + ") {\n";
    for (unsigned K = pick(3); K; --K)
      Text += simple();
    return Text + (pick(4) ? "break;" : "return s + t + 1:u32;") + "\n}\n";
  }
  std::string simple() {
    std::string V = value();
    switch (pick(6)) {
    case 0:
      return "s = " + V + ";\n";
    case 1:
      return "s += " + V + ";\n";
    case 2:
      return "t max= " + V + ";\n";
    case 3:
      return "if (" + test() + ") {\nt = " + V + ";\n}\n";
    default:
      return element(true) + (pick(2) ? " = " : " += ") + V + ";\n";
    }
  }
  std::string statements() {
    std::string Text;
    for (unsigned K = 1 + pick(4); K; --K)
      Text += pick(3) ? simple() : leave();
    return Text;
  }
  std::string forLoop() {
    std::string Body = statements();
    switch (pick(4)) {
    case 0:
      return "for (i = n - 1; i >= 0; i += -1) {\n" + Body + "}\n";
    case 1:
      return "for (i = 1; i < n; i += 2) {\n" + Body + "}\n";
    default:
      return "for (i = 0; i < n; i += 1) {\n" + Body + "}\n";
    }
  }
  std::string whileLoop() {
    std::string Step = "i += " + std::to_string(1 + pick(2)) + ";\n";
    if (pick(2))
      Step += "j += 1:i64;\n";
    std::string Range = "i < n";
    std::string Cond = pick(2) ? Range + " && " + test() : Range;
    // Where the test comes first, what is after it is in range.
    if (pick(4) == 0)
      return "do {\n" + statements() + Step + "} while (" + Cond + ");\n";
    return "while (" + Cond + ") {\n" +
           (pick(3) ? statements() + Step : Step + statements()) + "}\n";
  }
};

interp::Inputs inputs(uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  auto Make = [&] {
    auto S = std::make_shared<interp::Storage>();
    for (unsigned I = 0; I < 48; ++I)
      S->Cells.push_back(
          interp::Value::ofInt(int64_t(Random() % 7), Type::getInt(32, false)));
    return S;
  };
  interp::Inputs In;
  auto A = Make(), B = Make();
  int64_t Offset = int64_t(Random() % 4);
  bool Shared = Random() % 3 == 0;
  In.Buffers["a"] = {A, 2};
  In.Buffers["b"] = {Shared ? A : B, Offset};
  In.Scalars["n"] = interp::Value::ofInt(int64_t(Random() % 12) - 1);
  In.Scalars["x"] =
      interp::Value::ofInt(int64_t(Random() % 9), Type::getInt(32, false));
  return In;
}

std::string contents(const interp::Inputs &In, const interp::Outcome &O) {
  std::string Text = std::to_string(int(O.Why)) + " " +
                     (O.Result ? std::to_string(O.Result->I) : "none");
  for (auto &Entry : In.Buffers)
    for (auto &Cell : Entry.second.Store->Cells)
      Text += " " + std::to_string(Cell->I);
  return Text;
}

uint64_t setting(const char *Name, uint64_t Default) {
  const char *Text = std::getenv(Name);
  return Text ? std::strtoull(Text, nullptr, 10) : Default;
}

TEST(EarlyExits, RaisedLoopsLeaveAsTheirOriginalsDo) {
  const uint64_t First = setting("RAISE_FUZZ_FIRST", 1);
  const uint64_t Count = setting("RAISE_FUZZ_PROGRAMS", 1500);
  uint64_t Searches = 0, Others = 0, Runs = 0;
  for (uint64_t Seed = First; Seed < First + Count; ++Seed) {
    std::string Text = Loops(Seed).function();
    auto Fs = parseIR(Text, "random");
    ASSERT_TRUE(bool(Fs)) << Text << llvm::toString(Fs.takeError());
    Context Ctx;
    FunctionRef After = raiseLoops(Fs->front(), Ctx);
    bool Leaves = false, Search = false;
    forEachStmt(After->Body, [&](const StmtRef &S) {
      auto *T = llvm::dyn_cast<TensorOp>(S.get());
      if (!T)
        return;
      Search |= T->Iterators[0].Kind == IterKind::Search;
      forEachStmt(T->Body, [&](const StmtRef &Sub) {
        Leaves |= llvm::isa<Break>(*Sub) || llvm::isa<Return>(*Sub);
      });
    });
    Searches += Search;
    Others += Leaves && !Search;
    ASSERT_TRUE(verify(*After).empty()) << verify(*After).front() << "\n"
                                        << Text;
    for (uint64_t Try = 0; Leaves && Try < 6; ++Try) {
      interp::Inputs In = inputs(Seed * 6 + Try), Out = interp::clone(In);
      interp::Outcome Want = interp::run(*Fs->front(), In);
      if (Want.Why != interp::Stop::Done)
        continue;
      ++Runs;
      interp::Outcome Got = interp::run(*After, Out);
      ASSERT_EQ(contents(In, Want), contents(Out, Got))
          << Seed << " " << Got.Message << "\n"
          << Text << "\n"
          << toString(After->Body);
    }
  }
  // Else nothing would have been compared.
  EXPECT_GT(Searches, Count / 20);
  EXPECT_GT(Others, Count / 50);
  EXPECT_GT(Runs, Count / 5);
}

} // namespace
