//===- PhaseLoops.h - pieces as loops over threads --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PHASELOOPS_H
#define RAISE_LIB_TRANSFORM_PHASELOOPS_H

#include "BarrierPhases.h"
#include "LaunchIndices.h"
#include <map>

namespace raise {

/// The loops over a block's threads, and over the warps of a block, innermost
/// first; over a warp's.
inline constexpr unsigned OfThreads[] = {LaunchIndices::Lane,
                                         LaunchIndices::Warp, 4, 5};
inline constexpr unsigned OfWarps[] = {LaunchIndices::Warp, 4, 5};
inline constexpr unsigned OfLanes[] = {LaunchIndices::Lane};

/// Internal to lib/Transform: part of split-barriers. Writes the pieces of a
/// block, or of a warp, as loops over what runs them.
class PhaseLoops {
public:
  /// Loc: of the kernel.
  PhaseLoops(const LaunchIndices &Launch, SourceLoc Loc)
      : Launch(Launch), Loc(std::move(Loc)) {}

  /// A loop over dimension D of the launch, with V for its variable.
  std::shared_ptr<const For> loopOver(unsigned D, const VarRef &V,
                                      StmtRef Body) const;
  /// Appends the pieces of List to Out: what each thread does in loops over
  /// Dims.
  void write(const PhaseList &List, llvm::ArrayRef<unsigned> Dims,
             StmtList &Out) const;

  /// What a warp does, of the pieces in which its lanes wait for each other.
  std::map<const PhaseNode *, StmtRef> InWarps;

private:
  const LaunchIndices &Launch;
  const SourceLoc Loc;

  StmtRef overThreads(StmtRef S, llvm::ArrayRef<unsigned> Dims) const;
  StmtRef around(const PhaseNode &N, llvm::ArrayRef<unsigned> Dims) const;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PHASELOOPS_H
