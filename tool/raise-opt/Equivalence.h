//===- Equivalence.h - the same results on small inputs? --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TOOL_EQUIVALENCE_H
#define RAISE_TOOL_EQUIVALENCE_H

#include "raise/IR/Context.h"

namespace raise {

struct EquivalenceResult {
  unsigned Compared = 0;  ///< inputs on which Before ran to its end
  unsigned Skipped = 0;   ///< inputs on which it did not, or depends on order
  std::string Difference; ///< empty: none found
};

/// Runs both functions by the interpreter on random inputs of sizes 0 to 6:
/// pointers that may overlap sometimes do (unless Opts assumes otherwise), and
/// After may touch no element beyond those that Before touches. Parallel loops
/// run in three orders. Floating results may differ by rounding unless Opts.FP
/// is strict.
EquivalenceResult checkEquivalent(const Function &Before, const Function &After,
                                  const Options &Opts, uint64_t Seed);

} // namespace raise

#endif // RAISE_TOOL_EQUIVALENCE_H
