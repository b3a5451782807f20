//===- ManyDirections.h - tangents at once and one by one -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tangent in k directions is run in the interpreter beside the tangent in one
// direction, k times: each direction must be that tangent bit by bit, and so
// must the primal results.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_MANYDIRECTIONS_H
#define RAISE_VERIFY_MANYDIRECTIONS_H

#include "raise/Grad/Tangent.h"
#include "raise/Interp/Interp.h"

namespace raise {

struct ManyDirectionsCheck {
  unsigned Compared = 0;  ///< values of tangents
  unsigned NonZero = 0;   ///< of these, other than zero
  unsigned Unusable = 0;  ///< inputs on which the one tangent stops
  std::string Difference; ///< the first, for people; empty: none
};

/// Adds to Out. Both are tangents of Primal for the same request, Many in
/// several directions.
void checkManyDirections(const Function &Primal,
                         const grad::Differentiated &One,
                         const grad::Differentiated &Many,
                         const interp::Inputs &In, uint64_t Seed,
                         ManyDirectionsCheck &Out);

} // namespace raise

#endif // RAISE_VERIFY_MANYDIRECTIONS_H
