//===- OwnArrays.h - what each thread updates for itself --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   #pragma omp parallel for reduction(+ : h) reduction(+ : sums[0 : n])
//
// Iterations meet in elements that they only update, by operators that commute:
// a clause gives each thread an array, or a pointer's row, of its own.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_OWNARRAYS_H
#define RAISE_LIB_EMIT_OWNARRAYS_H

#include "Schedule.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace raise {

/// The arrays, and rows of pointers, that the iterations of T do nothing with
/// but to update elements, by operators that commute, if each thread may have
/// one of its own: by what is Tested.
std::vector<Accumulator> updatedArrays(const TensorOp &T,
                                       llvm::ArrayRef<Guard> Tested);

/// T's body with plain updates of the arrays of Own, which each thread has for
/// itself, where the innermost iterator leads each update to another element.
StmtRef withPlainUpdates(const TensorOp &T,
                         const llvm::SmallPtrSetImpl<const Buffer *> &Own);

/// Whether T updates what no accumulator hands to each thread.
bool updatesTogether(const TensorOp &T, llvm::ArrayRef<Accumulator> Own);

} // namespace raise

#endif // RAISE_LIB_EMIT_OWNARRAYS_H
