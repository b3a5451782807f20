//===- PathConditions.h - when a part of a statement is evaluated -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_PATHCONDITIONS_H
#define RAISE_LIB_GRAD_PATHCONDITIONS_H

#include "raise/IR/Stmt.h"

namespace raise::grad {

/// The condition under which the expressions of S itself (not those of
/// statements inside it) evaluate Part: an arm of a choice is not evaluated
/// where the other one is. Null if whenever S runs, and where S does not have
/// Part.
ExprRef pathCondition(const Stmt &S, const ExprRef &Part);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_PATHCONDITIONS_H
