//===- ArrayFlow.h - which stores of an array are read ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The flow of values through an array that a function declares, element by
// element and iteration by iteration: which stores no access ever reads, and
// which updates find nothing but zeros. The values that reach a read are those
// of Feautrier, "Dataflow analysis of array and scalar references", Int. J. of
// Parallel Programming 20(1), 1991, computed by isl; what is not affine may
// happen or not, and touch any element.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_ARRAYFLOW_H
#define RAISE_ANALYSIS_ARRAYFLOW_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace raise {

struct ArrayFlow {
  /// Stores of values that nothing reads; the declaration, if its initial
  /// values are such.
  llvm::DenseSet<const Stmt *> Unread;
  /// Updates by + or - of elements that hold zero each time.
  llvm::DenseSet<const Stmt *> OnZero;
};

/// Of the array that D declares, of which Rest is what follows in D's list.
/// None where that cannot be followed: something in it may hold the array's
/// address, or jumps.
std::optional<ArrayFlow> flowOf(const DeclBuffer &D,
                                llvm::ArrayRef<StmtRef> Rest,
                                unsigned long MaxIslOperations);

} // namespace raise

#endif // RAISE_ANALYSIS_ARRAYFLOW_H
