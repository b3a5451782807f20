//===- DistinctNames.h - one name, one thing --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_DISTINCTNAMES_H
#define RAISE_LIB_GRAD_DISTINCTNAMES_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// F, as lifted, with new names for variables and arrays that are declared
/// where their names mean something else.
FunctionRef withDistinctNames(const FunctionRef &F);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_DISTINCTNAMES_H
