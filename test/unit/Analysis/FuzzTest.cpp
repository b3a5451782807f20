//===- FuzzTest.cpp - random nests against brute force --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random small nests with affine, mixed-radix, unsigned and conditional
// subscripts. "Independent" must never be contradicted by a run in which the
// guards hold; "conflict" must be shown by some run.
//
//===----------------------------------------------------------------------===//

#include "LoopChecks.h"
#include "raise/IR/Visitor.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace raise;
using namespace raise::testing;

namespace {

class Generator {
public:
  /// Rich: also conversions, bit operations, jumps, while loops, inductions.
  explicit Generator(uint64_t Seed) : Random(Seed), Rich(Seed % 2 == 1) {}
  std::string function();

private:
  unsigned pick(unsigned N) { return Random() % N; }
  std::string constant(unsigned Most) {
    return std::to_string(pick(Most + 1)) + ":" + Ty;
  }
  std::string divisor(unsigned Most) {
    return pick(2) ? "m" : std::to_string(1 + pick(Most)) + ":" + Ty;
  }
  std::string leaf();
  std::string index(unsigned Depth);
  std::string condition();
  std::string loop(unsigned Level);
  std::string body(unsigned Level);
  std::string access();

  std::string richIndex(unsigned Depth);
  std::string richStatement();

  std::mt19937_64 Random;
  bool Rich;
  std::string Ty;
  std::vector<std::string> Scope;
  unsigned Names = 0;
};

std::string Generator::leaf() {
  switch (pick(6)) {
  case 0:
    return constant(4);
  case 1:
    return pick(2) ? "n" : "m";
  default:
    return Scope[pick(Scope.size())];
  }
}

std::string Generator::richIndex(unsigned Depth) {
  std::string L = index(Depth - 1);
  switch (pick(6)) {
  case 0: {
    static const char *Others[] = {"i32", "u32", "u8", "i16", "i64", "u64"};
    return "icast<" + Ty + ">(icast<" + Others[pick(6)] + ">(" + L + "))";
  }
  case 1:
    return "icast<" + Ty + ">(q)";
  case 2:
    return "(" + L + " & " + std::to_string((1 << pick(4)) - 1) + ":" + Ty +
           ")";
  case 3:
    return pick(2) ? "(" + L + " >> " + std::to_string(pick(3)) + ")"
                   : "c[" + L + "]";
  case 4:
    return "(" + L + " << " + std::to_string(pick(3)) + ")";
  default: {
    std::string R = index(Depth - 1);
    return "(" + L + (pick(2) ? " < " : " > ") + R + " ? " + L + " : " + R +
           ")";
  }
  }
}

std::string Generator::richStatement() {
  switch (pick(5)) {
  case 0:
    return "if " + condition() + " {\n" + access() + " = 1.0;\n} else {\n" +
           access() + " = 2.0;\n}\n";
  case 1:
    return "if " + condition() + " {\ncontinue;\n}\n";
  case 2: {
    std::string W = "w" + std::to_string(Names++);
    std::string S = "let " + W + ": " + Ty + " = " + leaf() + ";\nwhile (" + W +
                    " < 3:" + Ty + ") {\n";
    Scope.push_back(W);
    S += access() + " = " + access() + " * 2.0;\n" + W + " += 1:" + Ty +
         ";\n}\n";
    return S;
  }
  case 3: {
    // A position that advances inside a loop.
    std::string P = "p" + std::to_string(Names++),
                J = "j" + std::to_string(Names++);
    std::string S = "let " + P + ": " + Ty + " = " + index(2) + ";\nfor (" + J +
                    ": " + Ty + " = 0:" + Ty + "; " + J + " < " +
                    (pick(2) ? "m" : constant(3)) + "; " + J + " += 1:" + Ty +
                    ") {\n";
    Scope.push_back(P);
    std::string Use = access() + " = 3.0;\n";
    std::string Step = P + " += " +
                       (pick(2)   ? constant(3)
                        : pick(2) ? "m"
                                  : leaf()) +
                       ";\n";
    S += pick(2) ? Use + Step : Step + Use;
    return S + "}\n";
  }
  default: {
    std::string X = "y" + std::to_string(Names++);
    std::string S = "let " + X + ": " + Ty + " = " + leaf() + ";\nif " +
                    condition() + " {\n" + X + " = " + index(1) + ";\n}\n";
    Scope.push_back(X);
    return S;
  }
  }
}

std::string Generator::index(unsigned Depth) {
  if (Depth == 0 || pick(5) == 0)
    return leaf();
  if (Rich && pick(5) == 0)
    return richIndex(Depth);
  std::string L = index(Depth - 1);
  switch (pick(9)) {
  case 0:
  case 1:
  case 2:
    return "(" + L + " + " + index(Depth - 1) + ")";
  case 3:
    return "(" + L + " - " + (pick(2) ? constant(3) : index(Depth - 1)) + ")";
  case 4:
    return "(" + L + " * " +
           (pick(2)   ? constant(4)
            : pick(2) ? "n"
                      : "m") +
           ")";
  case 5:
    return "(" + L + " % " + divisor(4) + ")";
  case 6:
    return "(" + L + " / " + divisor(4) + ")";
  case 7:
    return "(" + condition() + " ? " + L + " : " + index(Depth - 1) + ")";
  default:
    return "(" + L + " + " + constant(2) + ")";
  }
}

std::string Generator::condition() {
  static const char *Ops[] = {"<", "<=", ">", ">=", "==", "!="};
  return "(" + leaf() + " " + Ops[pick(6)] + " " + leaf() + ")";
}

std::string Generator::access() {
  std::string Buffer = pick(3) ? "a" : "b";
  return Buffer + "[" + index(1 + pick(3)) + "]";
}

std::string Generator::body(unsigned Level) {
  std::string S;
  unsigned Count = 1 + pick(2);
  size_t Before = Scope.size();
  for (unsigned I = 0; I < Count; ++I) {
    if (Rich && pick(3) == 0)
      S += richStatement();
    switch (pick(6)) {
    case 0: {
      std::string Name = "x" + std::to_string(Names++);
      S += "let " + Name + ": " + Ty + " = " + index(2) + ";\n";
      if (pick(2))
        S += Name + " = " + Name + " / " + divisor(3) + ";\n";
      Scope.push_back(Name);
      break;
    }
    case 1:
      if (Level < 2) {
        S += loop(Level + 1);
        break;
      }
      [[fallthrough]];
    case 2:
      S += "if " + condition() + " {\n" + access() + " = 1.0;\n}\n";
      break;
    default:
      break;
    }
  }
  S += access() + (pick(4) ? " = " : " += ") +
       (pick(2) ? access() + " + 1.0" : "2.0") + ";\n";
  Scope.resize(Before);
  return S;
}

std::string Generator::loop(unsigned Level) {
  std::string V = "i" + std::to_string(Level);
  std::string Lo = pick(3)            ? "0:" + Ty
                   : Level && pick(2) ? Scope[0]
                                      : constant(2);
  std::string Hi = Level == 0 ? (pick(3) ? "n" : "n * m")
                              : (pick(4) == 0 ? Scope[0]
                                 : pick(2)    ? "m"
                                              : "3:" + Ty);
  std::string Step = pick(4) ? "1:" + Ty : divisor(3);
  std::string Head;
  bool Down = pick(8) == 0 && Ty[0] == 'i';
  if (Down)
    Head = V + ": " + Ty + " = " + Hi + " - 1:" + Ty + "; " + V + " >= " + Lo +
           "; " + V + " += -1:" + Ty;
  else
    Head = V + ": " + Ty + " = " + Lo + "; " + V + (pick(6) ? " < " : " <= ") +
           Hi + "; " + V + " += " + Step;
  Scope.push_back(V);
  std::string S = "for (" + Head + ") {\n" + body(Level) + "}\n";
  Scope.pop_back();
  return S;
}

std::string Generator::function() {
  static const char *Types[] = {"i32", "i32", "i32", "u32", "i64", "u64"};
  Ty = Types[pick(6)];
  std::string S = "func @f(a: f64*, b: f64*" +
                  std::string(pick(2) ? " restrict" : "") + ", n: " + Ty +
                  ", m: " + Ty + ", q: i32, c: const " + Ty + "*) {\n";
  if (Rich && pick(2)) {
    // A size with a name, which may or may not be what it was declared with.
    Scope = {"n", "m"};
    S += "let d: " + Ty + " = " + index(1) + ";\n";
    if (pick(3) == 0)
      S += "d = d + 1:" + Ty + ";\n";
    Scope = {"d"};
  }
  return S + loop(0) + "}\n";
}

unsigned programs(unsigned Default) {
  const char *N = std::getenv("RAISE_FUZZ_PROGRAMS");
  return N ? std::atoi(N) : Default;
}

/// Whether the guards can be evaluated before the function's first statement.
bool mentionsOnlyParameters(const Answer &A) {
  bool Ok = true;
  auto Check = [&](const ExprRef &E) {
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        const auto *U = llvm::dyn_cast<VarUse>(Sub.get());
        Ok &= !U || U->V->Kind == VarKind::Param;
      });
  };
  for (const Guard &G : A.Facts.Guards)
    for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
      Check(E);
  return Ok;
}

TEST(Fuzz, InnerLoops) {
  unsigned Independent = 0, Ran = 0;
  for (unsigned P = 0; P < programs(400); ++P) {
    std::string Text = Generator(P + 1000000).function();
    Question Q;
    Q.Which = 1;
    Answer A = ask(Text, Q);
    if (!A.Error.empty() || !A.independent() || !mentionsOnlyParameters(A))
      continue;
    Trial T = tryMany(A, 5, 40);
    ++Independent;
    Ran += T.Ran;
    ASSERT_EQ(T.Violation, "") << "program " << P << "\n"
                               << Text << A.toString();
  }
  printf("independent %u (%u runs)\n", Independent, Ran);
  EXPECT_GT(Independent, 0u);
}

/// A loop, or the inner one of two, that updates elements beside other accesses
/// of their buffer.
class ElementLoops {
public:
  explicit ElementLoops(uint64_t Seed) : Random(Seed) {}
  std::string function(bool Inner) {
    std::string Body;
    for (unsigned K = 1 + pick(3); K; --K)
      Body += statement(Inner);
    std::string I = Inner ? "j" : "i";
    std::string L = "for (" + I + ": i32 = " + (pick(2) ? "0" : "1") + "; " +
                    I + " < " +
                    (Inner && pick(2) ? "i"
                     : pick(2)        ? "n"
                                      : "m") +
                    "; " + I + " += 1) {\n" + Body + "}\n";
    if (Inner)
      L = "for (i: i32 = 0; i < n; i += 1) {\n" + L + "}\n";
    return "func @f(a: f64*, b: f64*, n: i32, m: i32, q: i32) {\n" + L + "}\n";
  }

private:
  std::mt19937_64 Random;
  unsigned pick(unsigned N) { return Random() % N; }
  std::string place(bool Inner) {
    static const char *const Outer[] = {"n", "m", "q", "n + 1", "n - 1", "2"};
    static const char *const In[] = {"i", "i", "i + 1", "n * m + i", "q", "n"};
    return Inner ? In[pick(6)] : Outer[pick(6)];
  }
  std::string other(bool Inner) {
    static const char *const Outer[] = {"i",         "i + 1", "n - 1 - i",
                                        "2 * i + 1", "q + i", "i % m"};
    static const char *const In[] = {"i - j - 1", "j",         "i * m + j",
                                     "j * m + i", "i + j + 1", "n + j"};
    return Inner ? In[pick(6)] : Outer[pick(6)];
  }
  std::string statement(bool Inner) {
    std::string To = "a[" + place(Inner) + "]", V = Inner ? "j" : "i";
    std::string From = (pick(3) ? "a[" : "b[") + other(Inner) + "]";
    std::string S;
    switch (pick(6)) {
    case 0:
      S = "a[" + other(Inner) + "] = " + From + " + 1.0;\n";
      break;
    case 1:
      S = "b[" + other(Inner) + "] = " + To + ";\n";
      break;
    case 2:
      S = To + " = " + To + " * " + From + ";\n";
      break;
    default:
      S = To + (pick(3) ? " += " : " -= ") + From + ";\n";
    }
    if (pick(4) == 0)
      return "if (" + V + (pick(2) ? " != " : " < ") + place(Inner) + ") {\n" +
             S + "}\n";
    return S;
  }
};

TEST(Fuzz, ElementsBesideOthers) {
  unsigned Beside = 0, Ran = 0;
  const char *First = std::getenv("RAISE_FUZZ_FIRST");
  unsigned From = First ? std::atoi(First) : 0;
  for (unsigned P = From; P < From + programs(400); ++P) {
    Question Q;
    Q.Which = P % 2;
    std::string Text = ElementLoops(P).function(Q.Which);
    Answer A = ask(Text, Q);
    ASSERT_EQ(A.Error, "") << Text;
    if (!A.independent() || A.Facts.Reductions.empty() ||
        !mentionsOnlyParameters(A))
      continue;
    ++Beside;
    Trial T = tryMany(A, 5, 40);
    Ran += T.Ran;
    ASSERT_EQ(T.Violation, "") << "program " << P << "\n"
                               << Text << A.toString();
  }
  printf("independent %u (%u runs)\n", Beside, Ran);
  EXPECT_GT(Beside, programs(400) / 20);
}

TEST(Fuzz, AnswersHold) {
  unsigned Independent = 0, Conflict = 0, Unknown = 0, Ran = 0, NotShown = 0,
           Looked = 0;
  const char *First = std::getenv("RAISE_FUZZ_FIRST");
  unsigned From = First ? std::atoi(First) : 0;
  for (unsigned P = From; P < From + programs(400); ++P) {
    std::string Text = Generator(P).function();
    Question Q;
    Q.Threads = P % 4 == 0;
    Answer A = ask(Text, Q);
    if (!A.Error.empty()) {
      ADD_FAILURE() << A.Error << "\n" << Text;
      return;
    }
    if (A.Facts.R == LoopFacts::Result::Unknown) {
      ++Unknown;
      continue;
    }
    Trial T = tryMany(A, 5, 40);
    if (A.independent()) {
      ++Independent;
      Looked += !A.Facts.Inspections.empty();
      ASSERT_EQ(tryExtremes(A, 60), "") << "program " << P << "\n"
                                        << Text << A.toString();
      Ran += T.Ran;
      ASSERT_EQ(T.Violation, "") << "program " << P << "\n"
                                 << Text << A.toString();
    } else {
      ++Conflict;
      if (!T.Violation.empty() || T.Ran == 0)
        continue;
      T = tryMany(A, 16, 100);
      if (T.Violation.empty()) {
        ++NotShown;
        printf("not shown: program %u\n%s%s\n", P, Text.c_str(),
               A.toString().c_str());
      }
    }
  }
  RecordProperty("independent", Independent);
  RecordProperty("conflict", Conflict);
  RecordProperty("unknown", Unknown);
  printf("independent %u (%u runs, %u after a look), conflict %u, unknown %u\n",
         Independent, Ran, Looked, Conflict, Unknown);
  // Some conflicts need sizes at which another access is undefined.
  EXPECT_LE(NotShown * 25, Conflict);
  EXPECT_GT(Independent, 0u);
  EXPECT_GT(Conflict, 0u);
}

/// A loop, or two, that stores in order and reads where an index array says,
/// in every iteration or in some.
std::string gathering(uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  auto Pick = [&](unsigned N) { return unsigned(Random() % N); };
  bool Nested = Pick(2), Named = Pick(2), Counted = Nested && Pick(3) == 0;
  std::string At = Nested && Pick(2) ? "i * m + j" : Pick(2) ? "i" : "i + 1";
  std::string Index = "c[" + At + "]";
  std::string Named1 = Named ? "let k: i32 = " + Index + ";\n" : "";
  std::string K = Named ? "k" : Index;
  static const char *Scales[] = {"", " + 2", " * m", " - i"};
  std::string Read =
      "b[" + K + Scales[Pick(4)] + (Nested && Pick(2) ? " + j" : "") + "]";
  std::string Store = std::string("a[") + (Nested ? "i * m + j" : "i") + "] = ";
  static const char *When[] = {"i < q", "c[i] > 1", "n > m"};
  std::string If = std::string("if (") + When[Pick(3)] + ") {\n";
  std::string Body;
  switch (Pick(6)) {
  case 0:
    Body = Named1 + If + Store + Read + ";\n}\n";
    break;
  case 1:
    Body = If + Named1 + Store + Read + ";\n}\n";
    break;
  case 2:
    Body = If + "continue;\n}\n" + Named1 + Store + Read + ";\n";
    break;
  case 3:
    Body = Named1 + Store + "i < q ? " + Read + " : 0.5;\n";
    break;
  default:
    Body = Named1 + Store + Read + " + 1.0;\n";
  }
  if (Pick(8) == 0)
    Body += "c[i] = 1;\n";
  if (Nested)
    Body = std::string("for (j: i32 = ") + (Counted ? "c[i]" : "0") + "; j < " +
           (Counted ? "c[i + 1]" : "m") + "; j += " + (Pick(4) ? "1" : "2") +
           ") {\n" + Body + "}\n";
  static const char *Heads[] = {"i: i32 = 0; i < n; i += 1",
                                "i: i32 = n - 1; i >= 0; i += -1",
                                "i: i32 = 1; i < n; i += 2"};
  return "func @f(a: f64*, b: const f64*, c: i32*, n: i32, m: i32, q: i32) {\n"
         "for (" +
         std::string(Heads[Pick(3)]) + ") {\n" + Body + "}\n}\n";
}

TEST(Fuzz, Looks) {
  unsigned Looked = 0, Ran = 0;
  for (unsigned P = 0; P < programs(150); ++P) {
    std::string Text = gathering(P);
    Answer A = ask(Text, {});
    ASSERT_EQ(A.Error, "") << Text;
    if (!A.independent())
      continue;
    Looked += !A.Facts.Inspections.empty();
    ASSERT_EQ(tryExtremes(A, 60), "") << "program " << P << "\n"
                                      << Text << A.toString();
    Trial T = tryMany(A, 5, 40);
    Ran += T.Ran;
    ASSERT_EQ(T.Violation, "") << "program " << P << "\n"
                               << Text << A.toString();
  }
  printf("after a look %u (%u runs)\n", Looked, Ran);
  EXPECT_GT(Looked * 20, programs(150));
  EXPECT_GT(Ran, Looked);
}

} // namespace
