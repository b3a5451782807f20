//===- Slopes.h - tangents against differences ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tangent is run in the interpreter beside its primal: its primal results
// must be those of the primal bit by bit, its tangents agree with central
// differences. Where the two one-sided slopes disagree themselves, the function
// has a kink or takes another branch, and nothing is compared.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_SLOPES_H
#define RAISE_VERIFY_SLOPES_H

#include "raise/Grad/Tangent.h"
#include "raise/Interp/Interp.h"

namespace raise {

struct SlopeCheck {
  unsigned Compared = 0; ///< values whose slopes were compared
  unsigned NonZero = 0;  ///< of these, slopes other than zero
  unsigned Kinks = 0;    ///< values at which one-sided slopes disagree
  unsigned Unusable = 0; ///< inputs on which a run stopped or was not finite
  /// The largest distance from a central difference, relative to
  /// 1 + |slope| + |value|.
  double Largest = 0;
  std::string Difference; ///< the first, for people; empty: none
};

/// Compares D.F with differences of Primal at In, along a direction that Seed
/// chooses; adds to Out. All floating values should be double (see
/// grad::widened): differences of narrower ones say little. Inputs on which a
/// named parameter shares memory with one that is not named are Unusable.
void checkSlopes(const Function &Primal, const grad::Differentiated &D,
                 const interp::Inputs &In, uint64_t Seed, SlopeCheck &Out);

} // namespace raise

#endif // RAISE_VERIFY_SLOPES_H
