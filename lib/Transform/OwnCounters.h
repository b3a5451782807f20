//===- OwnCounters.h - a variable of its own for each loop ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: a part of split-barriers.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_OWNCOUNTERS_H
#define RAISE_LIB_TRANSFORM_OWNCOUNTERS_H

#include "raise/Transform/Passes.h"

namespace raise {

/// S, where what is declared without a value is declared where it is set, if
/// that is the first that is heard of it.
StmtRef withSunkDeclarations(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_OWNCOUNTERS_H
