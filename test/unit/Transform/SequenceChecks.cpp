//===- SequenceChecks.cpp - loops taken apart against the original --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SequenceChecks.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

//===-- Random bodies --------------------------------------------------===//

std::string LoopBodies::number() {
  std::string N = std::to_string(1 + pick(3));
  return Ty == "f64" ? N + ".0" : N + ":u64";
}

std::string LoopBodies::index() {
  int By = static_cast<int>(pick(5)) - 2;
  std::string Near = By < 0   ? "i - " + std::to_string(-By)
                     : By > 0 ? "i + " + std::to_string(By)
                              : "i";
  switch (pick(16)) {
  case 0:
    return "n - " + std::string(pick(2) ? "i" : "i - 1");
  case 1:
    return pick(2) ? "m" : "0";
  case 2:
    return pick(2) ? "n / 2" : "n - 1";
  case 3:
    return "2 * i";
  default:
    return pick(2) ? "i" : Near;
  }
}

std::string LoopBodies::leaf() {
  if (!Lets.empty() && pick(3) == 0)
    return Lets[pick(Lets.size())];
  switch (pick(8)) {
  case 0:
    return number();
  case 1:
    return "t";
  case 2:
    return pick(2) ? "u" : "s";
  default:
    return element();
  }
}

std::string LoopBodies::value(unsigned Depth) {
  if (Depth == 0 || pick(3) == 0)
    return leaf();
  static const char *Ops[] = {" + ", " - ", " * ", " + "};
  return "(" + value(Depth - 1) + Ops[pick(4)] + leaf() + ")";
}

std::string LoopBodies::condition() {
  switch (pick(4)) {
  case 0:
    return std::string("i ") + (pick(2) ? "<" : "==") + (pick(2) ? " m" : " 1");
  case 1:
    return "t < " + number();
  default:
    return element() + (pick(2) ? " < " : " != ") + number();
  }
}

std::string LoopBodies::statement(unsigned Level) {
  switch (pick(12)) {
  case 0:
  case 1:
    return std::string(pick(2) ? "t" : "u") + " = " + value() + ";\n";
  case 2:
    return std::string(pick(4) ? "s" : "t") + " += " + leaf() + ";\n";
  case 3: {
    std::string Name = "x" + std::to_string(Names++);
    std::string S = "let " + Name + ": " + Ty + " = " + value() + ";\n";
    Lets.push_back(Name);
    return S;
  }
  case 4:
    if (Level > 0)
      return "for (j: i32 = " + std::string(pick(2) ? "0" : "i") +
             "; j < n; j += 1) {\n" + buffer() +
             (pick(2) ? "[j] = " : "[i] += ") + buffer() +
             (pick(2) ? "[j + 1]" : "[i]") + " + " + leaf() + ";\n}\n";
    [[fallthrough]];
  case 5:
    if (Level > 0) {
      size_t Outside = Lets.size();
      std::string S = "if (" + condition() + ") {\n";
      for (unsigned N = 1 + pick(2); N; --N)
        S += statement(Level - 1);
      Lets.resize(Outside);
      if (pick(2)) {
        S += "} else {\n" + statement(Level - 1);
        Lets.resize(Outside);
      }
      return S + "}\n";
    }
    [[fallthrough]];
  default:
    return element() +
           (pick(3)   ? " = "
            : pick(2) ? " += "
                      : " *= ") +
           value() + ";\n";
  }
}

std::string LoopBodies::header() {
  static const char *From[] = {"0", "1", "2", "m", "-1"};
  static const char *To[] = {"n", "n - 1", "12", "n + 1", "n / 2 + 4"};
  switch (pick(8)) {
  case 0:
    return "for (i: i32 = n; i >= 0; i += -1) {\n";
  case 1:
    return "for (i: i32 = 0; i < n; i += 2) {\n";
  case 2:
    return "for (i: i32 = 0; i <= n; i += 1) {\n";
  default:
    return std::string("for (i: i32 = ") + From[pick(5)] + "; i < " +
           To[pick(5)] + "; i += 1) {\n";
  }
}

std::string LoopBodies::function() {
  std::string Text = "func @f(";
  for (const char *B : {"a", "b", "c", "d"})
    Text +=
        std::string(B) + ": " + Ty + "*" + (pick(2) ? " restrict" : "") + ", ";
  Text += "n: i32, m: i32, s: " + Ty + ", t: " + Ty + ", u: " + Ty + ") {\n" +
          header();
  for (unsigned N = 2 + pick(4); N; --N)
    Text += statement(2);
  return Text + "}\n}\n";
}

//===-- Running them ---------------------------------------------------===//

namespace {

constexpr int64_t Cells = 160;

interp::Inputs randomInputs(const Function &F, std::mt19937_64 &Random) {
  interp::Inputs In;
  std::shared_ptr<interp::Storage> Shared;
  bool Overlap = Random() % 2;
  for (const Param &P : F.Params) {
    if (!P.Buf) {
      int64_t V = static_cast<int64_t>(Random() % 16) - 1;
      const Type &Ty = P.Scalar->Ty;
      In.Scalars[P.Scalar->Name] =
          Ty.isFloat() ? interp::Value::ofFloat(V, Ty)
                       : interp::Value::ofInt(V < 0 && !Ty.Signed ? 3 : V, Ty);
      continue;
    }
    auto S = std::make_shared<interp::Storage>();
    for (int64_t C = 0; C < Cells; ++C) {
      const Type &Ty = P.Buf->Elem;
      S->Cells.push_back(Ty.isFloat() ? interp::Value::ofFloat(Random() % 5, Ty)
                                      : interp::Value::ofInt(Random() % 5, Ty));
    }
    if (Overlap && !P.Buf->Restrict && !Shared)
      Shared = S;
    bool Joins = Overlap && !P.Buf->Restrict;
    In.Buffers[P.Buf->Name] = {Joins ? Shared : S,
                               Joins ? static_cast<int64_t>(40 + Random() % 60)
                                     : 60};
  }
  return In;
}

bool same(const interp::Value &X, const interp::Value &Y) {
  if (std::isnan(X.D) || std::isnan(Y.D))
    return std::isnan(X.D) && std::isnan(Y.D);
  return X.I == Y.I && X.D == Y.D;
}

std::string difference(interp::Inputs &A, interp::Inputs &B,
                       const interp::Outcome &OA, const interp::Outcome &OB,
                       const std::vector<std::string> &After) {
  for (auto &[Name, Bound] : A.Buffers) {
    auto &X = Bound.Store->Cells, &Y = B.Buffers[Name].Store->Cells;
    for (size_t C = 0; C < X.size(); ++C)
      if (!same(*X[C], *Y[C]))
        return "cell " + std::to_string(C) + " of " + Name;
  }
  for (const std::string &V : After)
    if (!same(OA.Scalars.at(V), OB.Scalars.at(V)))
      return V;
  return "";
}

} // namespace

SequenceTrial raise::testing::compareRuns(const Function &Old,
                                          const Function &New,
                                          const std::vector<std::string> &After,
                                          uint64_t Seed, unsigned Runs) {
  SequenceTrial T;
  std::mt19937_64 Random(Seed);
  interp::Settings Few;
  Few.MaxSteps = 20000;
  for (unsigned R = 0; R < Runs; ++R) {
    interp::Inputs A = randomInputs(Old, Random), B = interp::clone(A);
    std::string Start;
    for (auto &[Name, V] : A.Scalars)
      Start += Name + "=" + std::to_string(V.I) + " ";
    interp::Outcome OA = interp::run(Old, A, Few);
    if (OA.Why != interp::Stop::Done)
      continue;
    ++T.Ran;
    interp::Settings Any = Few;
    Any.Ord = interp::Settings::Order::Random;
    Any.Seed = Seed + R;
    Any.MaxSteps = 200000;
    interp::Outcome OB = interp::run(New, B, Any);
    T.Guarded += OB.GuardsPassed > 0;
    T.Difference = OB.Why != interp::Stop::Done
                       ? OB.Message
                       : difference(A, B, OA, OB, After);
    if (T.Difference.empty())
      continue;
    T.Difference +=
        "\nfor " + Start + "\n" + toString(Old.Body) + toString(New.Body);
    return T;
  }
  return T;
}

bool raise::testing::hasRegion(const FunctionRef &F) {
  bool Found = false;
  forEachStmt(F->Body,
              [&](const StmtRef &S) { Found |= llvm::isa<Region>(S.get()); });
  return Found;
}

bool raise::testing::isLaidOut(const FunctionRef &F) {
  bool Found = false;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    const auto *R = llvm::dyn_cast<Region>(S.get());
    Found |= R && R->Rests.Means;
  });
  return Found;
}

void raise::testing::checkLoopBodies(unsigned Programs, FunctionRewrite Rewrite,
                                     unsigned OneIn) {
  if (const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS"))
    Programs = std::atoi(Asked);
  unsigned Changed = 0, Ran = 0, Guarded = 0;
  for (unsigned P = 0; P < Programs; ++P) {
    std::string Text = LoopBodies(P).function();
    std::vector<std::string> After;
    if (P % 4 == 0) {
      // What is stored after the loop is live after it.
      After = {"s", "t", "u"};
      Text.insert(Text.size() - 2, "a[0] += s;\na[0] += t;\na[0] += u;\n");
    } else if (P % 4 == 2) {
      After = {"s"};
      Text.insert(Text.size() - 2, "a[0] += s;\n");
    }
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    Context Ctx;
    FunctionRef New = Rewrite(Fs->front(), Ctx);
    if (!New)
      continue;
    ++Changed;
    for (const std::string &Problem : verify(*New))
      FAIL() << Problem << "\n" << toString(New->Body);
    SequenceTrial T = compareRuns(*Fs->front(), *New, After, P, 12);
    ASSERT_EQ(T.Difference, "") << "program " << P;
    Ran += T.Ran;
    Guarded += T.Guarded;
  }
  printf("changed %u (%u runs, %u under their guards)\n", Changed, Ran,
         Guarded);
  EXPECT_GT(Changed * OneIn, Programs);
  EXPECT_GT(Guarded * 4, Ran);
}
