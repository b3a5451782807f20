//===- BarrierRaces.h - pieces that no barrier keeps apart ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: parts of split-barriers. Where a piece ends for
// another reason than a barrier (a loop begins, an iteration ends), threads go
// on to the next at their own pace. If one thread's part of the one and another
// thread's of the other conflict, the kernel races, and loops over the threads
// would give it a meaning that it has not.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_BARRIERRACES_H
#define RAISE_LIB_TRANSFORM_BARRIERRACES_H

#include "BarrierPhases.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Stmt.h"
#include <list>
#include <map>
#include <tuple>

namespace raise {

class BarrierRaces {
public:
  using ForRef = std::shared_ptr<const For>;

  /// A loop over threads, and another form of it which says more to analysis.
  struct Level {
    ForRef Loop, Asked;
    /// Under which it has one iteration, where that may be asked for; Why: of
    /// how few, for a sentence.
    Guard One;
  };
  using Levels = std::vector<Level>;

  /// Blocks: the loops over the grid, outermost first. OverThreads makes the
  /// loops over the threads of a block, outermost first, around what one does.
  BarrierRaces(const Function &F, const Context &Ctx, const Phases &All,
               std::vector<ForRef> Blocks,
               llvm::function_ref<Levels(const StmtRef &)> OverThreads);

  /// The conflict that was found; unset where there is none that is certain,
  /// under Guards, which are appended to.
  Reason find(std::vector<Guard> &Guards);
  /// The same of one piece alone.
  Reason findIn(const StmtRef &Piece, std::vector<Guard> &Guards);
  /// Has Guards leave out the launches of larger blocks where threads would
  /// race within Piece, if in smaller ones they do not; false if they do.
  bool keepSmall(const StmtRef &Piece, std::vector<Guard> &Guards);

private:
  /// A piece that threads may still be at, and the outermost loop of which a
  /// later iteration has begun since; null for none.
  struct Open {
    const PhaseNode *Piece;
    const PhaseNode *Since;
    bool operator==(const Open &O) const {
      return Piece == O.Piece && Since == O.Since;
    }
  };
  using OpenList = std::vector<Open>;
  struct Leaving {
    OpenList Break, Continue;
  };

  const Function &F;
  const Context &Ctx;
  const Phases &All;
  std::vector<ForRef> Around;
  std::vector<const PhaseNode *> Within; ///< the loops around, outermost first
  llvm::function_ref<Levels(const StmtRef &)> OverThreads;
  std::vector<Guard> *Guards = nullptr;
  /// What the block does once, as pieces: each thread does it in the source.
  std::map<const PhaseNode *, Effects> EffectsOf;
  std::set<const PhaseNode *> LookedAt; ///< alone, or with another
  const Effects &effectsOfPiece(const PhaseNode &N);
  bool mayMeet(const PhaseNode &A, const PhaseNode &B);
  std::list<PhaseNode> Looks;
  std::map<const PhaseNode *, const PhaseNode *> LookOf;
  std::set<std::tuple<const PhaseNode *, const PhaseNode *, const PhaseNode *>>
      Compared;
  Reason Found;
  /// Sizes of blocks that may still be tried, for all pieces of the kernel.
  unsigned TriesLeft = 64;

  OpenList flow(const PhaseList &List, OpenList Now, Leaving &Out);
  void look(const PhaseNode &N, OpenList &Now);
  OpenList flowLoop(const PhaseNode &Loop, OpenList Now);
  void compare(const Open &Earlier, const PhaseNode &Later);
  void analyse(const StmtRef &Both);
  struct Answer {
    std::vector<Guard> Tests;
    Reason Race; ///< unset if Tests leave none
  };
  Answer askedOf(const Levels &Loops) const;
  bool avoidBySize(const StmtRef &Both, const Levels &Loops,
                   const Reason &Race);
  void addGuard(const Guard &G);
  std::string sinceRace(const Reason &Race) const;
  StmtRef inEarlierIteration(const StmtRef &S, const PhaseNode &Loop) const;
  bool canTest(const Guard &G) const;
};

/// S without what the lanes of a warp exchange: between pieces of a block it
/// does not count.
StmtRef withoutExchanges(const StmtRef &S);

/// L, over the warps of Threads threads, with warps counted by their first
/// threads: `block.x / 32` tells nothing of the launches for which two warps
/// meet, block.x does.
std::shared_ptr<const For> overFirstThreads(const For &L,
                                            const VarRef &Threads);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_BARRIERRACES_H
