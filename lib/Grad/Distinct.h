//===- Distinct.h - a variable for each declaration -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_DISTINCT_H
#define RAISE_LIB_GRAD_DISTINCT_H

#include "raise/IR/Stmt.h"

namespace raise::grad {

/// S with a variable of its own for each declaration: what the reverse sweep
/// declares under the name of a variable of the function is another variable,
/// of which later passes must not believe what they know of the function's.
/// Statements that need no change are the same ones.
StmtRef withDistinctVariables(const StmtRef &S);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_DISTINCT_H
