//===- ThreadLoops.h - loops over the threads of a block --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: parts of merge-threads.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_THREADLOOPS_H
#define RAISE_LIB_TRANSFORM_THREADLOOPS_H

#include "raise/IR/Context.h"
#include "raise/IR/Stmt.h"

namespace raise {

/// S as a loop from 0 by ones, or null.
const For *asCount(const StmtRef &S);
/// Such a loop over threads, whose iterations may run in any order.
const For *asThreads(const StmtRef &S);

/// Whether E is V, perhaps converted to integers of 32 bits or more.
bool isBare(const ExprRef &E, const Var *V);
/// E without such conversions.
const Expr *bare(const ExprRef &E);

/// Whether S gives D's variable another value.
bool assignsAgain(const StmtRef &S, const Decl &D);

/// S where an array that each thread stores a value to, only to be summed (or
/// multiplied, ...) over, is gone: threads add to the sum itself, and so does
/// what one of them adds up for its value. Regroups is set if that takes sums
/// that round in another order.
StmtRef withSumsOfThreads(StmtRef S, FPMode FP, bool &Regroups);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_THREADLOOPS_H
