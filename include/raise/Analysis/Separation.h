//===- Separation.h - which buffers of a loop must not overlap --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value that the source computes in every iteration is the same in all of
// them only if no iteration writes what it is made of. Whether the iterations
// depend on one another is another question, which analyseLoop answers.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_SEPARATION_H
#define RAISE_ANALYSIS_SEPARATION_H

#include "raise/Analysis/Loops.h"

namespace raise {

/// Under Guards (as in LoopFacts, and by what is Assumed) no two buffers of
/// which the loop writes one share an element that the loop touches. Two
/// accesses of one buffer are not its matter.
struct Separation {
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
  /// Set where some range is not known before the loop: CR1105, CR1112.
  Reason Why;
};

/// Decides about Q.Loop, with all loops inside it.
Separation separateBuffers(const LoopQuery &Q, const Function &F,
                           const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_SEPARATION_H
