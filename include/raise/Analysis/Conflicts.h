//===- Conflicts.h - what orders the iterations of a loop -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_CONFLICTS_H
#define RAISE_ANALYSIS_CONFLICTS_H

#include "raise/Analysis/Loops.h"
#include <optional>

namespace raise {

/// Two iterations of a loop that meet in an element, or of which it is not
/// known that they do not; for people.
struct Conflict {
  SourceLoc Loop;           ///< of the loop
  std::string Write, Other; ///< as the source says them: "u[i]", "u[i - 1]"
  bool OtherWrites = false; ///< else it reads
  /// How many iterations later the other one is (or, below 0, earlier), if that
  /// is fixed.
  std::optional<int64_t> Distance;
};

/// What analyseLoop's reason is about, where that is two accesses.
std::optional<Conflict> findConflict(const LoopQuery &Q, const Function &F,
                                     const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_CONFLICTS_H
