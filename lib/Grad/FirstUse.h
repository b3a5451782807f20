//===- FirstUse.h - what an iteration reads before it writes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_FIRSTUSE_H
#define RAISE_LIB_GRAD_FIRSTUSE_H

#include "Nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise::grad {

/// Whether an iteration of Loop may read V before it has set it.
bool mayReadFirst(const Node &Loop, const Var *V);

/// Whether an iteration may read an element of B (member Field of it) that it
/// has not written before: it has where the same element was stored to earlier
/// in the same iterations of the loops around both, or where an earlier nest of
/// loops over the same ranges stores to all such elements. MayMeet says of
/// buffers whether they may share memory.
bool mayReadFirst(
    const Node &Loop, const Buffer &B, llvm::StringRef Field,
    llvm::function_ref<bool(const Buffer &, const Buffer &)> MayMeet);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_FIRSTUSE_H
