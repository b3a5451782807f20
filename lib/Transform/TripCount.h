//===- TripCount.h - how often a loop has run -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_TRIPCOUNT_H
#define RAISE_LIB_TRANSFORM_TRIPCOUNT_H

#include "raise/IR/Function.h"
#include <optional>

namespace raise {

/// A loop's iterations, counted. The expressions are over the loop's own Lo, Hi
/// and Step and its variable; nothing in them overflows or traps where the
/// loop itself is defined and ends. Their types are those in which that holds:
/// of the variable, or i64.
struct TripCount {
  /// In an iteration: how many came before it.
  ExprRef Before;
  /// Whether there is an iteration at all.
  ExprRef Runs;
  /// How many there are, to be evaluated only where Runs holds. Null: not known
  /// without an overflow.
  ExprRef Trips;
  /// Trips as a constant; zero where the loop provably does not run.
  std::optional<int64_t> Constant;
};

/// None where the variable may wrap on its way, or the bound's type changes
/// what the comparison means.
std::optional<TripCount> countTrips(const For &L);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_TRIPCOUNT_H
