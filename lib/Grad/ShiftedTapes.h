//===- ShiftedTapes.h - tapes that hold what others hold later --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_SHIFTEDTAPES_H
#define RAISE_LIB_GRAD_SHIFTEDTAPES_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// The body of an adjoint in which tapes that hold the same values some
/// iterations apart, filled by one loop, are one: of `y[i - 1]` and `y[i + 1]`,
/// or of `y` and of what becomes `y1 = y` for the next iteration.
StmtRef withoutShiftedTapes(StmtRef Body);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_SHIFTEDTAPES_H
