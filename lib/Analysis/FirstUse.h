//===- FirstUse.h - read or set first? --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_FIRSTUSE_H
#define RAISE_LIB_ANALYSIS_FIRSTUSE_H

#include "raise/IR/Stmt.h"

namespace raise::analysis {

/// What a statement does with a variable first. Nothing: on some path at least,
/// and it never reads what the variable held before.
enum class First { Nothing, Reads, Sets };

First firstUse(const StmtRef &S, const Var *V);
First firstUse(const ExprRef &E, const Var *V);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_FIRSTUSE_H
