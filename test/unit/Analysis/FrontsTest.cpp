//===- FrontsTest.cpp - which diagonals of a nest are free ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How far each row stays behind the one before it, or why no number serves.
// Of nests whose points meet at constant distances, the least number is found
// by looking at all pairs of points.
//
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Fronts.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace raise;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

constexpr int64_t MostSkew = 4;

/// Of the first loop of the function that Text ends with.
FrontFacts frontsOf(const std::string &Text, const Options &Opts = {}) {
  auto Parsed = parseIR(Text, "test.rir");
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError()) << "\n" << Text;
    return {0, {}, {}, {"unread", "", {}}};
  }
  const FunctionRef F = Parsed->back();
  LoopQuery Q;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    if (const auto *L = llvm::dyn_cast<For>(S.get()); L && !Q.Loop)
      Q.Loop = L;
  });
  Context Ctx;
  Ctx.Opts = Opts;
  return analyseFronts(Q, *F, Ctx);
}

std::string show(const Guard &G) {
  return G.Cond ? sourceText(G.Cond) : G.A.Buf->Name + " | " + G.B.Buf->Name;
}

/// The skew, with the tests that it needs, or the code of why there is none.
std::string answer(const FrontFacts &F) {
  if (F.Why.isSet())
    return F.Why.Code;
  std::string S = std::to_string(F.Skew);
  for (const Guard &G : F.Guards)
    S += "; " + show(G);
  return S;
}

std::string nest(const std::string &Body,
                 const std::string &Rows = "i: i32 = 2; i < n - 2; i += 1",
                 const std::string &Columns = "j: i32 = 8; j < m - 8; j += 1") {
  return "for (" + Rows + ") {\nfor (" + Columns + ") {\n" + Body + "\n}\n}\n";
}

/// Of rows of an array whose subscripts stay apart.
std::string table(const std::string &Nest) {
  return answer(frontsOf(
      "func @f(a: f64[][64], b: f64* restrict, c: const i32* restrict, n: i32, "
      "m: i32, k: i32, s: f64) {\n" +
      Nest + "}\n"));
}

/// Of rows that follow one another in flat memory.
std::string flat(const std::string &Body, const std::string &Columns) {
  return answer(frontsOf("func @f(a: f64*, n: i32, m: i32) {\n" +
                         nest(Body, "i: i32 = 1; i < n; i += 1", Columns) +
                         "}\n"));
}

TEST(Fronts, ASweepOfNinePoints) {
  EXPECT_EQ(table(nest("a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + "
                       "a[i - 1, j + 1] + a[i, j - 1] + a[i, j] + a[i, j + 1] "
                       "+ a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / "
                       "9.0;")),
            "2");
}

TEST(Fronts, ASweepOfFivePoints) {
  EXPECT_EQ(table(nest("a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j] + "
                       "a[i, j + 1] + a[i + 1, j]) / 5.0;")),
            "1");
}

// s2111 of TSVC: the row and the column before.
TEST(Fronts, TwoNeighbours) {
  EXPECT_EQ(
      table(nest("a[i, j] = (a[i, j - 1] + a[i - 1, j]) / 1.9;",
                 "i: i32 = 1; i < 64; i += 1", "j: i32 = 1; j < 64; j += 1")),
      "1");
}

// Points of one row keep their order, so only other rows count.
TEST(Fronts, WithinARow) {
  EXPECT_EQ(table(nest("a[i, j] = a[i, j - 1] / 3.0;")), "0");
  EXPECT_EQ(table(nest("a[i, j] = a[i, j + 5] / 3.0;")), "0");
  EXPECT_EQ(table(nest("b[i] = b[i] / 3.0 + s;")), "0");
  EXPECT_EQ(table(nest("a[i, j] = a[i, j - 1] - a[i - 1, j - 1];")), "0");
}

TEST(Fronts, FromFurtherColumns) {
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, j + 3] / 3.0;")), "4");
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, j + 4] / 3.0;")), "CR1101");
  // Two rows have twice the distance.
  EXPECT_EQ(table(nest("a[i, j] = a[i - 2, j + 4] / 3.0;")), "3");
  EXPECT_EQ(table(nest("a[i, j] = a[i - 2, j + 7] / 3.0;")), "4");
  EXPECT_EQ(table(nest("a[i, j] = a[i - 2, j + 8] / 3.0;")), "CR1101");
  // What is overwritten later must have been read.
  EXPECT_EQ(table(nest("a[i, j] = a[i + 1, j - 3] / 3.0;")), "4");
  EXPECT_EQ(table(nest("a[i, j] = a[i + 1, j - 4] / 3.0;")), "CR1101");
  // Two stores to one element, of which the later must stay.
  EXPECT_EQ(table(nest("a[i, j] = s; a[i - 1, j + 2] = 2.0;")), "3");
}

TEST(Fronts, UnknownDistances) {
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, m - j];")), "CR1101");
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, j + k];")), "CR1101");
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, c[j]];")), "CR1101");
  // A column for itself: any row, and one that all read.
  EXPECT_EQ(table(nest("b[j] = b[j] + s;")), "1");
  EXPECT_EQ(table(nest("a[i, j] = a[k, j];")), "1");
  EXPECT_EQ(table(nest("b[0] = b[0] + s;")), "CR1101");
  // What a row needs of itself may be anywhere in it.
  EXPECT_EQ(table(nest("a[i, j] = a[i, m - j];")), "0");
}

TEST(Fronts, RowsInFlatMemory) {
  const std::string Inside = "j: i32 = 1; j < m - 1; j += 1";
  EXPECT_EQ(flat("a{m}[i, j] = a{m}[i, j - 1] + a{m}[i - 1, j + 1];", Inside),
            "2");
  EXPECT_EQ(
      flat("a[i * m + j] = a[i * m + j - 1] + a[(i - 1) * m + j + 1];", Inside),
      "2");
  EXPECT_EQ(flat("a[i * m + j] = a[i * m + j - 1] + a[(i - 1) * m + j];",
                 "j: i32 = 1; j < m; j += 1"),
            "1");
}

// The first point of a row needs the last one of the row before it, which is on
// a later front for any skew if rows are long.
TEST(Fronts, RowsThatRunIntoTheNext) {
  EXPECT_EQ(flat("a[i * m + j] = a[i * m + j - 1] / 3.0;",
                 "j: i32 = 0; j < m; j += 1"),
            "CR1101");
  // Columns that are two rows'.
  EXPECT_EQ(flat("a[i * m + j] = a[i * m + j] / 3.0;",
                 "j: i32 = 0; j < m + 1; j += 1"),
            "CR1101");
  EXPECT_EQ(
      flat("a[i * 8 + j] = a[i * 8 + j] / 3.0;", "j: i32 = 0; j < 9; j += 1"),
      "CR1101");
  // Rows of four that follow one another, and that share an element, which is
  // three columns away.
  EXPECT_EQ(
      flat("a[i * 4 + j] = a[i * 4 + j] / 3.0;", "j: i32 = 0; j < 4; j += 1"),
      "0");
  EXPECT_EQ(
      flat("a[i * 3 + j] = a[i * 3 + j] / 3.0;", "j: i32 = 0; j < 4; j += 1"),
      "4");
}

TEST(Fronts, ArraysThatMayOverlap) {
  const auto Of = [](const char *Params, AliasMode Alias) {
    Options Opts;
    Opts.Alias = Alias;
    return frontsOf(
        "func @f(" + std::string(Params) + ", n: i32, m: i32) {\n" +
            nest("a{m}[i, j] = a{m}[i, j - 1] + b{m}[i + 1, j + 5];") + "}\n",
        Opts);
  };
  // Which places they are is asked before the nest.
  EXPECT_EQ(answer(Of("a: f64*, b: const f64*", AliasMode::Check)),
            "0; m >= 0; a | b");
  EXPECT_EQ(
      answer(Of("a: f64* restrict, b: const f64* restrict", AliasMode::Check)),
      "0");
  const FrontFacts Assumed = Of("a: f64*, b: const f64*", AliasMode::Assume);
  EXPECT_EQ(answer(Assumed), "0");
  EXPECT_THAT(Assumed.Assumed, ElementsAre(HasSubstr("do not overlap")));
  EXPECT_THAT(
      Of("a: f64* restrict, b: const f64* restrict", AliasMode::Assume).Assumed,
      IsEmpty());
}

TEST(Fronts, BothLoopsMayCountDown) {
  const std::string Up = "i: i32 = 2; i < n - 2; i += 1",
                    Down = "i: i32 = n - 3; i >= 2; i += -1",
                    Left = "j: i32 = m - 9; j >= 8; j += -1",
                    Right = "j: i32 = 8; j < m - 8; j += 1";
  const std::string Body = "a[i, j] = a[i - 1, j + 2] / 3.0;";
  EXPECT_EQ(table(nest(Body, Up, Right)), "3");
  // In the other direction along one of them, fronts lie as they should.
  EXPECT_EQ(table(nest(Body, Up, Left)), "0");
  EXPECT_EQ(table(nest(Body, Down, Right)), "0");
  EXPECT_EQ(table(nest(Body, Down, Left)), "3");
}

TEST(Fronts, NestsOfAnotherKind) {
  const std::string Body = "a[i, j] = a[i - 1, j] / 3.0;";
  EXPECT_EQ(table(nest(Body)), "1");
  EXPECT_EQ(table(nest(Body, "i: i32 = 2; i < n; i += 2")), "CR1111");
  EXPECT_EQ(table(nest(Body, "i: i32 = 2; i < n; i += 1",
                       "j: i32 = 8; j < m; j += 2")),
            "CR1111");
  // A triangle's rows have other ranges.
  EXPECT_EQ(table(nest(Body, "i: i32 = 2; i < n; i += 1",
                       "j: i32 = i; j < m; j += 1")),
            "1");
  EXPECT_EQ(table(nest(Body, "i: i32 = 2; i < n; i += 1",
                       "j: i32 = 0; j < c[i]; j += 1")),
            "CR1111");
  EXPECT_EQ(table("for (i: i32 = 2; i < n; i += 1) {\nb[i] = s;\n" +
                  nest("a[i, j] = s;", "k1: i32 = 0; k1 < n; k1 += 1") + "}\n"),
            "CR1111");
  // Values that points hand on in a scalar, or where they are reset.
  EXPECT_EQ(table("let t: f64 = 0.0;\n" +
                  nest("t = t * 0.5 + a[i, j]; a[i, j] = t;")),
            "CR1111");
  EXPECT_EQ(table(nest("let t: f64 = a[i - 1, j]; a[i, j] = t;")), "1");
  // A row that may be left early: which points it has hangs on others.
  EXPECT_EQ(table(nest("a[i, j] = a[i - 1, j]; if (a[i, j] > 2.0) { break; }")),
            "CR1111");
  EXPECT_EQ(table(nest("a[i, j] = s; if (a[i, j] > 2.0) { return; }")),
            "CR1111");
  EXPECT_EQ(table(nest("if (b[j] > 2.0) { a[i, j] = a[i - 1, j]; }")), "1");
}

// A budget that is spent says nothing about the order.
TEST(Fronts, Budget) {
  Options Opts;
  Opts.MaxIslOperations = 1;
  EXPECT_EQ(answer(frontsOf("func @f(a: f64[][64], n: i32, m: i32) {\n" +
                                nest("a[i, j] = a[i - 1, j + 1];") + "}\n",
                            Opts)),
            "CR1190");
}

struct Offset {
  int64_t I, J;
};

/// Stores and loads of a[i + I, j + J].
struct Pattern {
  std::vector<Offset> Stores, Loads;
  bool DownI, DownJ;
};

Pattern randomPattern(uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  const auto Within = [&](int64_t Most) {
    return int64_t(Random() % uint64_t(2 * Most + 1)) - Most;
  };
  Pattern P;
  P.Stores.push_back({0, 0});
  if (Random() % 4 == 0)
    P.Stores.push_back({Within(2), Within(5)});
  for (unsigned N = 1 + Random() % 3; N; --N) {
    const int64_t I = Within(2);
    P.Loads.push_back({I, Within(5)});
  }
  P.DownI = Random() % 4 == 0;
  P.DownJ = Random() % 4 == 0;
  return P;
}

std::string textOf(const Pattern &P) {
  const auto Element = [](const Offset &O) {
    const auto Shift = [](const char *V, int64_t By) {
      return std::string(V) + (By < 0 ? " - " : " + ") +
             std::to_string(std::abs(By));
    };
    return "a[" + Shift("i", O.I) + ", " + Shift("j", O.J) + "]";
  };
  std::string Body, Value = "0.5";
  for (const Offset &O : P.Loads)
    Value += " + " + Element(O);
  for (const Offset &O : P.Stores)
    Body += Element(O) + " = " + Value + ";\n";
  return "func @f(a: f64[][64], n: i32, m: i32) {\n" +
         nest(Body,
              P.DownI ? "i: i32 = n - 3; i >= 2; i += -1"
                      : "i: i32 = 2; i < n - 2; i += 1",
              P.DownJ ? "j: i32 = m - 9; j >= 8; j += -1"
                      : "j: i32 = 8; j < m - 8; j += 1") +
         "}\n";
}

/// Whether all pairs of points of different rows that touch one element, one
/// writing, lie on fronts in their order, in a domain in which every distance
/// of a pattern occurs.
bool isInOrder(const Pattern &P, int64_t Skew) {
  constexpr int64_t Rows = 5, Columns = 12;
  const auto Meet = [&](int64_t Y, int64_t X, int64_t Y2, int64_t X2) {
    const auto Same = [&](const Offset &A, const Offset &B) {
      return Y + A.I == Y2 + B.I && X + A.J == X2 + B.J;
    };
    for (const Offset &A : P.Stores) {
      for (const Offset &B : P.Stores)
        if (Same(A, B))
          return true;
      for (const Offset &B : P.Loads)
        if (Same(A, B))
          return true;
    }
    for (const Offset &A : P.Loads)
      for (const Offset &B : P.Stores)
        if (Same(A, B))
          return true;
    return false;
  };
  // In the order of the iterations, of which the variables may fall.
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t I2 = I + 1; I2 < Rows; ++I2)
      for (int64_t J = 0; J < Columns; ++J)
        for (int64_t J2 = 0; J2 < Columns; ++J2)
          if (Skew * I2 + J2 <= Skew * I + J &&
              Meet(P.DownI ? -I : I, P.DownJ ? -J : J, P.DownI ? -I2 : I2,
                   P.DownJ ? -J2 : J2))
            return false;
  return true;
}

TEST(Fronts, TheLeastSkewOfRandomPatterns) {
  const char *Programs = std::getenv("RAISE_FUZZ_PROGRAMS");
  const uint64_t Count = Programs ? std::atoi(Programs) : 300;
  unsigned None = 0, Of[MostSkew + 1] = {};
  for (uint64_t Seed = 0; Seed < Count; ++Seed) {
    const Pattern P = randomPattern(Seed);
    int64_t Least = 0;
    while (Least <= MostSkew && !isInOrder(P, Least))
      ++Least;
    const std::string Text = textOf(P);
    const bool Found = Least <= MostSkew;
    ++(Found ? Of[Least] : None);
    ASSERT_EQ(answer(frontsOf(Text)), Found ? std::to_string(Least) : "CR1101")
        << "pattern " << Seed << "\n"
        << Text;
  }
  EXPECT_GT(None, 0u);
  for (unsigned Patterns : Of)
    EXPECT_GT(Patterns, 0u);
}

} // namespace
