//===- Peel.h - the first iteration of a loop, apart ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PEEL_H
#define RAISE_LIB_TRANSFORM_PEEL_H

#include "TripCount.h"
#include "raise/Transform/Liveness.h"

namespace raise {

/// A loop whose bounds mean in and after it what they meant before it.
struct FixedBounds {
  std::vector<StmtRef> Lets; ///< for bounds that the loop itself would change
  std::shared_ptr<const For> Loop;
  ExprRef Runs; ///< whether it has an iteration
};
FixedBounds fixBounds(const For &L);
/// Whether one of Guards looks at one of F's lets, which are set after them.
bool useLets(const std::vector<Guard> &Guards, const FixedBounds &F);

/// The variable's value in the last iteration of a loop that runs; null where
/// it is not known.
ExprRef lastIndex(const For &L, const TripCount &Count);
/// The variable's value after so many iterations, if there is one more.
ExprRef indexAfter(const For &L, const ExprRef &Before);

/// A loop as `lets; if (Runs) { First; Rest }`.
struct PeeledLoop {
  std::vector<StmtRef> Lets; ///< bounds that the loop itself would change
  ExprRef Runs, Lo;
  std::vector<StmtRef> First; ///< the body, at the first value of the variable
  std::shared_ptr<const For> Rest; ///< from the second value on
  std::vector<StmtRef> Last;       ///< after Rest; empty as peelFirst leaves it
  /// Of the whole loop, over its own variable and the lets.
  std::optional<TripCount> Count;
  /// The variable's value in the last iteration, where there is one; null
  /// where that is not known.
  ExprRef LastIndex;
};

/// Peels the first iteration. None where the loop does not run, where the body
/// may leave the iteration early, declares an array, or holds what is not
/// understood, or where the step may change. Nothing is evaluated that L would
/// not evaluate: the second value of the variable is computed by every loop
/// that runs.
std::optional<PeeledLoop> peelFirst(const For &L);

/// P as one statement again, with Rest in place of P.Rest. The loop's variable
/// is set where the loop does not run and After may read it.
StmtRef assemble(const PeeledLoop &P, const StmtRef &Rest, const For &L,
                 const Liveness::VarSet &After);

/// A copy of S, in which what S declares has variables of its own.
StmtRef withOwnVariables(StmtRef S);

/// I, a value of L's variable, one step later or, where Times is -1, earlier.
ExprRef stepped(const ExprRef &I, const For &L, int Times);

/// Whether E has one value throughout L, whatever L stores, and no load that
/// could trap before it.
bool isFixedIn(const ExprRef &E, const For &L);

/// Whether an iteration of L runs from its first statement to its last, and all
/// that it does is known. With Arrays it may declare some, of constant extents.
bool runsThrough(const For &L, bool Arrays = false);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PEEL_H
