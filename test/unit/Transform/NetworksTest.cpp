//===- NetworksTest.cpp - code run with names for elements ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include "ConcreteRaces.h"
#include "LiveCells.h"
#include "raise/IR/Text.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// The statements of a function with an array s of Size elements of type Ty.
struct Code {
  FunctionRef F;
  std::vector<StmtRef> List;
  const Buffer *S = nullptr;

  Code(const std::string &Ty, int Size, const std::string &Body) {
    auto Parsed =
        parseIR("func @f(y: " + Ty + "*, n: i32) {\narray s: " + Ty + "[" +
                    std::to_string(Size) + ":i64];\n" + Body + "}\n",
                "f.rir");
    EXPECT_TRUE(bool(Parsed)) << Body;
    F = Parsed->front();
    List = statements(F->Body).vec();
    S = llvm::cast<DeclBuffer>(List.front().get())->B.get();
    List.erase(List.begin());
  }

  /// What element At holds after all of it; null where that is not known.
  CombinationRef after(int64_t At, FPMode FP = FPMode::Reduce) const {
    Network N(FP);
    for (const StmtRef &Stmt : List)
      if (!N.run(Stmt))
        return nullptr;
    const auto It = N.state().Cells.find({S, At});
    if (It == N.state().Cells.end())
      return nullptr;
    auto *C = std::get_if<CombinationRef>(&It->second);
    return C ? *C : nullptr;
  }
};

std::string threads(const std::string &Body, int Count = 8) {
  return "parallel for (t: i32 = 0; t < " + std::to_string(Count) +
         "; t += 1) {\n" + Body + "}\n";
}

const std::string Tree = "let k: i32 = 4;\nwhile (k > 0) {\n" +
                         threads("if (t < k) {\ns[t] += s[t + k];\n}\n") +
                         "k /= 2;\n}\n";

TEST(Networks, ATreeHasEachElementOnce) {
  const CombinationRef C = Code("f32", 8, Tree).after(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Op, Combiner::Add);
  EXPECT_EQ(C->Cells.size(), 8u);
  for (const auto &[At, N] : C->Cells)
    EXPECT_EQ(N, 1);
}

TEST(Networks, NotSumsOfFloatsInTheirOrder) {
  EXPECT_FALSE(Code("f32", 8, Tree).after(0, FPMode::Strict));
  EXPECT_TRUE(Code("i32", 8, Tree).after(0, FPMode::Strict));
}

TEST(Networks, WhatIsAddedTwiceCountsTwice) {
  const CombinationRef C =
      Code("i32", 2, "s[0] += s[1];\ns[0] += s[1];\n").after(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Cells.size(), 2u);
  EXPECT_EQ(C->Cells.rbegin()->second, 2);
}

TEST(Networks, XorTakesItBackAgain) {
  const CombinationRef C =
      Code("i32", 2, "s[0] ^= s[1];\ns[0] ^= s[1];\n").after(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Op, Combiner::None);
  EXPECT_EQ(C->Cells.size(), 1u);
}

TEST(Networks, TwoOperationsAreNoCombination) {
  EXPECT_FALSE(Code("i32", 3, "s[0] += s[1];\ns[0] max= s[2];\n").after(0));
  EXPECT_FALSE(Code("f32", 3, "s[0] -= s[1];\n").after(0));
}

TEST(Networks, TheLargestOfFloatsHangsOnItsOrder) {
  EXPECT_FALSE(Code("f32", 2, "s[0] max= s[1];\n").after(0));
  EXPECT_TRUE(Code("i32", 2, "s[0] max= s[1];\n").after(0));
}

TEST(Networks, AZeroThatIsAddedStays) { // -0 + 0 is 0
  const CombinationRef C = Code("f32", 2, "s[0] += 0.0:f32;\n").after(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Op, Combiner::Add);
  EXPECT_TRUE(C->Number);
}

TEST(Networks, NumbersWrapAsTheirTypesDo) {
  // 255 + 1 is 0 of an u8, so that this is s[0] = s[1].
  const CombinationRef C =
      Code("i32", 2, "let k: u8 = 255:u8;\nk += 1:u8;\ns[k] = s[1];\n")
          .after(0);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Cells.begin()->first.At, 1);
}

TEST(Networks, WhatHangsOnMoreIsNotRun) {
  EXPECT_FALSE(Code("i32", 4, "s[n] = s[1];\n").after(0));
  EXPECT_FALSE(Code("i32", 4, "if (n > 0) {\ns[0] = s[1];\n}\n").after(0));
  EXPECT_FALSE(Code("i32", 4, "s[0] = s[1] / 2;\n").after(0));
  EXPECT_FALSE(Code("i32", 4, "s[4] = s[1];\n").after(0)); // beyond its end
  EXPECT_FALSE(                                            // overflow
      Code("i32", 4, "let k: i32 = 2147483647;\nk += 1;\ns[0] = s[1];\n")
          .after(0));
  EXPECT_FALSE(Code("i32", 4, "while (1 > 0) {\ns[0] = s[1];\n}\n").after(0));
}

/// Whether 8 threads keep apart in s in pieces with barriers between them.
bool areApart(std::initializer_list<std::string> Pieces, int Size = 16) {
  std::string All;
  for (const std::string &P : Pieces)
    All += threads(P);
  const Code C("i32", Size, All);
  PhaseList List;
  VarRef T;
  for (const StmtRef &S : C.List) {
    auto *L = llvm::cast<For>(S.get());
    if (!T)
      T = L->V;
    PhaseNode Piece{PhaseNode::Threads, {}, nullptr, {}, {}};
    Piece.List = statements(substitute(L->Body, L->V, build::var(T))).vec();
    List.push_back(std::move(Piece));
    List.push_back({PhaseNode::Wait, {}, nullptr, {}, {}});
  }
  return ConcreteRaces({{T, 8}}, {C.S}).areApart(List);
}

TEST(ConcreteRaces, ReadsAndOnesOwnAreApart) {
  EXPECT_TRUE(areApart({"s[t] = t;\n", "y[t] = s[0] + s[t];\n"}));
  EXPECT_TRUE(areApart({"s[2 * t] = s[2 * t] + s[2 * t + 1];\n"}));
  EXPECT_TRUE(areApart({"if (t < 4) {\ns[t] += s[t + 4];\n}\n"}));
}

TEST(ConcreteRaces, WhatAnotherWritesIsNot) {
  EXPECT_FALSE(areApart({"s[t] += s[t + 1];\n"}));
  EXPECT_FALSE(areApart({"s[0] = t;\n"}));
  EXPECT_FALSE(areApart({"s[t] = t;\ny[t] = s[t ^ 1];\n"}));
  EXPECT_TRUE(areApart({"s[t] = t;\n", "y[t] = s[t ^ 1];\n"}));
}

TEST(ConcreteRaces, UpdatesMayMeetButNotReads) {
  EXPECT_TRUE(areApart({"atomic s[0] += 1;\n"}));
  EXPECT_FALSE(areApart({"atomic s[0] += 1;\ny[t] = s[0];\n"}));
}

TEST(ConcreteRaces, WhatIsNotKnownIsNotApart) {
  EXPECT_FALSE(areApart({"s[n] = t;\n"}));
  EXPECT_FALSE(areApart({"if (n > 0) {\ns[0] = t;\n}\n"}));
  EXPECT_TRUE(areApart({"if (n > 0) {\ns[t] = t;\n}\n"}));
  EXPECT_TRUE(
      areApart({"for (i: i32 = 0; i < n; i += 1) {\ns[t] += y[i];\n}\n"}));
  EXPECT_FALSE(
      areApart({"for (i: i32 = 0; i < n; i += 1) {\ns[i] += y[i];\n}\n"}));
}

/// What of s is read after the first statement.
LiveCells liveAfterFirst(const std::string &Body) {
  const Code C("i32", 8, Body);
  llvm::ArrayRef<StmtRef> All = statements(C.F->Body);
  const Level Place{nullptr, All.take_front(1), All.slice(1, 1),
                    All.drop_front(2), nullptr};
  return cellsReadAfter(Place, *C.S);
}

TEST(LiveCells, WhatIsReadIsLive) {
  const LiveCells L = liveAfterFirst("s[0] = 1;\ny[0] = s[3];\n");
  EXPECT_FALSE(L.All);
  EXPECT_TRUE(L.contains(3));
  EXPECT_FALSE(L.contains(0));
  EXPECT_TRUE(liveAfterFirst("s[0] = 1;\ny[0] = s[n];\n").All);
}

TEST(LiveCells, NotBehindOtherValuesForAll) {
  EXPECT_TRUE(
      liveAfterFirst("s[0] = 1;\n" + threads("s[t] = t;\n") + "y[0] = s[n];\n")
          .empty());
  EXPECT_TRUE( // not for all
      liveAfterFirst("s[0] = 1;\n" + threads("s[t] = t;\n", 7) +
                     "y[0] = s[n];\n")
          .All);
  EXPECT_TRUE( // not always
      liveAfterFirst("s[0] = 1;\n" + threads("if (t < n) {\ns[t] = t;\n}\n") +
                     "y[0] = s[n];\n")
          .All);
  EXPECT_TRUE( // it looks at others first
      liveAfterFirst("s[0] = 1;\n" + threads("s[t] = s[7 - t];\n") +
                     "y[0] = s[n];\n")
          .All);
}

} // namespace
