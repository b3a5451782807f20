//===- WideSubscripts.h - subscripts of a wider counter ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_WIDESUBSCRIPTS_H
#define RAISE_LIB_TRANSFORM_WIDESUBSCRIPTS_H

#include "raise/IR/Stmt.h"

namespace raise {

/// S, in which the values of an int or an unsigned int, Narrow, are those of V,
/// of 64 bits: `x[(int)V + 1]` becomes `x[V + 1]`. An int's sums do not
/// overflow, so they are V's; of an unsigned int only `x[(unsigned)V]` does.
StmtRef widenSubscripts(const StmtRef &S, const Var &V, const Type &Narrow);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_WIDESUBSCRIPTS_H
