//===- FixedLoads.h - bounds that lie in memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `for (int i = 0; i < A.rows; ++i) y[i] = ...` has no range that is known
// before it, because y may lead to A.rows. Where it does not, which a test
// before the loop can tell, A.rows is what it was: the loop is a `for` up to
// `const int rows = A.rows`. The test uses the range that the stores have then:
// if none of them meets A, the first does not, and so on by induction.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_FIXEDLOADS_H
#define RAISE_LIB_TRANSFORM_FIXEDLOADS_H

#include "raise/Analysis/Loops.h"
#include "raise/IR/Visitor.h"
#include <optional>

namespace raise {

struct FixedLoads {
  std::vector<StmtRef> Lets; ///< `const int rows = A.rows`
  Substitution Values;       ///< of the lets' variables: the loads again
  /// Where these do not hold, what is loaded may not be there, and the source
  /// does not look. Over the lets; each may be asked if those before it hold.
  std::vector<ExprRef> Runs;
  /// S with all of its while loops as counted ones, over the lets.
  StmtRef Loop;
  /// Loop with nothing in it but its stores and what leads to them, and, before
  /// each iteration of the outermost loop, the loads: whose buffers must be
  /// apart from those that are stored to.
  StmtRef Touches;
  /// The buffers of the loads.
  std::vector<BufferRef> From;
};

/// Of a block of a while loop's start and the loop, or of a `for` around such
/// ones. Nothing where a bound is not in an object that can be read before S
/// runs, or where S itself changes it whatever overlaps.
std::optional<FixedLoads> fixLoads(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_FIXEDLOADS_H
