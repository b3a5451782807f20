//===- BarrierPhases.h - a thread's code, cut at its barriers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: parts of split-barriers. What one thread does is
// cut into pieces that hold no barrier. A piece becomes a loop over the threads
// of a block; what all threads do alike and what holds barriers (loops and
// conditions that are the same for all threads) stands around these loops, once
// for the block. (Stratton, Stone, Hwu: MCUDA, LCPC 2008.)
//
// A loop over the threads ends where all of them have run the piece, as if a
// barrier stood there. CUDA allows that order of a block's threads wherever the
// cut is made, so cuts need no proof; what a race would make of the kernel is
// looked at elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_BARRIERPHASES_H
#define RAISE_LIB_TRANSFORM_BARRIERPHASES_H

#include "ThreadVarying.h"
#include "raise/IR/Context.h"

namespace raise {

using StmtList = std::vector<StmtRef>;

struct PhaseNode;
using PhaseList = std::vector<PhaseNode>;

struct PhaseNode {
  enum NodeKind {
    Threads, ///< List, what each thread does
    Once,    ///< List, what the block does
    Nest,    ///< Control, an If, For or While, around Then and Else
    Wait,    ///< a barrier
  };
  NodeKind Kind;
  StmtList List;
  StmtRef Control;
  PhaseList Then, Else;
};

/// Puts what stands behind each mark of LeavesOut in List, and what it needs,
/// under the mark's condition.
void placeUnderMarks(StmtList &List);

/// S with To for From, where it is declared and set too.
StmtRef renamed(const StmtRef &S, const VarRef &From, const VarRef &To);

/// What a thread does, as pieces.
struct Phases {
  PhaseList List;
  /// Set where a barrier stands under a condition, or in a loop, that is not
  /// known to be the same for all threads.
  Reason Why;
  /// Variables of the block: the same for all threads, and set by Once nodes
  /// and the loops of Nest nodes alone.
  std::set<const Var *> OfBlock;
};

/// A piece that not all threads run begins with a mark for each condition that
/// it stands under (`if (!(i < n)) continue;`), and the declarations that it
/// needs, until placeUnderMarks: the threads that are left out have ended.
///
/// Body is what one thread does; Indices are the indices of threads in it.
/// OfWarp: it is cut where the threads of a warp wait for each other, and what
/// is said of a block holds of a warp; it has no other barrier. Else only where
/// those of a block do.
Phases cutAtBarriers(const StmtRef &Body, std::set<const Var *> Indices,
                     bool OfWarp = false);

/// Every node of the kind, in order.
void forEachThreads(PhaseList &List,
                    llvm::function_ref<void(PhaseNode &, PhaseList &)> Fn);

/// What several pieces name and one declares becomes the block's: arrays with
/// an element, or a row, for each thread, or, where that is no more than
/// arithmetic on indices, a declaration in each piece.
class AcrossBarriers {
public:
  /// Iterators: the indices of threads that exist, outermost first. Sizes: how
  /// many threads there are along each, where the kernel says so; else 0.
  /// Extents: the same as expressions.
  AcrossBarriers(Phases &All, const StmtRef &Body,
                 std::vector<VarRef> Iterators, std::vector<int64_t> Sizes,
                 std::vector<ExprRef> Extents);
  /// Declarations of the block's arrays; the nodes of All use them.
  StmtList run();

private:
  struct Scalar;
  Phases &All;
  const StmtRef Body;
  const std::vector<VarRef> Iterators;
  const std::vector<int64_t> Sizes;
  const std::vector<ExprRef> Extents;
  StmtList Arrays;
  int64_t Bytes = 0; ///< of Arrays, tables left out

  void leave(std::string Text, const SourceLoc &Loc);
  bool isIterator(const Var *V) const;
  bool isFree(const ExprRef &E) const;
  BufferRef arrayFor(std::string Name, const Type &Elem,
                     llvm::ArrayRef<ExprRef> Inner, const Buffer *Like);
  Access elementOf(const BufferRef &Array) const;
  void giveOwn();
  void recompute();
  void sink();
  void storeScalars();
  void storeArrays();
  void storeScalar(const Decl &D);

  /// Declarations that pieces repeat, in their order.
  std::vector<std::shared_ptr<const Decl>> Repeated;
  std::set<const Var *> IsRepeated;
  /// What giveOwn made, which Body does not name.
  std::set<const Var *> OfOnePiece;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_BARRIERPHASES_H
