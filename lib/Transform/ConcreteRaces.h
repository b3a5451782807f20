//===- ConcreteRaces.h - threads of a block of known size -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: part of split-barriers. Which element a thread
// touches between two barriers often hangs on what a loop does to an offset
// (`s[o * (2 * t + 2) - 1]`, o doubling), which no linear inequality says.
// Where a block's size is known, and indices and loops hang on nothing but
// threads and such offsets, the block can be run without its data, and each
// element asked who was there.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_CONCRETERACES_H
#define RAISE_LIB_TRANSFORM_CONCRETERACES_H

#include "BarrierPhases.h"
#include "Networks.h"

namespace raise {

class ConcreteRaces {
public:
  /// The variable of a loop over threads, and how many it counts.
  using Dim = std::pair<VarRef, int64_t>;

  /// Threads: those that count fastest first. Arrays: those of the block, none
  /// of which shares a byte with another. Each AsOne threads that follow each
  /// other count as one.
  ConcreteRaces(std::vector<Dim> Threads, std::set<const Buffer *> Arrays,
                int64_t AsOne = 1)
      : Threads(std::move(Threads)), Arrays(std::move(Arrays)), AsOne(AsOne),
        Values(FPMode::Fast) {}

  /// Whether it is certain that of two threads that touch an element of an
  /// array without a barrier in between none writes it, but for atomic updates
  /// alone.
  bool areApart(const PhaseList &List);

  /// Where it is not: a thread that reads what another one writes, if it is
  /// certain that they do, however often the block's loops run. (Threads that
  /// write one element may write one value.)
  const Reason &race() const { return Race; }

  /// The elements of B, row-major, that List may read, where Known is known of
  /// integers before it; none if it may be others.
  static std::optional<std::set<int64_t>>
  cellsRead(llvm::ArrayRef<StmtRef> List, const Buffer &B,
            const Network &Known);

private:
  static constexpr int64_t None = -1, Many = -2;
  /// Who has read, written and atomically updated an element since a barrier.
  struct Visitors {
    int64_t Readers = None, Writers = None, Updaters = None;
    bool May = false; ///< one of them perhaps
  };
  enum class Visit { Read, Write, Update };
  using Log = std::map<Cell, Visitors>;

  const std::vector<Dim> Threads;
  const std::set<const Buffer *> Arrays;
  const int64_t AsOne;
  Network Values;
  Log Since;
  bool Fails = false; ///< or not known
  Reason Race;
  unsigned Perhaps = 0; ///< conditions around that are not known

  void flow(const PhaseList &List);
  void flowIf(const PhaseNode &N);
  void flowLoop(const PhaseNode &N);
  void flowUnknownLoop(const PhaseNode &N);
  void eachThread(const StmtList &List);
  void runAll(const StmtList &List, int64_t Thread);
  void run(const StmtRef &S, int64_t Thread);
  void runLoop(const StmtRef &S, int64_t Thread);
  void visitStore(const Store &S, int64_t Thread);
  void visit(const ExprRef &E, int64_t Thread);
  void visit(const Access &A, int64_t Thread, Visit How, const SourceLoc &Loc);
  void noteRace(const Access &A, const Cell &At, int64_t Thread, Visit How,
                const Visitors &V, const SourceLoc &Loc);
  void forget(const StmtRef &S);
  void forget(const PhaseNode &N);
};

/// S without what it does to Arrays: what they hold is then some memory that
/// nothing writes.
StmtRef withoutArrays(const StmtRef &S,
                      const std::map<const Buffer *, BufferRef> &Instead);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_CONCRETERACES_H
