//===- Widen.h - a function in double ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_WIDEN_H
#define RAISE_GRAD_WIDEN_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// F with every floating type narrower than double widened to it: variables,
/// elements, members, constants (which keep their value), functions of <math.h>
/// and of the program. Differences of the result are worth comparing with.
FunctionRef widened(const Function &F);

} // namespace raise::grad

#endif // RAISE_GRAD_WIDEN_H
