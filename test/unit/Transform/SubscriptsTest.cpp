//===- SubscriptsTest.cpp - which accesses are of one element -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Subscripts.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace raise;

namespace {

/// A loop that stores to one element and loads another.
struct TwoAccesses {
  const For *Loop = nullptr;
  Access Stored, Loaded;
};

/// Over i, of type Ty.
TwoAccesses read(const std::string &Store, const std::string &Load,
                 const std::string &Ty) {
  const std::string Text = "func @f(a: f64*, b: f64[][64], c: const " + Ty +
                           "*, v: f64* volatile, n: " + Ty + ", m: " + Ty +
                           ", q: u8, u: u32) {\n" + "for (i: " + Ty +
                           " = 0:" + Ty + "; i < n; i += 1:" + Ty + ") {\n" +
                           Store + " = " + Load + ";\n}\n}\n";
  auto Fs = parseIR(Text, "test.rir");
  TwoAccesses Two;
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError()) << Text;
    return Two;
  }
  static std::vector<FunctionRef> Kept;
  Kept.push_back(Fs->front());
  forEachStmt(Kept.back()->Body, [&](const StmtRef &S) {
    if (const auto *L = llvm::dyn_cast<For>(S.get()))
      Two.Loop = L;
    if (const auto *St = llvm::dyn_cast<raise::Store>(S.get())) {
      Two.Stored = St->To;
      Two.Loaded = llvm::cast<raise::Load>(*St->Value).From;
    }
  });
  return Two;
}

/// Iterations that the store comes behind the load, "never" or "?".
std::string distance(const std::string &Store, const std::string &Load,
                     int64_t Step = 1, const std::string &Ty = "i32") {
  const TwoAccesses Two = read(Store, Load, Ty);
  if (!Two.Loop)
    return "not read";
  const auto To = subscripts(Two.Stored), From = subscripts(Two.Loaded);
  if (!areComparable(Two.Stored, Two.Loaded) || !To || !From)
    return "other";
  const Distance D = distanceOf(*To, *From, Two.Loop->V.get(), Step);
  return !D.Known ? "?" : D.By ? std::to_string(*D.By) : "never";
}

// What 32 bits are left of is another number.
TEST(Subscripts, CutShort) {
  EXPECT_EQ(distance("a[icast<i32>(i)]", "a[i]", 1, "i64"), "other");
  EXPECT_EQ(distance("a[icast<i64>(icast<i32>(i))]", "a[i]", 1, "i64"),
            "other");
  EXPECT_EQ(distance("a[icast<i64>(i)]", "a[i]", 1, "i32"), "0");
}

TEST(DistanceOf, Neighbours) {
  EXPECT_EQ(distance("a[i]", "a[i]"), "0");
  // Stored an iteration before it is loaded, and after.
  EXPECT_EQ(distance("a[i]", "a[i - 1]"), "-1");
  EXPECT_EQ(distance("a[i]", "a[i + 3]"), "3");
  EXPECT_EQ(distance("a[i + m]", "a[i + m - 2]"), "-2");
  EXPECT_EQ(distance("a[i * 1 + m * m]", "a[m * m + i]"), "0");
}

TEST(DistanceOf, SubscriptsThatFall) {
  EXPECT_EQ(distance("a[n - i]", "a[n - i - 1]"), "1");
  EXPECT_EQ(distance("a[n - i]", "a[n - i + 1]"), "-1");
  EXPECT_EQ(distance("a[n - 2 * i]", "a[n - 2 * i + 6]"), "-3");
}

TEST(DistanceOf, Strides) {
  EXPECT_EQ(distance("a[2 * i]", "a[2 * i + 4]"), "2");
  EXPECT_EQ(distance("a[2 * i]", "a[2 * i + 1]"), "never");
  EXPECT_EQ(distance("a[3 * i]", "a[3 * i - 4]"), "never");
}

// Iterations are counted, not values of the variable.
TEST(DistanceOf, Steps) {
  EXPECT_EQ(distance("a[i]", "a[i + 4]", 4), "1");
  EXPECT_EQ(distance("a[i]", "a[i + 2]", 4), "never");
  EXPECT_EQ(distance("a[2 * i]", "a[2 * i - 8]", 4), "-1");
  EXPECT_EQ(distance("a[i]", "a[i - 1]", -1), "1");
}

TEST(DistanceOf, Dimensions) {
  EXPECT_EQ(distance("b[i, m]", "b[i - 1, m]"), "-1");
  EXPECT_EQ(distance("b[i, m]", "b[i - 1, m + 1]"), "never");
  EXPECT_EQ(distance("b[m, i]", "b[m, i + 2]"), "2");
  EXPECT_EQ(distance("b[i, i]", "b[i - 1, i - 1]"), "-1");
  // No iteration is two and three behind another one.
  EXPECT_EQ(distance("b[i, i]", "b[i - 2, i - 3]"), "never");
  EXPECT_EQ(distance("b[i, 2 * i]", "b[i - 1, 2 * i - 2]"), "-1");
  EXPECT_EQ(distance("a{m}[i, 0]", "a{m}[i - 1, 0]"), "-1");
}

TEST(DistanceOf, ElementsThatStay) {
  EXPECT_EQ(distance("a[0]", "a[1]"), "never");
  EXPECT_EQ(distance("a[m + 2]", "a[m]"), "never");
  // All iterations store it.
  EXPECT_EQ(distance("a[m]", "a[m]"), "?");
  EXPECT_EQ(distance("b[m, 3]", "b[m, 3]"), "?");
}

TEST(DistanceOf, UnknownDistances) {
  EXPECT_EQ(distance("a[i]", "a[m]"), "?");
  EXPECT_EQ(distance("a[i]", "a[i + m]"), "?");
  EXPECT_EQ(distance("a[i]", "a[2 * i]"), "?");
  EXPECT_EQ(distance("a[i]", "a[n - i]"), "?");
  EXPECT_EQ(distance("a[i * m]", "a[i * m + m]"), "?");
  EXPECT_EQ(distance("a[i * m]", "a[i * m]"), "?"); // m may be 0
  EXPECT_EQ(distance("a[i * i]", "a[i * i]"), "?");
  EXPECT_EQ(distance("b[i, m]", "b[i - 1, n]"), "?");
}

// Distances are those of numbers that fit: 2^63 is no number to be divided or
// taken off.
TEST(DistanceOf, FarAway) {
  EXPECT_EQ(distance("a[i]", "a[i + 2147483647:i64]", 1, "i64"), "2147483647");
  EXPECT_EQ(distance("a[i]", "a[i + 2147483648:i64]", 1, "i64"), "?");
  EXPECT_EQ(distance("a[i]", "a[i - 2147483648:i64]", 1, "i64"), "?");
  const std::string Half = "4611686018427387904:i64";
  EXPECT_EQ(distance("a[i]", "a[i - " + Half + " - " + Half + "]", 1, "i64"),
            "?");
  EXPECT_EQ(distance("a[0:i64 - i]",
                     "a[0:i64 - i - " + Half + " - " + Half + "]", 1, "i64"),
            "?");
  EXPECT_EQ(distance("a[i * " + Half + " * 2:i64]",
                     "a[i * " + Half + " * 2:i64 + 1:i64]", 2, "i64"),
            "?");
}

/// a*i + b.
struct Line {
  int64_t A, B;
  std::string text() const {
    return std::to_string(A) + " * i + " + std::to_string(B);
  }
};

/// By how many iterations of a few the store comes behind the load wherever
/// they are of one element.
std::set<int64_t> distances(const std::vector<Line> &To,
                            const std::vector<Line> &From, int64_t Step) {
  constexpr int64_t Iterations = 24;
  std::set<int64_t> Found;
  for (int64_t S = 0; S < Iterations; ++S)
    for (int64_t L = 0; L < Iterations; ++L) {
      bool Same = true;
      for (size_t D = 0; D < To.size(); ++D)
        Same &=
            To[D].A * S * Step + To[D].B == From[D].A * L * Step + From[D].B;
      if (Same)
        Found.insert(S - L);
    }
  return Found;
}

// What is known is what all pairs of iterations show.
TEST(DistanceOf, RandomSubscripts) {
  std::mt19937_64 Random(1);
  const auto Pick = [&](int64_t From, int64_t To) {
    return From + int64_t(Random() % uint64_t(To - From + 1));
  };
  unsigned Known = 0, Never = 0, Unknown = 0;
  for (unsigned Trial = 0; Trial < 2000; ++Trial) {
    const int64_t Step = Pick(1, 3);
    std::vector<Line> To, From;
    for (unsigned D = 0; D < 2; ++D) {
      To.push_back({Pick(-2, 3), Pick(0, 6)});
      // Most pairs have one coefficient, and meet.
      const int64_t A = Pick(0, 9) ? To[D].A : Pick(-2, 3);
      From.push_back(
          {A, Pick(0, 2) ? To[D].B + A * Step * Pick(-2, 2) : Pick(0, 6)});
    }
    const std::string Store = "b[" + To[0].text() + ", " + To[1].text() + "]",
                      Load =
                          "b[" + From[0].text() + ", " + From[1].text() + "]";
    const std::string D = distance(Store, Load, Step);
    const std::set<int64_t> All = distances(To, From, Step);
    const bool Moves = To[0].A || To[1].A,
               Alike = To[0].A == From[0].A && To[1].A == From[1].A;
    if (D == "?") {
      ++Unknown;
      EXPECT_TRUE(!Alike || !Moves) << Store << " " << Load;
    } else if (D == "never") {
      ++Never;
      EXPECT_TRUE(All.empty()) << Store << " " << Load;
    } else {
      ++Known;
      EXPECT_TRUE(All == std::set<int64_t>{std::stoll(D)})
          << D << ": " << Store << " " << Load;
    }
  }
  EXPECT_GT(Known, 100u);
  EXPECT_GT(Never, 100u);
  EXPECT_GT(Unknown, 100u);
}

// Arithmetic that starts again from 0 earlier than that of 64 bits.
TEST(Subscripts, NarrowArithmeticWraps) {
  EXPECT_EQ(distance("a[i]", "a[i - 1:u32]", 1, "u32"), "other");
  EXPECT_EQ(distance("a[icast<u32>(i) + u]", "a[icast<u32>(i) + u]"), "other");
  EXPECT_EQ(distance("a[i + icast<i32>(q)]", "a[i + icast<i32>(q)]"), "other");
  EXPECT_EQ(distance("a[i]", "a[i - 1:u64]", 1, "u64"), "-1");
  EXPECT_EQ(distance("a[i / 2]", "a[i / 2]"), "other");
  EXPECT_EQ(distance("a[c[i]]", "a[c[i]]"), "other");
}

TEST(Subscripts, ComparableAccesses) {
  EXPECT_EQ(distance("a[i]", "b[i, 0]"), "other");
  EXPECT_EQ(distance("a{m}[i, 0]", "a[i * m]"), "other");
  EXPECT_EQ(distance("a{m}[i, 0]", "a{n}[i - 1, 0]"), "other");
}

TEST(Subscripts, SteadyAccesses) {
  const auto Steady = [](const char *Element) {
    const TwoAccesses Two = read("a[i]", Element, "i32");
    return Two.Loop && isSteady(Two.Loaded, Two.Loop->Body);
  };
  EXPECT_TRUE(Steady("a[i + m]"));
  EXPECT_TRUE(Steady("a{m}[i, 3]"));
  EXPECT_FALSE(Steady("a[c[i]]"));
  EXPECT_FALSE(Steady("v[i]"));
}

TEST(Subscripts, Strides) {
  const auto Stride = [](const char *Element) -> std::string {
    const TwoAccesses Two = read("a[i]", Element, "i32");
    const auto By =
        Two.Loop ? strideAlong(Two.Loaded, Two.Loop->V.get()) : std::nullopt;
    return By ? std::to_string(*By) : "?";
  };
  EXPECT_EQ(Stride("a[i + 3]"), "1");
  EXPECT_EQ(Stride("a[n - 1 - i]"), "-1");
  EXPECT_EQ(Stride("a[2 * i - i * 4]"), "-2");
  EXPECT_EQ(Stride("a[m]"), "0");
  EXPECT_EQ(Stride("b[m, i]"), "1");
  EXPECT_EQ(Stride("b[i, m]"), "?");
  EXPECT_EQ(Stride("a[i * m]"), "?");
  EXPECT_EQ(Stride("a{i}[m, 1]"), "?");
  EXPECT_EQ(Stride("a[i * i]"), "?");
  EXPECT_EQ(Stride("a[i * 2147483647]"), "2147483647");
  EXPECT_EQ(Stride("a[icast<i64>(i) * 4611686018427387904:i64 * 2:i64]"), "?");
}

} // namespace
