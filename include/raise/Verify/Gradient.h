//===- Gradient.h - derivatives, compiled, run, compared --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two comparisons, which together lead from the emitted text to the primal:
//
//  1. In the interpreter, the tangent of the primal in double is compared with
//     central differences of the primal in double (Slopes.h); an adjoint with
//     that tangent (DotProduct.h).
//  2. The emitted text is compiled with the project's flags and run: it must
//     leave what the interpreted derivative (in the source's own types) leaves,
//     derivatives and primal values both.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_GRADIENT_H
#define RAISE_VERIFY_GRADIENT_H

#include "raise/Grad/Adjoint.h"
#include "raise/Interp/Interp.h"
#include "raise/Verify/Verify.h"

namespace raise {

struct GradientJob {
  /// Original is the primal, as lifted; EmittedFile holds the
  /// derivative, OriginalFile the source. Entry names the derivative at the end
  /// of EmittedFile. The other fields are as for verifyFile.
  VerifyJob Base;
  grad::Request Asked;
  grad::Differentiated Made;
  /// The functions that EmittedFile has in place of Made.F, after Scope
  /// ("a::").
  std::optional<grad::SplitAdjoint> Split;
  std::string Scope;
  /// Values of constants that the function reads by name: one for a scalar, all
  /// elements of an array, outermost dimension first.
  std::map<std::string, std::vector<interp::Value>> Constants;
};

/// Files are written to WorkDir, which exists. Passed needs that at least half
/// of the slopes could be compared, and one that is not zero.
VerifyResult verifyDerivative(const GradientJob &Job,
                              llvm::StringRef RuntimeDir,
                              llvm::StringRef WorkDir);

} // namespace raise

#endif // RAISE_VERIFY_GRADIENT_H
