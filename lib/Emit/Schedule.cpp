//===- Schedule.cpp - which loop of a tensor operation gets which pragma --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "ExprPrinter.h"
#include "OwnElements.h"
#include "raise/IR/Counts.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

// --- Threads and vectors in one construct -----------------------------------

/// In the combined construct clang keeps the thread's last iteration in memory
/// of the counter's type. A store of the same type (or of bytes) might change
/// it for all that clang knows, so it would not vectorise, and warn.
static bool storesLikeCounter(const TensorOp &T) {
  unsigned Bits = T.Iterators.back().V->Ty.Bits;
  bool Found = false;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get())) {
      const Type &Elem = St->To.Buf->Elem;
      Found |= !Elem.isFloat() && (Elem.Bits <= 8 || Elem.Bits == Bits);
    }
  });
  return Found;
}

/// In that construct a thread's part of a sum lies in memory, too, of which
/// clang 19 tells its vectoriser that no iteration meets another in it: where a
/// store keeps it there, -O1 loses terms.
static bool storesBesideSums(const TensorOp &T, const LoopPlan &Plan) {
  if (Plan.Reductions.empty())
    return false;
  bool Found = false;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    Found |= isa<Store>(*S) && none_of(Plan.Reductions, [&](const auto &A) {
               return A.Element == S.get();
             });
  });
  return Found;
}

// --- One loop ---------------------------------------------------------------

namespace {

/// OpenMP's loops may not be left early.
bool leavesEarly(const StmtRef &S) {
  if (isa<Return>(*S) || isa<Break>(*S))
    return true;
  // Their breaks are their own.
  if (isa<For>(*S) || isa<While>(*S) || isa<TensorOp>(*S)) {
    bool Returns = false;
    forEachStmt(S, [&](const StmtRef &Sub) { Returns |= isa<Return>(*Sub); });
    return Returns;
  }
  if (auto *I = dyn_cast<If>(S.get()))
    return leavesEarly(I->Then) || (I->Else && leavesEarly(I->Else));
  if (auto *B = dyn_cast<Block>(S.get()))
    return any_of(B->Body, leavesEarly);
  return false;
}

bool isAccumulated(const Store &S, ArrayRef<Accumulator> Accumulators) {
  return any_of(Accumulators,
                [&](const Accumulator &A) { return A.Element == &S; });
}

/// Whether iterations of It may find different elements by At.
bool mayMove(const Access &At, const Iterator &It, const StmtRef &Body) {
  bool Moves = false;
  for (const ExprRef &I : At.Indices)
    forEachExpr(I, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Moves |= U && (U->V == It.V || assigns(Body, U->V.get()));
    });
  return Moves;
}

/// Whether S stores what all iterations would store, in one access to memory.
bool isSameForAll(const Store &S, const Iterator &It, const StmtRef &Body) {
  bool Same = S.Op == Combiner::None && !S.Atomic && S.Value->Ty.Bits <= 64;
  forEachExpr(S.Value, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Same &= !isa<Load>(*E) && !isa<Call>(*E) &&
            !(U && (U->V == It.V || assigns(Body, U->V.get())));
  });
  return Same;
}

/// Whether what At is found by was read from memory.
bool isIndirect(const Access &At, const StmtRef &Body) {
  DenseSet<const Var *> Read;
  const auto Reads = [&](const ExprRef &Of) {
    bool Yes = false;
    forEachExpr(Of, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Yes |= isa<Load>(*E) || (U && Read.count(U->V.get()));
    });
    return Yes;
  };
  for (bool Grows = true; Grows;) {
    Grows = false;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init && Reads(D->Init))
        Grows |= Read.insert(D->V.get()).second;
      if (auto *A = dyn_cast<Assign>(S.get()); A && Reads(A->Value))
        Grows |= Read.insert(A->V.get()).second;
    });
  }
  return any_of(At.Indices, Reads);
}

/// Whether the stores of the body allow iterations of this loop at once.
bool storesAllow(const TensorOp &T, size_t Level, const ScalarUse &Use,
                 const Surroundings &Around) {
  const Options &Opts = *Around.Opts;
  const Iterator &It = T.Iterators[Level];
  // Tests for overlap would cost more than vectors of such a mixture give, if
  // they are made for this loop alone.
  const bool IsTested =
      !Around.InParallel && Around.Tested &&
      any_of(*Around.Tested, [](const Guard &G) { return !G.Cond; });
  bool Ok = true;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || isAccumulated(*St, Use.Accumulators))
      return;
    if (St->To.Buf->Kind == BufferKind::Local) {
      bool Own = false;
      forEachStmt(T.Body, [&](const StmtRef &D) {
        auto *DB = dyn_cast<DeclBuffer>(D.get());
        Own |= DB && DB->B == St->To.Buf;
      });
      if (Own) // each iteration has its own
        return;
    }
    if (St->Atomic) {
      bool Rounds = rounds(St->Op, St->To.Buf->Elem, St->Value->Ty);
      Ok &= !(Rounds && Opts.FP == FPMode::Strict);
      return;
    }
    // What iterations of a reduction share is an element that all of them
    // have; every other store is each iteration's own.
    if (It.Kind != IterKind::Parallel) {
      Ok &= isOfStrip(*St, T, It) ||
            (!IsTested && moves(St->To, It.V.get(), T.Body));
      return;
    }
    Ok &= mayMove(St->To, It, T.Body) || isSameForAll(*St, It, T.Body);
  });
  return Ok;
}

bool hasLoop(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *T = dyn_cast<TensorOp>(Sub.get());
    Found |= isa<For>(*Sub) || isa<While>(*Sub) || (T && !isUnrolled(*T));
  });
  return Found;
}

} // namespace

bool hasAtomic(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *St = dyn_cast<Store>(Sub.get());
    Found |= St && St->Atomic;
  });
  return Found;
}

std::vector<const Store *> sharedWrites(const TensorOp &T, size_t Level,
                                        bool OfKernel) {
  std::vector<const Store *> Found;
  const Iterator &It = T.Iterators[Level];
  if (It.Kind != IterKind::Parallel)
    return Found;
  DenseSet<const Buffer *> Own;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      Own.insert(D->B.get());
    auto *St = dyn_cast<Store>(S.get());
    if (St && !Own.count(St->To.Buf.get()) && isSameForAll(*St, It, T.Body) &&
        (!mayMove(St->To, It, T.Body) ||
         (OfKernel && isIndirect(St->To, T.Body))))
      Found.push_back(St);
  });
  return Found;
}

/// Whether the iterations of It can be counted before the loop, as OpenMP does
/// it: nothing is to be tested, or it was.
static bool isCounted(const Iterator &It, const Surroundings &Around) {
  NotNegative Known = Around.Counters ? *Around.Counters : NotNegative();
  if (Around.Tested)
    for (const Guard &G : *Around.Tested)
      if (G.Cond)
        Known.enter(G.Cond);
  const bool FromZero = Known.holds(It.Lo);
  for (bool Assumed : {false, true}) {
    ExprRef Fits = countFits(It.Lo, It.Hi, It.Step, Assumed);
    if (!Fits && (FromZero || !Assumed))
      return true;
    if (Fits && Around.Tested && any_of(*Around.Tested, [&](const Guard &G) {
          return G.Cond && structurallyEqual(G.Cond, Fits);
        }))
      return true;
  }
  return false;
}

const Type &typeOf(const Accumulator &A) {
  if (A.Scalar)
    return A.Scalar->Ty;
  const Type &Elem = A.Array ? A.Array->Elem : A.Element->To.Buf->Elem;
  return Elem.isVoid() && A.Element ? A.Element->Value->Ty : Elem;
}

/// Iterations below which a sum that is done again and again has no vectors: to
/// clear and to add up their lanes takes longer. (Measured: gcc, with vectors
/// of 16, takes twice the time for 8 numbers, and as long for 24.)
constexpr int64_t ShortSum = 32;

/// How often It runs, where that is a number; -1 for others.
static int64_t fixedTrips(const Iterator &It) {
  const auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  const auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(It.Hi).get());
  const auto *Step = dyn_cast<IntConst>(withoutImplicitCasts(It.Step).get());
  return Lo && Hi && Step && Step->Value > 0
             ? (Hi->Value - Lo->Value + Step->Value - 1) / Step->Value
             : -1;
}

/// Whether vectors for a loop that runs again and again are for the compiler to
/// choose. It writes a few iterations out, and then sees the loop around them;
/// integers it may add in any order without being told. (Measured: with a
/// pragma of its own, three bytes to add take gcc 12 times as long.)
static bool isLeftToCompilers(const Iterator &It,
                              ArrayRef<Accumulator> Reductions) {
  const bool Rounds =
      any_of(Reductions, [](const Accumulator &A) { return A.Rounds; });
  const int64_t Trips = fixedTrips(It);
  if (Reductions.empty())
    return Trips >= 0 && Trips < 4;
  if (Trips >= 0)
    return Trips < (Rounds ? ShortSum / 2 : 2 * ShortSum);
  return !Rounds;
}

ExprRef shortRowTest(const Iterator &It, ArrayRef<Accumulator> Reductions) {
  const auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  const auto *Step = dyn_cast<IntConst>(withoutImplicitCasts(It.Step).get());
  if (!Lo || Lo->Value < 0 || Lo->Value > INT32_MAX / 2 || !Step ||
      Step->Value != 1 || fixedTrips(It) >= 0 ||
      none_of(Reductions, [](const Accumulator &A) { return A.Rounds; }))
    return nullptr;
  return sizeTest(BinaryOp::GE, It.Hi,
                  build::intConst(Lo->Value + ShortSum, It.Hi->Ty));
}

LoopPlan planLoop(const TensorOp &T, size_t Level, const Surroundings &Around) {
  const Options &Opts = *Around.Opts;
  LoopPlan Plan;
  const Iterator &It = T.Iterators[Level];
  if (It.Kind != IterKind::Parallel && It.Kind != IterKind::Reduction)
    return Plan;
  // Compilers count a loop that stays in one thread in as wide a type as it
  // takes, if each step is one.
  const bool Counted = isCounted(It, Around);
  const auto *By = dyn_cast<IntConst>(It.Step.get());
  if (!Counted && !(By && By->Value == 1))
    return Plan;
  ScalarUse Use = scalarUse(T, Level);
  if (Use.Ordered || leavesEarly(T.Body) || !storesAllow(T, Level, Use, Around))
    return Plan;
  for (const Accumulator &A : Use.Accumulators)
    if (A.Rounds && Opts.FP == FPMode::Strict)
      return Plan;
  Plan.Reductions = Use.Accumulators;
  bool Innermost = Level + 1 == T.Iterators.size() && !hasLoop(T.Body);
  bool Atomic =
      hasAtomic(T.Body) || !sharedWrites(T, Level, Around.OfKernel).empty();
  // What more than eight bytes combine is a call, in clang of a library that
  // programs are not linked with.
  const bool Wide = any_of(Use.Accumulators, [](const Accumulator &A) {
    const Type &Ty = typeOf(A);
    return Ty.isFloat() && Ty.Bits > 64;
  });
  Plan.Parallel = Opts.OpenMP && !Around.InParallel && Counted && !Wide;
  Plan.Simd = Opts.OpenMPSimd && Innermost && !Atomic &&
              vectorises(T, Opts, Use.Accumulators) &&
              !((Around.Repeated || Around.Inside || Level > 0) &&
                isLeftToCompilers(It, Use.Accumulators));
  // Once for each row, vectors are worth more than threads.
  if (Plan.Simd && Around.Repeated && storesBesideSums(T, Plan))
    Plan.Parallel = false;
  return Plan;
}

bool mayCombine(const TensorOp &T, const LoopPlan &Plan) {
  return !storesLikeCounter(T) && !storesBesideSums(T, Plan);
}

} // namespace raise
