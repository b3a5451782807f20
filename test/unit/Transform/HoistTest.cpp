//===- HoistTest.cpp - what every iteration computes alike ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Hoist.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "raise/Transform/Passes.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace raise;

namespace {

//===-- What is asked, one case at a time ---------------------------------===//

const char *const Parameters =
    "(out: f64* restrict, in: const f64* restrict, any: f64*, n: i32, m: i32, "
    "x: f64, flag: i32)";

Hoisting hoistFrom(const std::string &Loop, const Options &Opts = {},
                   const std::string &Before = "") {
  auto Fs = parseIR("func @total(a: f64, k: i32): f64 {"
                    "  let s: f64 = 0.0;"
                    "  for (j: i32 = 0; j < k; j += 1) { s += a; }"
                    "  return s;"
                    "}"
                    "func @f" +
                        std::string(Parameters) + " {" + Before + Loop + "}",
                    "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return {};
  }
  FunctionRef F = Fs->back();
  auto *L = llvm::cast<For>(statements(F->Body).back().get());
  return hoistInvariants(*L, Liveness(*F), hoistRules(*F, Opts));
}

std::string calling(const std::string &How, const std::string &Store,
                    const std::string &Before = "") {
  return "for (i: i32 = 0; i < n; i += 1) {" + Before +
         "let r: f64; opaque \"g\" \"CR1207\" \"\" touches (r) " + How + ";" +
         Store + "}";
}

const char *const IntoOut = "out[i] = in[i] / r;";

TEST(Hoist, InnerLoopGoes) {
  Hoisting H = hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                         "  let s: f64 = 0.0;"
                         "  for (j: i32 = 0; j < n; j += 1) { s += in[j]; }"
                         "  out[i] = s;"
                         "}");
  ASSERT_TRUE(H.Result);
  EXPECT_TRUE(H.FromWhole);
  EXPECT_FALSE(H.NeedsSeparation);
  EXPECT_EQ(H.Names, std::vector<std::string>{"s"});
}

TEST(Hoist, BuffersThatMayOverlapNeedATest) {
  Hoisting H = hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                         "  let s: f64 = 0.0;"
                         "  for (j: i32 = 0; j < n; j += 1) { s += any[j]; }"
                         "  out[i] = s;"
                         "}");
  EXPECT_FALSE(H.NeedsSeparation); // out is restrict
  H = hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                "  let s: f64 = 0.0;"
                "  for (j: i32 = 0; j < n; j += 1) { s += any[j]; }"
                "  any[i + n] = s;"
                "}");
  EXPECT_FALSE(H.Result); // the same buffer
}

TEST(Hoist, FewIterationsStay) {
  Hoisting H = hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                         "  let s: f64 = 0.0;"
                         "  for (j: i32 = 0; j < 3; j += 1) { s += in[j]; }"
                         "  out[i] = s;"
                         "}");
  EXPECT_FALSE(H.Result);
}

TEST(Hoist, WhatChangesStays) {
  for (const char *Body : {
           "s += in[j] * in[i];", // the loop's variable
           "s += in[j] * x;",     // set below
       })
    EXPECT_FALSE(hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                           "  let s: f64 = 0.0;"
                           "  for (j: i32 = 0; j < n; j += 1) {" +
                           std::string(Body) +
                           "  }"
                           "  out[i] = s;"
                           "  x = s + 1.0;"
                           "}")
                     .Result)
        << Body;
}

TEST(Hoist, ASumThatIsNotStartedAgainStays) {
  EXPECT_FALSE(hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                         "  for (j: i32 = 0; j < n; j += 1) { x += in[j]; }"
                         "  out[i] = x;"
                         "}")
                   .Result);
}

TEST(Hoist, AConditionThatChangesKeepsItsLoop) {
  auto Under = [](const std::string &Cond) {
    return hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                     "  if (" +
                     Cond +
                     ") {"
                     "    let s: f64 = 0.0;"
                     "    for (j: i32 = 0; j < n; j += 1) { s += in[j]; }"
                     "    out[i] = s;"
                     "  }"
                     "}");
  };
  EXPECT_FALSE(Under("i < 3").Result);
  EXPECT_TRUE(Under("flag > 3").Result);
}

TEST(Hoist, ALoopThatMayBeLeftKeepsAll) {
  EXPECT_FALSE(hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                         "  if (out[i] > 0.0) { break; }"
                         "  let s: f64 = 0.0;"
                         "  for (j: i32 = 0; j < n; j += 1) { s += in[j]; }"
                         "  out[i] = s;"
                         "}")
                   .Result);
}

TEST(Hoist, AnInnerLoopThatMayBeLeftKeepsAll) {
  auto Leaving = [](const std::string &Test) {
    return hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                     "  for (k: i32 = 0; k < m; k += 1) {" +
                     Test +
                     "    let s: f64 = 0.0;"
                     "    for (j: i32 = 0; j < n; j += 1) { s += in[j + i]; }"
                     "    out[i * m + k] = s;"
                     "  }"
                     "}");
  };
  EXPECT_FALSE(Leaving("if (in[k] > 0.0) { break; }").Result);
  EXPECT_TRUE(Leaving("").Result);
}

// The variable of the inner loops is one, which ties them together only if its
// last value is read.
TEST(Hoist, LoopsThatShareTheirVariable) {
  auto Sharing = [](const std::string &Last) {
    return hoistFrom(
        "for (i: i32 = 0; i < n; i += 1) {"
        "  let s: f64 = 0.0;"
        "  for (flag = 0; flag < n; flag += 1) { s += in[flag]; }" +
        Last +
        "  for (flag = 0; flag < m; flag += 1) {"
        "    out[i * m + flag] = s;"
        "  }" +
        Last + "}");
  };
  EXPECT_TRUE(Sharing("").FromWhole);
  EXPECT_FALSE(Sharing("out[flag] = 1.0;").FromWhole);
}

TEST(Hoist, CallsThatLoopGoFromWhereTheyAreSurelyEvaluated) {
  auto Storing = [](const std::string &Value) {
    return hoistFrom("for (i: i32 = 0; i < n; i += 1) { out[i] = " + Value +
                     "; }");
  };
  EXPECT_TRUE(Storing("in[i] / @total(x, n)").Result);
  EXPECT_FALSE(Storing("in[i] / @total(x, i)").Result);
  EXPECT_FALSE(Storing("in[i] > 0.0 ? @total(x, n) : 1.0").Result);
}

TEST(Hoist, PureCalls) {
  EXPECT_TRUE(
      hoistFrom(calling("pure r = \"g\"(at in 0:i64, n)", IntoOut)).Result);
  // What it reads is anywhere, out's elements among it if they are passed.
  EXPECT_FALSE(
      hoistFrom(calling("pure r = \"g\"(at out 0:i64, n)", IntoOut)).Result);
  Hoisting H =
      hoistFrom(calling("pure r = \"g\"(at in 0:i64, n)", "any[i] = r;"));
  EXPECT_FALSE(H.Result);
  EXPECT_NE(H.Why.Text.find("it may read what the loop writes through 'any'"),
            std::string::npos)
      << H.Why.Text;
  // A const function reads nothing.
  EXPECT_TRUE(
      hoistFrom(calling("const r = \"g\"(at any 0:i64, n)", "any[i] = r;"))
          .Result);
}

TEST(Hoist, PureCallsByAssumption) {
  Options Assume;
  Assume.Alias = AliasMode::Assume;
  Hoisting H = hoistFrom(
      calling("pure r = \"g\"(at in 0:i64, n)", "any[i] = r;"), Assume);
  EXPECT_TRUE(H.Result);
  EXPECT_EQ(H.Assumed, std::vector<std::string>{
                           "g reads nothing that is written through any"});
  // What is passed is read, whatever is assumed.
  EXPECT_FALSE(
      hoistFrom(calling("pure r = \"g\"(at any 0:i64, n)", "any[i] = r;"),
                Assume)
          .Result);
}

TEST(Hoist, APointerThatMayBeKeptIsNoSecret) {
  Hoisting H = hoistFrom(calling("pure r = \"g\"(at in 0:i64, n)", IntoOut), {},
                         "opaque \"keep(out)\" \"CR1005\" \"\";");
  EXPECT_FALSE(H.Result);
}

TEST(Hoist, PureCallsThatStaySayWhy) {
  EXPECT_NE(hoistFrom(calling("pure r = \"g\"(at in 0:i64, i)", IntoOut))
                .Why.Text.find("'i' changes in the loop"),
            std::string::npos);
  Hoisting H = hoistFrom(calling("pure throws r = \"g\"(at in 0:i64, n)",
                                 IntoOut, "out[i] = 0.0;"));
  EXPECT_FALSE(H.Result);
  EXPECT_NE(H.Why.Text.find("may throw"), std::string::npos);
  // Before all effects it throws where it did.
  EXPECT_TRUE(
      hoistFrom(calling("pure throws r = \"g\"(at in 0:i64, n)", IntoOut))
          .Result);
  H = hoistFrom("for (i: i32 = 0; i < n; i += 1) {"
                "  if (i < m) {"
                "    let r: f64;"
                "    opaque \"g\" \"CR1207\" \"\" touches (r) pure r = "
                "\"g\"(at in 0:i64, n);"
                "    out[i] = r;"
                "  }"
                "}");
  EXPECT_FALSE(H.Result);
  EXPECT_NE(H.Why.Text.find("under a condition that changes"),
            std::string::npos);
}

//===-- Random programs ---------------------------------------------------===//

/// Nests of loops whose bodies compute sums, some of them the same each time,
/// and write them to buffers that may overlap.
class Programs {
public:
  explicit Programs(uint64_t Seed) : Random(Seed) {}

  std::string text() {
    std::string Body = loop(0);
    return "func @total(a: f64, k: i32): f64 {\n"
           "let s: f64 = 0.0;\n"
           "for (j: i32 = 0; j < k; j += 1) { s += a; }\n"
           "return s;\n}\n"
           "func @f(log: f64* restrict, a: f64*, b: f64*, c: const f64*, n: "
           "i32, m: i32, d: i32, x: f64, y: f64, k: i32) {\n" +
           Body + "log[0] = x;\nlog[1] = y;\n" +
           (pick(2) ? "log[2] = icast<f64>(k);\n" : "") + "}\n";
  }

private:
  std::mt19937_64 Random;
  unsigned Names = 0;
  std::vector<std::string> Iterators, Scalars = {"x", "y"};

  unsigned pick(unsigned N) { return Random() % N; }
  std::string integer() {
    switch (pick(7)) {
    case 0:
      return "m";
    case 1:
      return std::to_string(pick(4));
    case 2:
      return "n / d";
    case 3:
      return Iterators[pick(Iterators.size())];
    default:
      return "n";
    }
  }
  std::string index() {
    std::string I = Iterators[pick(Iterators.size())];
    return pick(4) ? I : I + " + " + integer();
  }
  std::string value() {
    static const char *Buffers[] = {"a", "b", "c", "c"};
    switch (pick(8)) {
    case 0:
      return "@total(" + Scalars[pick(Scalars.size())] + ", " + integer() + ")";
    case 1:
      return "1.5";
    case 2:
      return "(n < m ? @total(x, m) : y)";
    case 3:
    case 4:
      return Scalars[pick(Scalars.size())];
    default:
      return std::string(Buffers[pick(4)]) + "[" + index() + "]";
    }
  }
  std::string sum() {
    std::string S;
    std::string V = Scalars[pick(Scalars.size())],
                J = "j" + std::to_string(Names++);
    if (pick(3)) {
      V = "s" + std::to_string(Names++);
      S = "let " + V + ": f64 = " + (pick(3) ? "0.0" : value()) + ";\n";
      Scalars.push_back(V);
    } else if (pick(3)) {
      S = V + " = 0.0;\n";
    }
    bool Shared = pick(4) == 0; // by several loops
    if (Shared)
      J = "k";
    S += "for (" + J + (Shared ? " = " : ": i32 = ") +
         (pick(3) ? "0" : integer()) + "; " + J + " < " + integer() + "; " + J +
         " += 1) {\n";
    Iterators.push_back(J);
    S += V + " += c[" + J + "] * " + value() + ";\n}\n";
    Iterators.pop_back();
    return S;
  }
  std::string statement(unsigned Level) {
    switch (pick(9)) {
    case 0: {
      static const char *Conds[] = {"n < m", "x > 3.0", "d != 0", "n > 1"};
      std::string Cond =
          pick(3) ? Conds[pick(4)] : Iterators[pick(Iterators.size())] + " < 2";
      size_t Before = Scalars.size();
      std::string S = "if (" + Cond + ") {\n" + sum() + statement(Level);
      Scalars.resize(Before);
      return S + "}\n";
    }
    case 1:
      return Scalars[pick(Scalars.size())] + " = " + value() + ";\n";
    case 2:
      if (Level < 2)
        return loop(Level + 1);
      [[fallthrough]];
    case 3:
    case 4:
      return sum();
    default:
      return std::string(pick(4) ? "a" : "b") + "[" + index() +
             "] = " + value() + " + " + Scalars[pick(Scalars.size())] + ";\n";
    }
  }
  std::string jump() {
    return "if (" + Scalars[pick(Scalars.size())] + " > 2.0) {\nbreak;\n}\n";
  }
  std::string loop(unsigned Level) {
    std::string I = "i" + std::to_string(Level) + "_" + std::to_string(Names++);
    std::string S = "for (" + I + ": i32 = " + (pick(4) ? "0" : "1") + "; " +
                    I + " < " + (pick(2) ? "n" : "m") + "; " + I + " += 1) {\n";
    Iterators.push_back(I);
    size_t Before = Scalars.size();
    for (unsigned N = 2 + pick(3); N; --N)
      S += statement(Level) + (pick(12) ? "" : jump());
    Scalars.resize(Before);
    Iterators.pop_back();
    return S + "}\n";
  }
};

/// Some of the buffers are one, or overlap a little.
interp::Inputs inputs(const Function &F, std::mt19937_64 &Random) {
  static const double Values[] = {0, 1, 2, 3, -1, -2, 0.5, NAN, INFINITY};
  interp::Inputs In;
  auto Shared = std::make_shared<interp::Storage>();
  for (int C = 0; C < 128; ++C)
    Shared->Cells.push_back(interp::Value::ofFloat(
        Values[Random() % (Random() % 8 ? 7 : 9)], Type::getFloat(64)));
  for (const Param &P : F.Params) {
    if (P.Buf) {
      auto Own = std::make_shared<interp::Storage>(*Shared);
      bool Apart = P.Buf->Restrict || Random() % 2;
      In.Buffers[P.Buf->Name] = {Apart ? Own : Shared,
                                 static_cast<int64_t>(Random() % 4 * 16)};
    } else if (P.Scalar->Ty.isFloat()) {
      In.Scalars[P.Scalar->Name] =
          interp::Value::ofFloat(Values[Random() % 7], P.Scalar->Ty);
    } else {
      In.Scalars[P.Scalar->Name] = interp::Value::ofInt(
          static_cast<int64_t>(Random() % 7) - 1, P.Scalar->Ty);
    }
  }
  return In;
}

bool same(const interp::Value &X, const interp::Value &Y) {
  if (std::isnan(X.D) || std::isnan(Y.D))
    return std::isnan(X.D) && std::isnan(Y.D);
  return X.I == Y.I && X.D == Y.D;
}

std::string difference(interp::Inputs &A, interp::Inputs &B) {
  for (auto &[Name, Bound] : A.Buffers) {
    auto &X = Bound.Store->Cells, &Y = B.Buffers[Name].Store->Cells;
    for (size_t C = 0; C < X.size(); ++C)
      if (!same(*X[C], *Y[C]))
        return Name + "[" + std::to_string(C) + "]";
  }
  return "";
}

TEST(Hoist, RandomPrograms) {
  const char *N = std::getenv("RAISE_FUZZ_PROGRAMS");
  unsigned Count = N ? std::atoi(N) : 1500, Hoisted = 0, Guarded = 0, Ran = 0;
  for (unsigned P = 0; P < Count; ++P) {
    std::string Text = Programs(P).text();
    auto Fs = parseIR(Text, "test.rir");
    ASSERT_TRUE(bool(Fs)) << llvm::toString(Fs.takeError()) << Text;
    FunctionRef F = Fs->back();
    Context Ctx;
    for (bool Whole : {false, true}) {
      FunctionRef G = Whole ? raiseLoops(structureExits(F, Ctx), Ctx)
                            : hoistInvariantsPass(F, Ctx);
      bool Any = false;
      forEachStmt(G->Body, [&](const StmtRef &S) {
        auto *R = llvm::dyn_cast<Region>(S.get());
        if (!R || R->Rests.Hoisted.empty())
          return;
        Any = true;
        Guarded += !R->Rests.Guards.empty();
      });
      if (!Any)
        continue;
      ++Hoisted;
      for (const std::string &Problem : verify(*G))
        FAIL() << Problem << "\n" << Text << toString(G->Body);
      std::mt19937_64 Random(P);
      interp::Settings Few;
      Few.MaxSteps = 40000;
      for (unsigned R = 0; R < 10; ++R) {
        interp::Inputs InF = inputs(*F, Random), InG = interp::clone(InF);
        if (interp::run(*F, InF, Few).Why != interp::Stop::Done)
          continue;
        ++Ran;
        interp::Outcome After = interp::run(*G, InG, Few);
        ASSERT_EQ(After.Why, interp::Stop::Done) << After.Message << "\n"
                                                 << Text << toString(G->Body);
        ASSERT_EQ(difference(InF, InG), "") << "program " << P << "\n"
                                            << Text << toString(G->Body);
      }
    }
  }
  printf("hoisted %u, guarded %u, %u runs\n", Hoisted, Guarded, Ran);
  EXPECT_GT(Hoisted * 8, Count);
  EXPECT_GT(Guarded, 10u);
  EXPECT_GT(Ran, Hoisted);
}

} // namespace
