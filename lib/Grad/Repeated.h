//===- Repeated.h - calls that an expression makes twice --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_REPEATED_H
#define RAISE_LIB_GRAD_REPEATED_H

#include "raise/IR/Stmt.h"

namespace raise::grad {

/// A call that occurs at least twice in E, at least once where E always
/// evaluates it; an inner one before those around it. Null if there is none.
/// Calls that use Value (which may be null) do not count, nor do those that may
/// trap.
ExprRef repeatedCall(const ExprRef &E, const ExprRef &Value);

/// E with everything that equals Old replaced.
ExprRef replaced(const ExprRef &E, const ExprRef &Old, const ExprRef &New);
StmtRef replaced(const StmtRef &S, const ExprRef &Old, const ExprRef &New);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_REPEATED_H
