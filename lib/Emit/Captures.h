//===- Captures.h - what a parallel loop takes from around it ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a parallel loop shares, clang hands over by address, also where it is
// only read. From then on it lies in memory, in every other loop of the
// function too: that of the `else`, and those around. `firstprivate` hands over
// values. (Measured: a serial product of 30 x 30 beside such a loop takes three
// times as long.)
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_CAPTURES_H
#define RAISE_LIB_EMIT_CAPTURES_H

#include "Schedule.h"
#include "raise/IR/Function.h"

namespace raise {

/// The pointers that F is given and the scalars that F or Region declares, as
/// far as T uses and does not change them. Nothing that a copy of would be more
/// than a register: no array, object or reference. The elements of Kept are in
/// scalars while T runs.
struct Captures {
  std::vector<BufferRef> Pointers;
  std::vector<VarRef> Scalars;
};
Captures capturedValues(const TensorOp &T, const Function &F,
                        const StmtRef &Region,
                        llvm::ArrayRef<Accumulator> Kept);

/// Of these the pointers alone.
std::vector<BufferRef> usedPointers(const TensorOp &T, const Function &F,
                                    llvm::ArrayRef<Accumulator> Kept);

/// Of these the scalars that T's loops would read again after each store, since
/// for all that a compiler knows that may have been to them.
std::vector<VarRef> reloadedScalars(const TensorOp &T,
                                    llvm::ArrayRef<Accumulator> Kept);

} // namespace raise

#endif // RAISE_LIB_EMIT_CAPTURES_H
