//===- Tidy.h - reverse sweeps as a person would write them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_TIDY_H
#define RAISE_LIB_GRAD_TIDY_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// The body of an adjoint without what nothing reads: variables, what is kept
/// of values that nobody needs, assignments to a variable that is not read
/// before its next one or its end. A declaration with 0 to which the next
/// statement that names the variable adds becomes one with that. A branch that
/// gives an element back what was taken from it just before is none.
StmtRef tidied(const StmtRef &Body);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_TIDY_H
