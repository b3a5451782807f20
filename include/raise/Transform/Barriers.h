//===- Barriers.h - barriers that not all threads reach ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_BARRIERS_H
#define RAISE_TRANSFORM_BARRIERS_H

#include "raise/IR/Context.h"

namespace raise {

/// A barrier of a kernel under a condition, or in a loop, that differs among
/// the threads of a block: CUDA leaves it undefined, so the kernel is refused
/// (CR1404, at the barrier). Unset where there is none. A value differs when it
/// is computed from threadIdx; memory is taken to differ where it is indexed by
/// such a value.
Reason findDivergentBarrier(const Function &Kernel);

} // namespace raise

#endif // RAISE_TRANSFORM_BARRIERS_H
