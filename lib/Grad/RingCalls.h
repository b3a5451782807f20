//===- RingCalls.h - calls that lead back, one to a statement ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_RINGCALLS_H
#define RAISE_LIB_GRAD_RINGCALLS_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// F with each floating call of a function that calls itself in a statement of
/// its own, under the conditions under which F makes it. The derivative of an
/// expression may name a part of it several times: twice the calls at each
/// level would be 2^d at a depth of d. F itself where it has none.
FunctionRef withCallsApart(const FunctionRef &F);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_RINGCALLS_H
