//===- Barriers.h - barriers that not all threads reach ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_BARRIERS_H
#define RAISE_TRANSFORM_BARRIERS_H

#include "raise/IR/Context.h"

namespace raise {

/// A barrier of a kernel under a condition, or in a loop, that may differ among
/// the threads of a block; unset where there is none. A value differs when it
/// is computed from threadIdx; memory is taken to differ where it is indexed by
/// such a value.
///
/// CR1404: the condition is made of nothing but indices of threads and numbers,
/// so that it differs wherever the block has threads on both sides. CUDA leaves
/// that undefined: there is nothing that a translation could be equal to.
/// CR1402: whoever launches the kernel may know better, as where `n` of
/// `i < n` is a multiple of the block's size.
///
/// LetsEnd: a condition that is the last thing that threads do may leave some
/// of them out, which end while the others wait for each other alone.
Reason findDivergentBarrier(const Function &Kernel, bool LetsEnd = false);

} // namespace raise

#endif // RAISE_TRANSFORM_BARRIERS_H
