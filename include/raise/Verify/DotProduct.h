//===- DotProduct.h - adjoints against tangents -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An adjoint is run in the interpreter beside the tangent of the same function:
// for any tangents dx of what goes in and adjoints Y of what comes out,
//   <Y, tangent(dx)> = <adjoint(Y), dx>,
// where both sums run over all that the named parameters lead to, and the
// result. Primal values must be left as the primal leaves them.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_DOTPRODUCT_H
#define RAISE_VERIFY_DOTPRODUCT_H

#include "raise/Grad/Tangent.h"
#include "raise/Interp/Interp.h"

namespace raise {

struct DotProductCheck {
  unsigned Compared = 0; ///< inputs
  unsigned NonZero = 0;  ///< of these, where the products are not zero
  /// Inputs on which a run stopped or was not finite, or near which the tangent
  /// changes with the inputs' rounding.
  unsigned Unusable = 0;
  std::string Difference; ///< the first, for people; empty: none
};

/// Adds to Out. Both derivatives are of Primal, for the same request; all
/// floating values should be double (see grad::widened). Inputs on which a
/// named parameter shares memory with one that is not named are Unusable.
void checkDotProduct(const Function &Primal,
                     const grad::Differentiated &Tangent,
                     const grad::Differentiated &Adjoint,
                     const interp::Inputs &In, uint64_t Seed,
                     DotProductCheck &Out);

} // namespace raise

#endif // RAISE_VERIFY_DOTPRODUCT_H
