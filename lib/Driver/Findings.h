//===- Findings.h - what became of each loop of a function -------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. Reads a function after the pipeline: which of its
// loops are Regions, which were left, and which recorded reason belongs to
// which loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_FINDINGS_H
#define RAISE_LIB_DRIVER_FINDINGS_H

#include "raise/Report/Result.h"
#include "llvm/ADT/ArrayRef.h"

namespace raise {

struct Finding {
  Result R;
  SourceLoc Loc;                  ///< of the kernel, or of the whole loop
  const Region *Raised = nullptr; ///< owned by the function; null if left
  bool IsTaken = false;           ///< what it became is what `rewrite` writes
};

/// Where the loops begin and end that R stands for beside its first one: where
/// neighbours became one.
std::vector<SourceLoc> furtherLoops(const Region &R);

/// Findings, with one for each loop that was fused with the one before it.
std::vector<Finding> withFurtherLoops(llvm::ArrayRef<Finding> Findings);

/// Whether nothing but comments stands between the loops that R replaces.
bool isOneText(const Region &R, llvm::StringRef Source);

/// The findings of F, in source order. Lifted is F before the pipeline, Missed
/// what the pipeline recorded, Stopped what the lift recorded. Loops that came
/// from inlined functions are not F's and have no finding.
std::vector<Finding> findingsOf(const Function &F,
                                llvm::ArrayRef<Reason> Missed,
                                llvm::ArrayRef<Reason> Stopped);

} // namespace raise

#endif // RAISE_LIB_DRIVER_FINDINGS_H
