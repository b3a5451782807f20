//===- Warps.h - a block's threads, by warps --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_WARPS_H
#define RAISE_LIB_TRANSFORM_WARPS_H

#include "raise/IR/Visitor.h"

namespace raise {

/// Threads of a warp.
constexpr int64_t WarpSize = 32;

/// Whether threads of a warp wait for each other in S.
bool waitsInWarps(const StmtRef &S);

/// Internal to lib/Transform: part of split-barriers. Body, what one thread of
/// Kernel does, over the number Warp of a warp and the number Lane of a thread
/// in it instead of threadIdx.x, where each row of threads along x is a whole
/// number of warps. What is made of threadIdx.x by division with multiples of a
/// warp's size is said by Warp and Lane alone. The rank of a thread in the
/// block is threadIdx.x where Body looks at the other indices for nothing else:
/// whoever calls this sees to it that these dimensions have one thread.
///
/// Index: blockIdx.x to threadIdx.z, as everywhere.
StmtRef countByWarps(StmtRef Body, const Function &Kernel,
                     llvm::ArrayRef<VarRef> Index, const VarRef &Warp,
                     const VarRef &Lane);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_WARPS_H
