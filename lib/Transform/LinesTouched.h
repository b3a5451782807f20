//===- LinesTouched.h - how near to one another a loop's accesses lie -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LINESTOUCHED_H
#define RAISE_LIB_TRANSFORM_LINESTOUCHED_H

#include "raise/IR/Function.h"

namespace raise {

/// Cache lines of 64 bytes that Body comes to newly as V goes one step on,
/// summed over its accesses; a write counts twice. A fraction of one where
/// neighbours share a line.
double linesPerStep(const StmtRef &Body, const Var *V);

/// The same, where Around, which holds Body, declares what Body indexes by.
double linesPerStep(const StmtRef &Body, const Var *V, const StmtRef &Around);

/// Whether an access of Body moves with V, and all that do go to a neighbour on
/// the same line.
bool goesAlongLines(const StmtRef &Body, const Var *V);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LINESTOUCHED_H
