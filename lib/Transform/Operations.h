//===- Operations.h - tensor operations of a loop and its body --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_OPERATIONS_H
#define RAISE_LIB_TRANSFORM_OPERATIONS_H

#include "raise/IR/Function.h"

namespace raise {

/// Body for each value of It. A perfect nest is one operation with several
/// iterators.
StmtRef makeOp(Iterator It, const StmtRef &Body, SourceLoc Loc);

/// Appends the texts of From that Into lacks.
void addOnce(std::vector<std::string> &Into,
             const std::vector<std::string> &From);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_OPERATIONS_H
