//===- LaunchNest.h - the loops of a kernel as it is lifted -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LAUNCHNEST_H
#define RAISE_LIB_TRANSFORM_LAUNCHNEST_H

#include "LaunchIndices.h"
#include "raise/IR/Function.h"
#include <optional>

namespace raise {

/// The loops over a launch around Body, and the arrays between them. Index:
/// blockIdx.x, .y, .z, threadIdx.x, .y, .z; room for those of warps and lanes.
struct LaunchNest {
  VarRef Index[LaunchIndices::NumDims];
  std::vector<BufferRef> Shared;
  StmtRef Body;
};

/// None where S has not the form that the frontend produces.
std::optional<LaunchNest> launchNest(StmtRef S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LAUNCHNEST_H
