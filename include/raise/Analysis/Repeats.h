//===- Repeats.h - what every iteration does alike --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which stores of a loop's body are the same in every iteration, values and
// all? Those made of nothing that changes from one iteration to the next: of
// scalars that do not, and of memory that nothing else in the loop writes, and
// these stores themselves only before it is read in the same iteration. By
// induction each iteration finds what the one before found, and stores what
// that one stored.
//
// Done once, before all else, they leave the same memory behind. What else the
// body reads of it must be what it read in the first iteration as well, so each
// read there comes after the stores to its element.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_REPEATS_H
#define RAISE_ANALYSIS_REPEATS_H

#include "raise/Analysis/Loops.h"
#include <set>

namespace raise {

/// What of a body belongs together: simple statements, and the Ifs and Fors
/// around them (for their tests and ranges).
using BodySlice = std::set<const Stmt *>;

struct RepeatFacts {
  /// The stores that repeat, with what they need; empty: none does. Run once,
  /// they may stand for all iterations, if there is one.
  BodySlice Once;
  /// What is left for the iterations, with what it needs. Scalars that live
  /// within an iteration may be set in both.
  BodySlice Rest;
  /// As in LoopFacts. They also separate every two buffers of which the loop
  /// writes one.
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
};

/// Never modifies; deterministic; bounded by Ctx.Opts.MaxIslOperations for each
/// loop of the nest. Q.LiveOut must be set.
RepeatFacts analyseRepeats(const LoopQuery &Q, const Function &F,
                           const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_REPEATS_H
