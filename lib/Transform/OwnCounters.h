//===- OwnCounters.h - a variable of its own for each loop ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: a part of split-barriers.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_OWNCOUNTERS_H
#define RAISE_LIB_TRANSFORM_OWNCOUNTERS_H

#include "raise/IR/Function.h"

namespace raise {

/// F, where loops that count by a variable of the function (`int i; for (i = 0;
/// ...)`) whose value nothing looks at afterwards count by one of their own:
/// two loops that share a variable have nothing else in common. Others are
/// declared where they get their first value.
FunctionRef withOwnCounters(const FunctionRef &F);

/// S, where what is declared without a value is declared where it is set, if
/// that is the first that is heard of it.
StmtRef withSunkDeclarations(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_OWNCOUNTERS_H
