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
  /// S with all of its while loops as counted ones, over the lets.
  StmtRef Loop;
  /// Loop with nothing in it but its stores and what leads to them, and, before
  /// each iteration of the outermost loop, the loads: whose buffers must be
  /// apart from those that are stored to.
  StmtRef Touches;
  /// The buffers of the loads.
  std::vector<BufferRef> From;
};

/// Of a while loop, or of a block that ends in one after its variable's
/// declaration. Nothing where a bound is no member of an object that S may read
/// before it runs, or where S itself changes it whatever overlaps.
std::optional<FixedLoads> fixLoads(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_FIXEDLOADS_H
