//===- StatementTest.cpp - control flow, regions, tensor operations
//----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"
#include "raise/IR/Fact.h"

using namespace raise;
using namespace raise::interp;
using namespace raise::interp::testing;
using B = BinaryOp;

TEST(Statement, LoopsBreakAndContinue) {
  Maker M;
  M.F.Result = I32;
  VarRef N = M.param("n"), K = scalar("k"), S = scalar("s");
  StmtRef Leave = std::make_shared<Break>(),
          Skip = std::make_shared<Continue>();
  Function &F = M.body({let(S, i(0)),
                        loop(K, i(0), use(N),
                             block({when(op(B::EQ, use(K), i(2)), Skip),
                                    when(op(B::EQ, use(K), i(5)), Leave),
                                    set(S, use(K), Combiner::Add)})),
                        ret(use(S))});
  Inputs In;
  In.Scalars["n"] = Value::ofInt(100);
  Outcome O = run(F, In);
  ASSERT_EQ(O.Why, Stop::Done) << O.Message;
  EXPECT_EQ(O.Result->I, 0 + 1 + 3 + 4);
}

TEST(Statement, FactsMustHold) {
  Maker M;
  VarRef N = M.param("n");
  BufferRef P = M.pointer("p", F64);
  Function &F = M.body(
      {makeAssumption(op(B::GT, use(N), i(2)), "n > 2"),
       makeExtent(P, build::cast(use(N), Type::getI64()), "p has n elements"),
       put(P, i(4), d(1))});
  const auto Run = [&](int64_t Number, bool Null, size_t Size) {
    Inputs In;
    In.Scalars["n"] = Value::ofInt(Number);
    if (!Null) {
      In.Buffers["p"].Store = std::make_shared<Storage>();
      In.Buffers["p"].Store->Cells.resize(Size);
      In.Buffers["p"].Store->Growable = Size == 0;
    } else {
      In.Buffers["p"] = {};
    }
    return run(F, In).Why;
  };
  EXPECT_EQ(Run(5, false, 0), Stop::Done);
  EXPECT_EQ(Run(2, false, 0), Stop::OutOfRange); // what is assumed
  EXPECT_EQ(Run(4, false, 0), Stop::OutOfRange); // p[4] is not there
  EXPECT_EQ(Run(5, true, 0), Stop::OutOfRange);
  EXPECT_EQ(Run(5, false, 5), Stop::Done);
  EXPECT_EQ(Run(6, false, 5), Stop::OutOfRange); // nor are 6 elements
}

TEST(Statement, RequirementsAreMetFirst) {
  Maker M;
  BufferRef X = M.pointer("x", F64), Y = M.pointer("y", F64);
  Function &F = M.body({put(X, i(0), d(1))});
  const Type I64 = Type::getI64();
  Guard Apart;
  Apart.A = {X, build::intConst(0, I64), build::intConst(3, I64)};
  Apart.B = {Y, build::intConst(0, I64), build::intConst(3, I64)};
  Apart.Why = "x and y do not overlap";
  F.Requires = {Apart};
  const auto Run = [&](int64_t Distance) {
    Inputs In;
    auto Cells = std::make_shared<Storage>();
    Cells->Cells.resize(8);
    In.Buffers["x"] = {Cells, 0};
    In.Buffers["y"] = {Cells, Distance};
    const Outcome O = run(F, In);
    EXPECT_EQ(Cells->Cells[0].has_value(), O.Why == Stop::Done);
    return O;
  };
  EXPECT_EQ(Run(3).Why, Stop::Done);
  EXPECT_EQ(Run(2).Why, Stop::Requirement);
  EXPECT_NE(Run(2).Message.find("x and y do not overlap"), std::string::npos);
}

TEST(Statement, WhileAndDoWhile) {
  Maker M;
  VarRef N = M.param("n");
  auto Count = [&](bool First) {
    StmtRef Body = set(N, i(1), Combiner::Sub);
    Inputs In;
    In.Scalars["n"] = Value::ofInt(0);
    Outcome O = run(
        M.body({std::make_shared<While>(op(B::GT, use(N), i(0)), First, Body)}),
        In);
    return O.Scalars["n"].I;
  };
  EXPECT_EQ(Count(true), 0);
  EXPECT_EQ(Count(false), -1);
}

TEST(Statement, LoopVariableFromOutsideKeepsItsValue) {
  for (LoopKind Kind : {LoopKind::Serial, LoopKind::Parallel}) {
    Maker M;
    M.F.Result = I32;
    VarRef K = scalar("k");
    auto L = std::make_shared<For>(K, i(10), B::GE, i(0), i(-3), Kind, false,
                                   block({}));
    Inputs In;
    Settings S;
    S.Ord = Settings::Order::Descending;
    Outcome O = run(M.body({let(K, nullptr), L, ret(use(K))}), In, S);
    ASSERT_EQ(O.Why, Stop::Done) << O.Message;
    EXPECT_EQ(O.Result->I, -2);
  }
}

TEST(Statement, LoopArithmeticIsThatOfItsType) {
  Maker M;
  VarRef K = scalar("k");
  auto Run = [&](const VarRef &K, int64_t Lo) {
    auto L =
        std::make_shared<For>(K, i(Lo, K->Ty), B::LE, i(0x7fffffff, K->Ty),
                              i(1, K->Ty), LoopKind::Serial, true, block({}));
    Inputs In;
    return run(M.body({L}), In).Why;
  };
  EXPECT_EQ(Run(K, 0x7fffffff), Stop::SignedOverflow);
  EXPECT_EQ(Run(scalar("u", U32), 0x7fffffff), Stop::Done);
}

TEST(Statement, StepLimit) {
  Maker M;
  Settings S;
  S.MaxSteps = 1000;
  Inputs In;
  Outcome O = run(M.body({std::make_shared<While>(build::boolConst(true), true,
                                                  block({}))}),
                  In, S);
  EXPECT_EQ(O.Why, Stop::StepLimit);
}

TEST(Statement, OpaqueAndMissingInputs) {
  Maker M;
  Inputs In;
  Outcome O = run(
      M.body({std::make_shared<Opaque>("asm", "CR1005", "inline assembly")}),
      In);
  EXPECT_EQ(O.Why, Stop::Unsupported);
  EXPECT_NE(O.Message.find("inline assembly"), std::string::npos);
  M.param("n");
  EXPECT_EQ(run(M.body({}), In).Why, Stop::Unsupported);
}

TEST(Statement, CallOfADefinition) {
  auto Callee = std::make_shared<raise::Callee>();
  Maker Inner;
  VarRef X = Inner.param("x");
  Inner.F.Result = I32;
  Inner.body({when(op(B::LT, use(X), i(0)), ret(i(0))),
              ret(op(B::Mul, use(X), use(X)))});
  Callee->Name = "square";
  Callee->Result = I32;
  Callee->Params = {I32};
  Callee->Definition = std::make_shared<Function>(Inner.F);
  EXPECT_EQ(result(build::call(Callee, {i(7)})).Result->I, 49);
  EXPECT_EQ(result(build::call(Callee, {i(-7)})).Result->I, 0);
}

namespace {
/// y[k] = x[k] + 1 in a region with an overlap test; the original stores -1.
struct Guarded {
  Maker M;
  VarRef N = M.param("n");
  BufferRef Y = M.pointer("y"), X = M.pointer("x");
  Guarded() {
    VarRef K = scalar("k");
    Obligations Rests;
    Guard G;
    G.A = {Y, i(0, I64), conv(use(N), I64)};
    G.B = {X, i(0, I64), conv(use(N), I64)};
    Rests.Guards.push_back(G);
    auto Body = std::make_shared<TensorOp>(
        std::vector<Iterator>{{K, i(0), use(N), i(1), IterKind::Parallel}},
        nullptr, block({put(Y, use(K), op(B::Add, get(X, use(K)), i(1)))}));
    auto Original = loop(K, i(0), use(N), put(Y, use(K), i(-1)));
    M.body({std::make_shared<Region>(Rests, Body, Original)});
  }
  Outcome go(int N, Binding Y, Binding X, Settings S = {}) {
    Inputs In;
    In.Scalars["n"] = Value::ofInt(N);
    In.Buffers["y"] = Y;
    In.Buffers["x"] = X;
    return run(M.F, In, S);
  }
};
} // namespace

TEST(Statement, RegionGuards) {
  Guarded G;
  auto Y = cells({0, 0, 0}), X = cells({1, 2, 3});
  Outcome O = G.go(3, {Y, 0}, {X, 0});
  ASSERT_EQ(O.Why, Stop::Done) << O.Message;
  EXPECT_EQ(O.GuardsPassed, 1u);
  EXPECT_EQ(ints(*Y), (std::vector<int64_t>{2, 3, 4}));
  auto Both = cells({1, 2, 3, 4});
  O = G.go(2, {Both, 0}, {Both, 2}); // adjacent
  EXPECT_EQ(O.GuardsPassed, 1u);
  Both = cells({1, 2, 3, 4});
  O = G.go(2, {Both, 0}, {Both, 1});
  EXPECT_EQ(O.GuardsFailed, 1u);
  EXPECT_EQ(ints(*Both), (std::vector<int64_t>{-1, -1, 3, 4}));
  O = G.go(0, {nullptr, 0}, {nullptr, 0});
  EXPECT_EQ(O.GuardsPassed, 1u);
  Settings S;
  S.Regions = Settings::Which::Original;
  G.go(3, {Y, 0}, {X, 0}, S);
  EXPECT_EQ(ints(*Y), (std::vector<int64_t>{-1, -1, -1}));
  S.Regions = Settings::Which::Body;
  Both = cells({1, 2, 3, 4});
  G.go(2, {Both, 1}, {Both, 0}, S);
  EXPECT_EQ(ints(*Both), (std::vector<int64_t>{1, 2, 3, 4}));
}

TEST(Statement, TheLastPointInOrder) {
  // for a in 0..9: p[0] += 1; if (a == 3) leave;  p[1] += 1; and then p[2] = 1
  auto Go = [&](const StmtRef &Leave, Settings::Order O) {
    Maker M;
    BufferRef P = M.pointer("p");
    VarRef A = scalar("a");
    auto Count = [&](int64_t At) {
      return put(P, i(At), op(B::Add, get(P, i(At)), i(1)));
    };
    auto T = std::make_shared<TensorOp>(
        std::vector<Iterator>{{A, i(0), i(9), i(1), IterKind::Search}}, nullptr,
        block({Count(0),
               std::make_shared<If>(op(B::EQ, use(A), i(3)), Leave, nullptr),
               Count(1)}));
    Inputs In;
    In.Buffers["p"] = {cells({0, 0, 0}), 0};
    Settings S;
    S.Ord = O;
    Outcome R = run(M.body({T, put(P, i(2), i(1))}), In, S);
    EXPECT_EQ(R.Why, Stop::Done) << R.Message;
    return ints(*In.Buffers["p"].Store);
  };
  using Cells = std::vector<int64_t>;
  for (auto O : {Settings::Order::Ascending, Settings::Order::Descending}) {
    EXPECT_EQ(Go(std::make_shared<Break>(), O), (Cells{4, 3, 1}));
    EXPECT_EQ(Go(std::make_shared<Return>(nullptr), O), (Cells{4, 3, 0}));
    EXPECT_EQ(Go(std::make_shared<Continue>(), O), (Cells{9, 8, 1}));
  }
}

TEST(Statement, TensorMaskOrderAndTriangle) {
  Maker M;
  BufferRef P = M.pointer("p");
  VarRef A = scalar("a"), C = scalar("c");
  // for a in 0..3, c in a..3, where c != 1: p[0] = p[0] * 10 + c
  auto T = std::make_shared<TensorOp>(
      std::vector<Iterator>{{A, i(0), i(3), i(1), IterKind::Serial},
                            {C, use(A), i(3), i(1), IterKind::Parallel}},
      op(B::NE, use(C), i(1)),
      block(
          {put(P, i(0), op(B::Add, op(B::Mul, get(P, i(0)), i(10)), use(C)))}));
  auto Go = [&](Settings::Order O) {
    Inputs In;
    In.Buffers["p"] = {cells({0}), 0};
    Settings S;
    S.Ord = O;
    Outcome R = run(M.body({T}), In, S);
    EXPECT_EQ(R.Why, Stop::Done) << R.Message;
    return ints(*In.Buffers["p"].Store)[0];
  };
  EXPECT_EQ(Go(Settings::Order::Ascending), 222);
  EXPECT_EQ(Go(Settings::Order::Descending), 2022);
}
