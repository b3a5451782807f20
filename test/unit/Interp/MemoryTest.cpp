//===- MemoryTest.cpp - buffers, arrays and what stops them
//------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::interp;
using namespace raise::interp::testing;

static Stop storeAt(int64_t Index, std::shared_ptr<Storage> S,
                    int64_t Offset = 0) {
  Maker M;
  BufferRef P = M.pointer("p");
  Function &F = M.body({put(P, i(Index), i(7))});
  Inputs In;
  In.Buffers["p"] = {S, Offset};
  return run(F, In).Why;
}

TEST(Memory, Ranges) {
  EXPECT_EQ(storeAt(1, cells({1, 2})), Stop::Done);
  EXPECT_EQ(storeAt(2, cells({1, 2})), Stop::OutOfRange);
  EXPECT_EQ(storeAt(-1, cells({1, 2})), Stop::OutOfRange);
  EXPECT_EQ(storeAt(-1, cells({1, 2}), 1), Stop::Done);
  EXPECT_EQ(storeAt(0, nullptr), Stop::NullPointer);
  auto S = std::make_shared<Storage>();
  S->Growable = true;
  EXPECT_EQ(storeAt(5, S), Stop::Done);
  EXPECT_EQ(S->size(), 6u);
}

TEST(Memory, MessageHasPlace) {
  Maker M;
  BufferRef P = M.pointer("p");
  SourceLoc Loc;
  Loc.File = "a.c";
  Loc.Line = 3;
  Loc.Column = 5;
  Function &F = M.body({std::make_shared<Store>(at(P, {i(9)}), Combiner::None,
                                                i(1), false, Loc)});
  Inputs In;
  In.Buffers["p"] = {cells({1}), 0};
  Outcome O = run(F, In);
  EXPECT_EQ(O.Message, "a.c:3:5: access out of range: 'p' at 9");
  EXPECT_EQ(O.Loc.Line, 3u);
}

TEST(Memory, Uninitialised) {
  Maker M;
  BufferRef P = M.pointer("p");
  VarRef X = scalar("x");
  Inputs In;
  auto S = std::make_shared<Storage>();
  S->Cells.resize(2);
  In.Buffers["p"] = {S, 0};
  EXPECT_EQ(run(M.body({let(X, get(P, i(0)))}), In).Why, Stop::Uninitialised);
  EXPECT_EQ(run(M.body({let(X, nullptr), put(P, i(0), use(X))}), In).Why,
            Stop::Uninitialised);
  EXPECT_EQ(run(M.body({put(P, i(0), i(1), Combiner::Add)}), In).Why,
            Stop::Uninitialised);
  EXPECT_EQ(run(M.body({put(P, i(0), i(1)), let(X, get(P, i(0)))}), In).Why,
            Stop::Done);
}

TEST(Memory, FillSuppliesWhatIsReadFirst) {
  Maker M;
  BufferRef P = M.pointer("p");
  auto S = std::make_shared<Storage>();
  S->Growable = true;
  S->Fill = [](size_t C, const std::string &, const Type &Ty) {
    return Value::ofInt(10 + C, Ty);
  };
  Inputs In;
  In.Buffers["p"] = {S, 0};
  ASSERT_EQ(run(M.body({put(P, i(0), get(P, i(2)))}), In).Why, Stop::Done);
  EXPECT_EQ(ints(*S), (std::vector<int64_t>{12, -999, 12}));
}

TEST(Memory, DeclaredInnerExtentIsChecked) {
  Maker M;
  VarRef Cols = M.param("m");
  BufferRef A = buffer("a", I32, BufferKind::Param, {nullptr, use(Cols)});
  M.F.Params.push_back({nullptr, A});
  Inputs In;
  In.Scalars["m"] = Value::ofInt(3);
  In.Buffers["a"] = {cells({0, 0, 0, 0, 0, 0}), 0};
  auto Put = [&](int R, int C) {
    return run(M.body({std::make_shared<Store>(at(A, {i(R), i(C)}),
                                               Combiner::None, i(5))}),
               In)
        .Why;
  };
  EXPECT_EQ(Put(1, 2), Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["a"].Store)[5], 5);
  EXPECT_EQ(Put(0, 3), Stop::OutOfRange);
  // A view computes the flat index only.
  Access V{A, {i(0), i(4)}, {i(3)}, ""};
  EXPECT_EQ(
      run(M.body({std::make_shared<Store>(V, Combiner::None, i(6))}), In).Why,
      Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["a"].Store)[4], 6);
}

TEST(Memory, LocalArraysAndFields) {
  Maker M;
  BufferRef Out = M.pointer("out");
  BufferRef L = buffer("l", I32, BufferKind::Local, {i(2)});
  Inputs In;
  In.Buffers["out"] = {cells({0}), 0};
  auto Declare =
      std::make_shared<DeclBuffer>(L, std::vector<ExprRef>{i(4), i(6)});
  ASSERT_EQ(run(M.body({Declare, put(Out, i(0), get(L, i(1)))}), In).Why,
            Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["out"].Store)[0], 6);
  EXPECT_EQ(
      run(M.body({std::make_shared<DeclBuffer>(L), put(L, i(2), i(1))}), In)
          .Why,
      Stop::OutOfRange);
  BufferRef P = buffer("p", Type::getVoid());
  M.F.Params.push_back({nullptr, P});
  auto S = std::make_shared<Storage>();
  S->Growable = true;
  In.Buffers["p"] = {S, 0};
  Access X = at(P, {i(1)}), Y = X;
  X.Field = "x";
  Y.Field = "y";
  auto LoadX = std::make_shared<Load>(X, F32);
  ASSERT_EQ(run(M.body({std::make_shared<Store>(X, Combiner::None, d(2, F32)),
                        std::make_shared<Store>(Y, Combiner::None, d(3, F32)),
                        std::make_shared<Store>(Y, Combiner::Add, LoadX)}),
                In)
                .Why,
            Stop::Done);
  EXPECT_EQ(S->Fields["y"][1]->D, 5);
  EXPECT_EQ(S->size(), 2u);
}

TEST(Memory, CombinersConvertAsC) {
  Maker M;
  Type U8 = Type::getInt(8, false);
  BufferRef P = M.pointer("p", U8);
  Inputs In;
  In.Buffers["p"] = {cells({250}, U8), 0};
  ASSERT_EQ(run(M.body({put(P, i(0), i(10), Combiner::Add)}), In).Why,
            Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["p"].Store)[0], 4);
  ASSERT_EQ(run(M.body({put(P, i(0), d(2.75), Combiner::Mul)}), In).Why,
            Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["p"].Store)[0], 11);
  ASSERT_EQ(run(M.body({put(P, i(0), i(7), Combiner::Min)}), In).Why,
            Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["p"].Store)[0], 7);
  ASSERT_EQ(run(M.body({put(P, i(0), i(9), Combiner::Max)}), In).Why,
            Stop::Done);
  EXPECT_EQ(ints(*In.Buffers["p"].Store)[0], 9);
}
