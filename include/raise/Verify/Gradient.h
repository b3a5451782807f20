//===- Gradient.h - a tangent, compiled, run, compared ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two comparisons, which together lead from the emitted text to the primal:
//
//  1. In the interpreter, the tangent of the primal in double is compared with
//     central differences of the primal in double (Slopes.h).
//  2. The emitted text is compiled with the project's flags and run: it must
//     leave what the interpreted tangent (in the source's own types) leaves,
//     tangents and primal values both.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_GRADIENT_H
#define RAISE_VERIFY_GRADIENT_H

#include "raise/Grad/Tangent.h"
#include "raise/Interp/Interp.h"
#include "raise/Verify/Verify.h"

namespace raise {

struct GradientJob {
  /// Original is the primal, as lifted; EmittedFile holds the tangent,
  /// OriginalFile the source. Entry names the tangent at the end of
  /// EmittedFile. The other fields are as for verifyFile.
  VerifyJob Base;
  grad::Request Asked;
  grad::Differentiated Made;
  /// Values of constants that the function reads by name: one for a scalar, all
  /// elements of an array, outermost dimension first.
  std::map<std::string, std::vector<interp::Value>> Constants;
};

/// Files are written to WorkDir, which exists. Passed needs that at least half
/// of the slopes could be compared, and one that is not zero.
VerifyResult verifyTangent(const GradientJob &Job, llvm::StringRef RuntimeDir,
                           llvm::StringRef WorkDir);

} // namespace raise

#endif // RAISE_VERIFY_GRADIENT_H
