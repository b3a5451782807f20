//===- BlockArrays.h - shared arrays as those of a block --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_BLOCKARRAYS_H
#define RAISE_LIB_TRANSFORM_BLOCKARRAYS_H

#include "BarrierPhases.h"

namespace raise {

/// Internal to lib/Transform: part of split-barriers. The arrays that threads
/// share, as local arrays which the loop over blocks declares.
class BlockArrays {
public:
  /// Body, what one thread does, with these arrays for Shared, the kernel's.
  /// None of its arrays is named like the launch (`grid`, `block`) any more.
  StmtRef take(llvm::ArrayRef<BufferRef> Shared, StmtRef Body);

  /// Those that all threads share, in the kernel's order.
  llvm::ArrayRef<BufferRef> ofBlock() const { return OfBlock; }
  /// Those of which each warp has one.
  llvm::ArrayRef<BufferRef> ofWarps() const { return OfWarps; }

  /// Declarations of the block's. One that the block itself looks at, in All,
  /// starts as zeros: a compiler cannot know that there are threads, and warns.
  StmtList declare(const PhaseList &All) const;

private:
  std::vector<BufferRef> OfBlock, OfWarps;
};

/// S with array To in the place of From: where it is read, stored to and
/// declared, and as what cursors into it start from.
StmtRef withArray(const StmtRef &S, const BufferRef &From, const BufferRef &To);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_BLOCKARRAYS_H
