//===- Fronts.h - wavefronts of a nest of two loops -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where both loops of a nest carry values, the points of a skewed diagonal may
// still be free of one another: a front is all (i, j) of one Skew*i + j, and
// what a point needs lies on fronts before its own. After Lamport, "The
// Parallel Execution of DO Loops", CACM 17(2), 1974, and Wolfe, "Loop Skewing:
// The Wavefront Method Revisited", IJPP 15(4), 1986.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_FRONTS_H
#define RAISE_ANALYSIS_FRONTS_H

#include "raise/Analysis/Loops.h"

namespace raise {

struct FrontFacts {
  /// By how many columns each row stays behind the one before it: of two
  /// points of different rows that touch one element, one writing, the later
  /// one has the greater Skew*i + j, where i and j count the iterations of the
  /// two loops. The least such number.
  int64_t Skew = 0;
  std::vector<Guard> Guards;        ///< as in LoopFacts
  std::vector<std::string> Assumed; ///< by --alias=assume
  Reason Why;                       ///< set: there is none, or it is not known
};

/// Q.Loop is the outer one of the two; its body is the inner one, and no more.
/// Both step by one, neither bound hangs on memory, neither is left early, and
/// each point's scalars are its own. Never modifies; deterministic; bounded by
/// Ctx.Opts.MaxIslOperations.
FrontFacts analyseFronts(const LoopQuery &Q, const Function &F,
                         const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_FRONTS_H
