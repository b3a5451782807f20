//===- ScalarChecks.cpp - rewritten loops against the original ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarChecks.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

//===-- Random loops ---------------------------------------------------===//

std::string ScalarLoops::number(int From, int To, const std::string &Ty) {
  int V = From + static_cast<int>(pick(To - From + 1));
  if (Ty[0] == 'u' && V < 0)
    return "icast<" + Ty + ">(" + std::to_string(V) + ")";
  return std::to_string(V) + ":" + Ty;
}

std::string ScalarLoops::as(const Scalar &S, const std::string &Ty) {
  return S.Ty == Ty ? S.Name : "icast<" + Ty + ">(" + S.Name + ")";
}

/// A good part of all values of a type.
static std::string large(const std::string &Ty, bool Negative) {
  std::string Value = Ty == "i64" || Ty == "u64"   ? "4611686018427387904"
                      : Ty == "i32" || Ty == "u32" ? "1073741824"
                                                   : "60";
  return (Negative ? "-" : "") + Value + ":" + Ty;
}

/// What does not change in the loop, mostly.
std::string ScalarLoops::amount(const std::string &Ty) {
  switch (pick(9)) {
  case 8:
    return large(Ty, Ty[0] == 'i' && pick(2));
  case 0:
    return as({"n", "i32"}, Ty);
  case 1:
    return as({"m", "i32"}, Ty);
  case 2:
    return "(" + as({"m", "i32"}, Ty) + " - " + number(0, 3, Ty) + ")";
  case 3:
    return pick(3) ? number(-3, 3, Ty) : as(Scope[pick(Scope.size())], Ty);
  default:
    return number(-3, 3, Ty);
  }
}

std::string ScalarLoops::update() {
  const Scalar &K = Carried[pick(Carried.size())];
  // C computes in int at least.
  bool Narrow = K.Ty == "i8" || K.Ty == "u8" || K.Ty == "i16";
  std::string In = Narrow ? "i32" : pick(8) ? K.Ty : "i64";
  if (K.Ty == "u64")
    In = "u64";
  std::string By = amount(In), Op = pick(3) ? "+" : "-";
  if (In == K.Ty && pick(2))
    return K.Name + " " + Op + "= " + By + ";\n";
  std::string Sum = pick(3) || Op == "-" ? as(K, In) + " " + Op + " " + By
                                         : By + " + " + as(K, In);
  return K.Name + " = " +
         (In == K.Ty ? Sum : "icast<" + K.Ty + ">(" + Sum + ")") + ";\n";
}

/// One scalar takes the value of another, of the loop's variable or a fixed
/// one.
std::string ScalarLoops::follow() {
  const Scalar &To = Carried[pick(Carried.size())];
  std::string Index = as(Scope[0], "i64") + " + " + number(0, 2, "i64");
  switch (pick(7)) {
  case 5:
    return "x = d[" + Index + "] * 0.5;\n";
  case 6:
    return To.Name + " = " +
           (To.Ty == "i64" ? "c[" + Index + "]"
                           : "icast<" + To.Ty + ">(c[" + Index + "])") +
           ";\n";
  case 0:
    return To.Name + " = " + number(-2, 5, To.Ty) + ";\n";
  case 1:
  case 2:
    return To.Name + " = " + as(Scope[pick(Scope.size())], To.Ty) + ";\n";
  case 3: {
    Scalar Local{"x" + std::to_string(Names++), To.Ty};
    std::string S = "let " + Local.Name + ": " + Local.Ty + " = " +
                    as(Carried[pick(Carried.size())], To.Ty) + ";\n";
    Scope.push_back(Local);
    return S;
  }
  default:
    return To.Name + " = " + as(Carried[pick(Carried.size())], To.Ty) +
           (To.Ty == "i32" && pick(2) ? " + 1" : "") + ";\n";
  }
}

std::string ScalarLoops::log() {
  const Scalar &K =
      pick(4) ? Carried[pick(Carried.size())] : Scope[pick(Scope.size())];
  std::string Slot = "(" + as(Scope[0], "i64") + " & 15:i64)";
  switch (pick(6)) {
  case 4:
    return "a[" + as(Scope[0], "i64") + "] = x;\n";
  case 5:
    return std::string("x = ") + (pick(2) ? "a" : "b") + "[" +
           as(Scope[0], "i64") + "] * 2.0;\n";
  case 0:
    return "a[" + K.Name + "] = b[" + Carried[pick(Carried.size())].Name +
           "] + 1.0;\n";
  case 1:
    return "a[" + as(K, "i32") + (pick(2) ? " + 1" : " - 2") + "] += 1.0;\n";
  case 2:
    return "if (" + as(K, "i32") + (pick(2) ? " < 4" : " >= n") + ") {\nlog[" +
           Slot + "] ^= 9:i64;\n}\n";
  default:
    return "log[" + Slot + "] ^= " + as(K, "i64") + " + 3:i64;\n";
  }
}

std::string ScalarLoops::header(const Scalar &V) {
  static const char *Up[] = {"<", "<=", "!=", "<"};
  static const char *Down[] = {">", ">=", "!=", ">="};
  bool Falls = pick(3) == 0;
  unsigned Cond = pick(4);
  std::string Lo = number(0, 2, V.Ty), Hi;
  if (pick(4) == 0)
    Lo = pick(2) ? as({"m", "i32"}, V.Ty) : number(-3, -1, V.Ty);
  if (pick(8) == 0)
    Lo = as(Carried[pick(Carried.size())], V.Ty);
  switch (pick(4)) {
  case 0:
    Hi = number(0, 6, V.Ty);
    break;
  case 1:
    Hi = V.Ty == "i32" && pick(2) ? "icast<i64>(n)" : as({"n", "i32"}, V.Ty);
    break;
  case 2:
    Hi = V.Ty == "i32" && pick(3) == 0 ? "icast<u64>(n)"
                                       : as({"n", "i32"}, V.Ty);
    break;
  default:
    Hi = pick(2) ? "log[17]"
                 : as({"n", "i32"}, V.Ty) + " - " + number(0, 2, V.Ty);
    if (Hi == "log[17]" && V.Ty != "i64")
      Hi = "icast<" + V.Ty + ">(log[17])";
  }
  if (Falls)
    std::swap(Lo, Hi);
  if (Falls && Lo.find("icast<i64>(n)") == 0)
    Lo = V.Ty == "i64" ? Lo : "n";
  if (Falls && Lo.find("icast<u64>(n)") == 0)
    Lo = V.Ty == "u64" ? Lo : "n";
  int Size = 1 + static_cast<int>(pick(2) ? pick(3) : 0);
  std::string Step = number(Falls ? -Size : Size, Falls ? -Size : Size, V.Ty);
  if (pick(6) == 0)
    Step = as({"s", "i32"}, V.Ty);
  if (V.Ty[0] == 'i' && pick(10) == 0) {
    // From one end of the type to the other in a few steps.
    Step = large(V.Ty, Falls);
    Lo = large(V.Ty, !Falls) + (pick(2) ? " + " : " - ") + number(0, 3, V.Ty);
    Hi = pick(2) ? number(-2, 2, V.Ty)
                 : large(V.Ty, Falls) + " - " + number(0, 3, V.Ty);
  }
  return "for (" + V.Name + ": " + V.Ty + " = " + Lo + "; " + V.Name + " " +
         (Falls ? Down : Up)[Cond] + " " + Hi + "; " + V.Name + " += " + Step +
         ") {\n";
}

std::string ScalarLoops::body(unsigned Level) {
  std::string S;
  size_t Before = Scope.size();
  for (unsigned N = 2 + pick(4); N; --N)
    switch (pick(8)) {
    case 0:
    case 1:
      S += update();
      break;
    case 2:
      S += follow();
      break;
    case 3:
      if (Level < 2) {
        S += loop(Level + 1);
        break;
      }
      [[fallthrough]];
    case 4: {
      size_t Inside = Scope.size();
      std::string Same = pick(2) ? update() : "";
      std::string Then = pick(2) ? log() + Same : Same + log();
      std::string Else = pick(2) ? log() + Same : Same;
      Scope.resize(Inside);
      S += "if (" + as(Scope[pick(Scope.size())], "i32") + " < 2) {\n" + Then +
           "}" + (pick(3) ? " else {\n" + Else + "}" : "") + "\n";
      break;
    }
    default:
      S += log();
    }
  Scope.resize(Before);
  return S;
}

std::string ScalarLoops::loop(unsigned Level) {
  static const char *Types[] = {"i32", "i32", "i32", "i64", "u32", "u64"};
  Scalar V{"i" + std::to_string(Level), Types[pick(6)]};
  std::string S = header(V);
  Scope.push_back(V);
  S += body(Level) + "}\n";
  Scope.pop_back();
  return S;
}

std::string ScalarLoops::extremum() {
  static const char *Ops[] = {">", "<", ">", "<", ">=", "<="};
  std::string Op = Ops[pick(6)], I = as(Scope[0], "i64"),
              J = as(Scope.back(), "i64");
  bool Ints = Carried[0].Ty == "i64" && pick(2);
  std::string X = Ints ? Carried[0].Name : "x",
              At = "[" + I + (Scope.size() > 1 ? " * 4:i64 + " : " + ") + J +
                   "]";
  std::string V = (Ints ? "c" : "d") + At;
  if (!Ints && pick(3) == 0)
    V = "@fabs(" + V + ")";
  std::string S = "if (" +
                  (pick(2) ? V + " " + Op + " " + X : X + " " + Op + " " + V) +
                  ") {\n" + X + " = " + V + ";\n";
  for (const Scalar &K : Carried)
    if (K.Name != X && pick(4))
      S += K.Name + " = " + as(Scope[pick(Scope.size())], K.Ty) + ";\n";
  return (pick(3) ? "" : log()) + S + "}\n";
}

std::string ScalarLoops::searching() {
  function(); // for the scalars
  static const char *Types[] = {"i32", "i32", "i32", "i64", "u32", "u64"};
  unsigned Depth = 1 + pick(2);
  std::string Head = "func @f(log: i64*, a: f64*, b: f64*, c: const i64* "
                     "restrict, d: const f64* restrict, x: f64, n: i32, m: "
                     "i32, s: i32",
              Loops;
  for (const Scalar &K : Carried)
    Head += ", " + K.Name + ": " + K.Ty;
  for (unsigned D = 0; D < Depth; ++D) {
    Scalar V{"i" + std::to_string(D), Types[pick(6)]};
    Loops += header(V);
    Scope.push_back(V);
  }
  Loops += extremum();
  for (unsigned D = 0; D < Depth; ++D)
    Loops += "}\n";
  return Head + ") {\n" + Loops + "}\n";
}

std::string ScalarLoops::function() {
  static const char *Types[] = {"i32", "i32", "i32", "i64", "i64",
                                "u32", "u64", "i8",  "u8",  "i16"};
  std::string Head = "func @f(log: i64*, a: f64*, b: f64*, c: const i64* "
                     "restrict, d: const f64* restrict, x: f64, n: i32, m: "
                     "i32, s: i32";
  for (unsigned K = 0, N = 1 + pick(3); K < N; ++K) {
    Carried.push_back({"k" + std::to_string(K), Types[pick(10)]});
    Head += ", " + Carried.back().Name + ": " + Carried.back().Ty;
  }
  return Head + ") {\n" + loop(0) + "}\n";
}

//===-- Running them ---------------------------------------------------===//

namespace {

constexpr int64_t Cells = 256;

class Trier {
public:
  Trier(const Function &F, uint64_t Seed) : F(F), Random(Seed) {}

  interp::Inputs inputs() {
    interp::Inputs In;
    for (const Param &P : F.Params) {
      if (!P.Buf && P.Scalar->Ty.isFloat()) {
        In.Scalars[P.Scalar->Name] =
            interp::Value::ofFloat(Random() % 50, P.Scalar->Ty);
        continue;
      }
      if (!P.Buf) {
        In.Scalars[P.Scalar->Name] =
            interp::Value::ofInt(scalar(*P.Scalar), P.Scalar->Ty);
        continue;
      }
      auto S = std::make_shared<interp::Storage>();
      bool IsLog = P.Buf->Name == "log";
      for (int64_t C = 0; C < (IsLog ? 32 : Cells); ++C)
        S->Cells.push_back(
            IsLog ? interp::Value::ofInt(C == 17 ? Random() % 6 : Random(),
                                         P.Buf->Elem)
            : P.Buf->Elem.isInt()
                ? interp::Value::ofInt(C % 13 - 4, P.Buf->Elem)
            : P.Buf->Name == "d"
                ? interp::Value::ofFloat(special(), P.Buf->Elem)
                : interp::Value::ofFloat(C % 97, P.Buf->Elem));
      In.Buffers[P.Buf->Name] = {S, IsLog ? 0 : Cells / 2};
    }
    return In;
  }

private:
  const Function &F;
  std::mt19937_64 Random;

  /// Few values, so that many are equal, and those that compare oddly.
  long double special() {
    static const double Values[] = {0.0,  -0.0,     1.0,       2.0, 3.0,
                                    -1.0, INFINITY, -INFINITY, NAN};
    return Values[Random() % 9];
  }

  int64_t scalar(const Var &V) {
    if (V.Name == "n" || V.Name == "m")
      return static_cast<int64_t>(Random() % 9) - 1;
    if (V.Name == "s")
      return static_cast<int64_t>(Random() % 7) - 3;
    int64_t Small = static_cast<int64_t>(Random() % 12) - 2;
    if (Random() % 4)
      return Small;
    // Near the ends of the type.
    uint64_t Top = V.Ty.Bits == 64 ? ~0ULL : (1ULL << V.Ty.Bits) - 1;
    uint64_t Half = Top >> 1;
    switch (Random() % 3) {
    case 0:
      return static_cast<int64_t>((V.Ty.Signed ? Half : Top) - Random() % 8);
    case 1:
      return V.Ty.Signed ? -static_cast<int64_t>(Half) - 1 +
                               static_cast<int64_t>(Random() % 8)
                         : static_cast<int64_t>(Random() % 8);
    default:
      return static_cast<int64_t>(Half - Random() % 8);
    }
  }
};

bool same(const interp::Value &X, const interp::Value &Y) {
  if (std::isnan(X.D) || std::isnan(Y.D))
    return std::isnan(X.D) && std::isnan(Y.D);
  return X.I == Y.I && X.D == Y.D && std::signbit(X.D) == std::signbit(Y.D);
}

std::string describe(const interp::Value &V) {
  return V.Ty.isFloat() ? std::to_string(static_cast<double>(V.D))
                        : std::to_string(V.I);
}

/// The first difference between what two runs left behind.
std::string difference(interp::Inputs &A, interp::Inputs &B,
                       const interp::Outcome &OA, const interp::Outcome &OB,
                       const Liveness::VarSet &After) {
  for (auto &[Name, Bound] : A.Buffers) {
    auto &X = Bound.Store->Cells, &Y = B.Buffers[Name].Store->Cells;
    for (size_t C = 0; C < X.size(); ++C)
      if (!same(*X[C], *Y[C]))
        return Name + "[" + std::to_string(C) + "] is " + describe(*Y[C]) +
               ", not " + describe(*X[C]);
  }
  for (const Var *V : After) {
    auto X = OA.Scalars.at(V->Name), Y = OB.Scalars.at(V->Name);
    if (!same(X, Y))
      return V->Name + " is " + describe(Y) + ", not " + describe(X);
  }
  return "";
}

std::string inputText(const interp::Inputs &In) {
  std::string S;
  for (auto &[Name, V] : In.Scalars)
    S += Name + "=" + describe(V) + " ";
  return S;
}

} // namespace

ScalarTrial raise::testing::tryRewrite(const std::string &Text,
                                       LoopRewrite Rewrite, uint64_t Seed,
                                       unsigned Runs) {
  ScalarTrial T;
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    T.Difference = llvm::toString(Fs.takeError());
    return T;
  }
  FunctionRef F = Fs->back();
  std::mt19937_64 Random(Seed);
  Liveness::VarSet After;
  for (const Param &P : F->Params)
    if (P.Scalar && Random() % 3)
      After.insert(P.Scalar.get());
  std::vector<StmtRef> Out;
  for (const StmtRef &S : statements(F->Body)) {
    auto *L = llvm::dyn_cast<For>(S.get());
    auto New = L ? Rewrite(*L, After) : std::nullopt;
    T.Changed |= New.has_value();
    Out.push_back(New.value_or(S));
  }
  if (!T.Changed)
    return T;
  FunctionRef G = withBody(*F, makeBlock(Out));
  for (const std::string &Problem : verify(*G)) {
    T.Difference = Problem + "\n" + toString(G->Body);
    return T;
  }
  Trier Tries(*F, Seed);
  interp::Settings Few;
  Few.MaxSteps = 20000;
  for (unsigned R = 0; R < Runs; ++R) {
    interp::Inputs InF = Tries.inputs(), InG = interp::clone(InF);
    std::string Start = inputText(InF);
    interp::Outcome OF = interp::run(*F, InF, Few);
    if (OF.Why != interp::Stop::Done)
      continue;
    ++T.Ran;
    interp::Outcome OG = interp::run(*G, InG, Few);
    T.Difference = OG.Why != interp::Stop::Done
                       ? OG.Message
                       : difference(InF, InG, OF, OG, After);
    if (T.Difference.empty())
      continue;
    T.Difference +=
        "\nfor " + Start + "\n" + toString(F->Body) + toString(G->Body);
    return T;
  }
  return T;
}

void raise::testing::checkRandomLoops(
    unsigned Programs, llvm::function_ref<std::string(ScalarLoops &)> Generate,
    LoopRewrite Rewrite, unsigned OneIn) {
  if (const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS"))
    Programs = std::atoi(Asked);
  unsigned Changed = 0, Ran = 0;
  for (unsigned P = 0; P < Programs; ++P) {
    ScalarLoops Loops(P);
    ScalarTrial T = tryRewrite(Generate(Loops), Rewrite, P, 12);
    ASSERT_EQ(T.Difference, "") << "program " << P;
    Changed += T.Changed;
    Ran += T.Ran;
  }
  printf("changed %u (%u runs)\n", Changed, Ran);
  EXPECT_GT(Changed * OneIn, Programs);
  EXPECT_GT(Ran, Changed);
}
