//===- LaunchExtents.h - what is known of a launch's extents ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform. Where a host function launches a kernel, the
// extents of the launch are expressions: `(n + 255) / 256` blocks of 256
// threads have a thread for each i < n. What is known here is proved from such
// expressions, whose signed arithmetic does not overflow, for every launch that
// CUDA accepts; for others nothing is to run, and for a number of blocks below
// zero what is proved leaves nothing to run.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LAUNCHEXTENTS_H
#define RAISE_LIB_TRANSFORM_LAUNCHEXTENTS_H

#include "raise/IR/Context.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include <optional>
#include <vector>

namespace raise {

class LaunchExtents {
public:
  /// Values: those of the extents, and of other variables that keep them.
  LaunchExtents(llvm::ArrayRef<VarRef> Extents, Substitution Values)
      : Extents(Extents.vec()), Values(std::move(Values)) {}

  /// Whether a dimension of the launch has extent Size.
  bool isExtent(const VarRef &Extent, int64_t Size) const;
  /// Whether Count threads can be numbered by an int.
  bool fitsIndex(const ExprRef &Count) const;
  /// Whether there are at least Bound threads.
  bool covers(const ExprRef &Count, const ExprRef &Bound) const;

private:
  /// Quotient, a variable that stands for it, of N divided by K > 0.
  struct Division {
    VarRef Quotient;
    Polynomial N, K;
    bool IsNarrow; ///< N has 32 bits at most
  };
  using Divisions = std::vector<Division>;
  std::optional<Polynomial> number(const ExprRef &E, Divisions &Found,
                                   unsigned Depth = 0) const;
  std::optional<Polynomial> valueOf(const VarUse &U, Divisions &Found,
                                    unsigned Depth) const;
  std::optional<Polynomial> quotient(const Binary &B, Divisions &Found,
                                     unsigned Depth) const;

  bool isExtent(const VarUse &U) const;

  const std::vector<VarRef> Extents;
  const Substitution Values;
};

/// The body of a kernel over plain ranges, where all that it needs of a launch
/// is Known; null where it is not. A bound that the launch is not known to
/// reach stays a condition.
StmtRef mergeKnownLaunch(const FunctionRef &Kernel, const LaunchExtents &Known);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LAUNCHEXTENTS_H
