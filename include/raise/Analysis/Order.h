//===- Order.h - what a loop computes whose order is kept -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where iterations depend on one another, a loop may still be a whole-array
// operation: each value that flows from one iteration to a later one is a scan,
// or nothing flows and later iterations only overwrite what earlier ones have
// read or written. The flow of values is a graph of the body's statements;
// what goes round in it is a strongly connected component, and each of these
// must be one that composes: an affine function of what is carried (prefix
// sums, linear recurrences, counters, copies of the last value), or one
// associative operator (running minimum, maximum, product, logic). After
// Blelloch, "Prefix Sums and Their Applications" (1990), and Redon, Feautrier,
// "Detection of Scans in the Polytope Model" (PARLE 1993).
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_ORDER_H
#define RAISE_ANALYSIS_ORDER_H

#include "raise/Analysis/Loops.h"

namespace raise {

struct OrderFacts {
  /// The loop is such an operation, under Guards (as in LoopFacts), as long as
  /// its iterations run in their order.
  bool Recognised = false;
  /// What flows from an iteration to a later one, by name; empty: nothing.
  std::vector<std::string> Carried;
  /// Some iteration may be the last: by a break, a return, or a call that does
  /// not come back. LeavesByState: which one hangs on what iterations before it
  /// computed.
  bool Leaves = false, LeavesByState = false;
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
  /// If not Recognised. Codes are those of LoopFacts.
  Reason Why;
};

/// Decides about Q.Loop, whose body holds no other loop (else: not recognised).
/// Where iterations may end the loop, that is no part of the flow of values: a
/// value that goes round is looked at as if none did, and the first iteration
/// that leaves then says how far all of them count.
OrderFacts analyseOrder(const LoopQuery &Q, const Function &F,
                        const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_ORDER_H
