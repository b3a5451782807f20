//===- KernelTest.cpp - grids, blocks, barriers, shared memory
//---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::interp;
using namespace raise::interp::testing;
using B = BinaryOp;

namespace {
/// A kernel with one grid and two block dimensions.
struct KernelMaker : Maker {
  VarRef Block = scalar("blockIdx.x", U32), Tx = scalar("threadIdx.x", U32),
         Ty = scalar("threadIdx.y", U32);
  Function &kernel(std::vector<StmtRef> Thread) {
    F.Kind = FunctionKind::Kernel;
    F.LaunchDims = makeLaunchDims();
    auto Dim = [&](unsigned I) { return use(F.LaunchDims[I]); };
    return body({loop(Block, i(0, U32), Dim(0),
                      loop(Ty, i(0, U32), Dim(4),
                           loop(Tx, i(0, U32), Dim(3), block(std::move(Thread)),
                                LoopKind::BlockX),
                           LoopKind::BlockY),
                      LoopKind::GridX)});
  }
  /// blockIdx.x * blockDim.x + threadIdx.x; call after kernel dims exist.
  ExprRef global() {
    return op(B::Add, op(B::Mul, use(Block), i(4, U32)), use(Tx));
  }
};
Inputs launch(unsigned Grid, unsigned X, unsigned Y = 1) {
  Inputs In;
  In.GridDim[0] = Grid;
  In.BlockDim[0] = X;
  In.BlockDim[1] = Y;
  return In;
}
} // namespace

TEST(Kernel, ReturnEndsTheThreadOnly) {
  KernelMaker K;
  BufferRef P = K.pointer("p");
  VarRef N = K.param("n");
  ExprRef G = K.global();
  Function &F = K.kernel({when(op(B::GE, G, conv(use(N), U32)), ret()),
                          put(P, G, conv(G, I32)),
                          // A parameter is each thread's own.
                          set(N, i(0))});
  Inputs In = launch(2, 4);
  In.Scalars["n"] = Value::ofInt(6);
  In.Buffers["p"] = {cells({9, 9, 9, 9, 9, 9, 9, 9}), 0};
  Outcome O = run(F, In);
  ASSERT_EQ(O.Why, Stop::Done) << O.Message;
  EXPECT_EQ(ints(*In.Buffers["p"].Store),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 9, 9}));
}

/// Each block reverses its four elements through shared memory.
static Function &reversing(KernelMaker &K, bool WithBarrier) {
  BufferRef P = K.pointer("p");
  BufferRef S = buffer("s", I32, BufferKind::Shared, {i(4)});
  ExprRef G = K.global();
  std::vector<StmtRef> Body = {std::make_shared<DeclBuffer>(S),
                               put(S, use(K.Tx), get(P, G))};
  if (WithBarrier)
    Body.push_back(std::make_shared<Barrier>());
  Body.push_back(put(P, G, get(S, op(B::Sub, i(3, U32), use(K.Tx)))));
  return K.kernel(Body);
}

TEST(Kernel, BarrierAndSharedMemoryInAnyOrder) {
  for (auto Ord : {Settings::Order::Ascending, Settings::Order::Descending,
                   Settings::Order::Random}) {
    KernelMaker K;
    Function &F = reversing(K, true);
    Inputs In = launch(2, 4);
    In.Buffers["p"] = {cells({1, 2, 3, 4, 5, 6, 7, 8}), 0};
    Settings S;
    S.Ord = Ord;
    Outcome O = run(F, In, S);
    ASSERT_EQ(O.Why, Stop::Done) << O.Message;
    EXPECT_EQ(ints(*In.Buffers["p"].Store),
              (std::vector<int64_t>{4, 3, 2, 1, 8, 7, 6, 5}));
  }
}

TEST(Kernel, SharedMemoryIsIndeterminateInEachBlock) {
  KernelMaker K;
  Function &F = reversing(K, false);
  Inputs In = launch(2, 4);
  In.Buffers["p"] = {cells({1, 2, 3, 4, 5, 6, 7, 8}), 0};
  EXPECT_EQ(run(F, In).Why, Stop::Uninitialised);
}

TEST(Kernel, BarriersInLoopsAndTwoDimensions) {
  KernelMaker K;
  BufferRef P = K.pointer("p");
  VarRef It = scalar("it");
  BufferRef S = buffer("s", I32, BufferKind::Shared, {i(4)});
  ExprRef Me = op(B::Add, op(B::Mul, use(K.Ty), i(2, U32)), use(K.Tx));
  ExprRef Next = op(B::Rem, op(B::Add, Me, i(1, U32)), i(4, U32));
  VarRef T = scalar("t");
  // Three times: everybody takes its neighbour's value.
  Function &F =
      K.kernel({std::make_shared<DeclBuffer>(S), put(S, Me, get(P, Me)),
                loop(It, i(0), i(3),
                     block({std::make_shared<Barrier>(), let(T, get(S, Next)),
                            std::make_shared<Barrier>(), put(S, Me, use(T))})),
                put(P, Me, get(S, Me))});
  Inputs In = launch(1, 2, 2);
  In.Buffers["p"] = {cells({10, 11, 12, 13}), 0};
  Outcome O = run(F, In);
  ASSERT_EQ(O.Why, Stop::Done) << O.Message;
  EXPECT_EQ(ints(*In.Buffers["p"].Store),
            (std::vector<int64_t>{13, 10, 11, 12}));
}

TEST(Kernel, DivergentBarrier) {
  KernelMaker K;
  auto Wait = [] { return std::make_shared<Barrier>(); };
  Function &F =
      K.kernel({when(op(B::EQ, use(K.Tx), i(0, U32)), Wait(), Wait())});
  Inputs In = launch(1, 4);
  EXPECT_EQ(run(F, In).Why, Stop::DivergentBarrier);
  // Threads that have ended are not waited for.
  KernelMaker Early;
  Function &G =
      Early.kernel({when(op(B::EQ, use(Early.Tx), i(0, U32)), ret()), Wait()});
  EXPECT_EQ(run(G, In).Why, Stop::Done);
}

TEST(Kernel, StopInOneThreadEndsAll) {
  KernelMaker K;
  BufferRef P = K.pointer("p");
  Function &F = K.kernel({std::make_shared<Barrier>(), put(P, use(K.Tx), i(1)),
                          std::make_shared<Barrier>()});
  Inputs In = launch(1, 4);
  In.Buffers["p"] = {cells({0, 0}), 0};
  EXPECT_EQ(run(F, In).Why, Stop::OutOfRange);
}

/// y[idx[i]] = x[i], or += where Op says so.
static Outcome scattered(std::vector<int64_t> Index, std::vector<int64_t> X,
                         Combiner Op, bool Atomic, unsigned Grid = 1,
                         unsigned Threads = 4) {
  KernelMaker K;
  BufferRef Y = K.pointer("y"), Idx = K.pointer("idx"), From = K.pointer("x");
  ExprRef G = K.global();
  Function &F = K.kernel({put(Y, get(Idx, G), get(From, G), Op, Atomic)});
  Inputs In = launch(Grid, Threads);
  In.Buffers["y"] = {cells({0, 0, 0, 0, 0, 0, 0, 0}), 0};
  In.Buffers["idx"] = {cells(std::move(Index)), 0};
  In.Buffers["x"] = {cells(std::move(X)), 0};
  Settings S;
  S.WatchThreads = true;
  return run(F, In, S);
}

TEST(Kernel, ThreadsThatDisagreeAreSeen) {
  EXPECT_FALSE(scattered({3, 2, 1, 0}, {1, 2, 3, 4}, Combiner::None, false)
                   .ThreadsDisagree);
  // The first and the last agree: neither order of them shows the race.
  EXPECT_TRUE(scattered({5, 5, 5, 0}, {1, 2, 1, 4}, Combiner::None, false)
                  .ThreadsDisagree);
  // Two blocks.
  EXPECT_TRUE(scattered({0, 1, 2, 3, 4, 5, 6, 0}, {1, 2, 3, 4, 5, 6, 7, 8},
                        Combiner::None, false, 2)
                  .ThreadsDisagree);
  EXPECT_FALSE(scattered({5, 5, 5, 5}, {7, 7, 7, 7}, Combiner::None, false)
                   .ThreadsDisagree);
  EXPECT_FALSE(scattered({5, 5, 5, 5}, {1, 2, 3, 4}, Combiner::Add, true)
                   .ThreadsDisagree);
  // The sum is the same in any order, but some of it may be lost.
  EXPECT_TRUE(scattered({5, 5, 5, 5}, {1, 2, 3, 4}, Combiner::Add, false)
                  .ThreadsDisagree);
}

TEST(Kernel, BarriersOrderWhatThreadsOfABlockWrite) {
  for (bool WithBarrier : {false, true}) {
    KernelMaker K;
    BufferRef P = K.pointer("p");
    std::vector<StmtRef> Body = {put(P, use(K.Tx), i(1))};
    if (WithBarrier)
      Body.push_back(std::make_shared<Barrier>());
    Body.push_back(put(P, op(B::Sub, i(3, U32), use(K.Tx)), i(2)));
    Function &F = K.kernel(std::move(Body));
    for (unsigned Grid : {1u, 2u}) {
      Inputs In = launch(Grid, 4);
      In.Buffers["p"] = {cells({0, 0, 0, 0}), 0};
      Settings S;
      S.WatchThreads = true;
      Outcome O = run(F, In, S);
      ASSERT_EQ(O.Why, Stop::Done) << O.Message;
      // A barrier holds for the threads of one block only.
      EXPECT_EQ(O.ThreadsDisagree, !WithBarrier || Grid == 2);
    }
  }
}
