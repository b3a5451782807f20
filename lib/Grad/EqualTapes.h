//===- EqualTapes.h - what is kept twice ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_EQUALTAPES_H
#define RAISE_LIB_GRAD_EQUALTAPES_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// The body of an adjoint in which of two tapes that hold the same values, kept
/// one behind the other, the first is read for both.
StmtRef withoutEqualTapes(StmtRef Body);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_EQUALTAPES_H
