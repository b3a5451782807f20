//===- Structured.h - a function without jumps ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_STRUCTURED_H
#define RAISE_LIB_GRAD_STRUCTURED_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace raise::grad {

/// The same computation in a form whose reverse is plain: no break, continue or
/// early return, compound assignments that are no sums written out, and no two
/// variables of one name whose scopes meet.
struct Structured {
  FunctionRef F; ///< a value is returned by the last statement alone
  /// Of the while loops that were made here: the variable that counts their
  /// iterations from 0, which they advance themselves.
  llvm::DenseMap<const While *, VarRef> Counters;
  /// The variables that hold which iteration of a loop was the last to set
  /// another; see LastChoice.h.
  llvm::DenseSet<const Var *> Last;
};

/// Names: what is in use; names of new variables are added.
Structured structured(const FunctionRef &F, std::set<std::string> &Names);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_STRUCTURED_H
