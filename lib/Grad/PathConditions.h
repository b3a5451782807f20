//===- PathConditions.h - when a part of a statement is evaluated -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_PATHCONDITIONS_H
#define RAISE_LIB_GRAD_PATHCONDITIONS_H

#include "raise/IR/Stmt.h"

namespace raise::grad {

/// A condition that holds wherever the expressions of S itself (not those of
/// statements inside it) evaluate Part: an arm of a choice is not evaluated
/// where the other one is. Null if Part is evaluated whenever S runs. An
/// expression that S does not have, but that was made of parts of S evaluated
/// together, is evaluated where all of these are.
ExprRef pathCondition(const Stmt &S, const ExprRef &Part);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_PATHCONDITIONS_H
