//===- RacesTest.cpp - independence by trying
//---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::interp;
using namespace raise::interp::testing;
using B = BinaryOp;

/// Runs `for k in 1..4: Body(k)` over p = {1, 2, 3, 4, 5}.
template <typename Fn> static Sharing sharing(Fn MakeBody) {
  Maker M;
  BufferRef P = M.pointer("p");
  VarRef K = scalar("k"), T = scalar("t");
  StmtRef L = loop(K, i(1), i(4), MakeBody(P, K, T));
  Function &F = M.body({let(T, i(0)), L});
  Inputs In;
  In.Buffers["p"] = {cells({1, 2, 3, 4, 5}), 0};
  std::string Why;
  Sharing Kind = sharingByBruteForce(F, llvm::cast<For>(L.get()), In, &Why);
  EXPECT_EQ(Kind == Sharing::None, Why.empty()) << Why;
  EXPECT_EQ(ints(*In.Buffers["p"].Store)[1], 2) << "the input was modified";
  return Kind;
}

TEST(Races, Memory) {
  using R = const BufferRef &;
  using V = const VarRef &;
  EXPECT_EQ(sharing([](R P, V K, V) {
              return put(P, use(K), op(B::Mul, get(P, use(K)), i(2)));
            }),
            Sharing::None);
  EXPECT_EQ(sharing([](R P, V K, V) {
              return put(P, use(K), get(P, op(B::Sub, use(K), i(1))));
            }),
            Sharing::Conflict);
  EXPECT_EQ(sharing([](R P, V K, V) {
              return put(P, use(K), get(P, op(B::Add, use(K), i(1))));
            }),
            Sharing::Conflict);
  EXPECT_EQ(sharing([](R P, V, V) { return put(P, i(0), i(7)); }),
            Sharing::SameValueStores);
  EXPECT_EQ(sharing([](R P, V K, V) { return put(P, i(0), use(K)); }),
            Sharing::Conflict);
  EXPECT_EQ(
      sharing([](R P, V K, V) { return put(P, i(0), use(K), Combiner::Add); }),
      Sharing::SameCombiner);
  EXPECT_EQ(sharing([](R P, V K, V) {
              return block({put(P, i(0), use(K), Combiner::Add),
                            when(op(B::EQ, use(K), i(1)), put(P, i(0), i(3)))});
            }),
            Sharing::Conflict);
  EXPECT_EQ(sharing([](R P, V K, V) {
              return put(P, op(B::Mul, use(K), i(9)), i(0));
            }),
            Sharing::Stopped);
}

TEST(Races, Scalars) {
  using R = const BufferRef &;
  using V = const VarRef &;
  EXPECT_EQ(sharing([](R P, V K, V T) {
              return block({set(T, use(K)), put(P, use(K), use(T))});
            }),
            Sharing::Conflict);
  EXPECT_EQ(sharing([](R P, V K, V) {
              VarRef Mine = scalar("mine");
              return block({let(Mine, use(K)), put(P, use(K), use(Mine))});
            }),
            Sharing::None);
  EXPECT_EQ(sharing([](R P, V K, V T) {
              return set(T, get(P, use(K)), Combiner::Add);
            }),
            Sharing::SameCombiner);
}

TEST(Races, LocalArraysAreEachIterationsOwn) {
  EXPECT_EQ(sharing([](const BufferRef &P, const VarRef &K, const VarRef &) {
              BufferRef L = buffer("l", I32, BufferKind::Local, {i(1)});
              return block({std::make_shared<DeclBuffer>(L),
                            put(L, i(0), get(P, use(K))),
                            put(P, use(K), get(L, i(0)))});
            }),
            Sharing::None);
}

TEST(Races, OneRunOfTheLoopAtATime) {
  Maker M;
  BufferRef P = M.pointer("p");
  VarRef T = scalar("t"), K = scalar("k");
  // for t: for k: p[k] += 1 -- the inner loop is independent, the outer is not.
  StmtRef Inner =
      loop(K, i(0), i(3), put(P, use(K), op(B::Add, get(P, use(K)), i(1))));
  StmtRef Outer = loop(T, i(0), i(2), Inner);
  Function &F = M.body({Outer});
  Inputs In;
  In.Buffers["p"] = {cells({0, 0, 0}), 0};
  EXPECT_TRUE(independentByBruteForce(F, llvm::cast<For>(Inner.get()), In));
  EXPECT_FALSE(independentByBruteForce(F, llvm::cast<For>(Outer.get()), In));
}
