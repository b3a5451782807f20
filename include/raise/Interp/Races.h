//===- Races.h - independence of iterations by trying ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_INTERP_RACES_H
#define RAISE_INTERP_RACES_H

#include "raise/Interp/Interp.h"

namespace raise::interp {

/// What was seen for two iterations of one run of a loop, mildest first.
enum class Sharing {
  None,            ///< nothing that one of them writes is touched by the other
  SameValueStores, ///< they only store plainly, and the same value
  SameCombiner, ///< they only update, with one combiner, reading nothing else
  Conflict,     ///< anything else
  Stopped,      ///< the run did not finish: nothing is known
};

/// Runs F on In (which is not modified) with a trace and compares what the
/// iterations of Loop touch within one iteration of the loops around it: memory
/// and scalars that are declared outside Loop. Loop must be a statement of F.
/// Why, if not null, gets the first pair of accesses of the returned kind.
Sharing sharingByBruteForce(const Function &F, const For *Loop,
                            const Inputs &In, std::string *Why = nullptr,
                            const Settings &S = {});

/// True if the run finished and shared nothing.
bool independentByBruteForce(const Function &F, const For *Loop,
                             const Inputs &In, std::string *Why = nullptr);

} // namespace raise::interp

#endif // RAISE_INTERP_RACES_H
