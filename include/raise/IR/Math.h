//===- Math.h - the functions of <cmath> that calls may name ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_MATH_H
#define RAISE_IR_MATH_H

#include "raise/IR/Expr.h"

namespace raise {

/// The callee for a function of C99's <math.h> that takes and returns scalars,
/// by C's name: `exp` is f64, `expf` is f32; also the integer functions `abs`,
/// `labs` and `llabs`. SetsErrno is true where C or POSIX lets the function
/// report an error through errno. Null for any other name (among them those
/// with pointer arguments: frexp, modf, nan, remquo). One name always gives the
/// same object.
CalleeRef knownMathCallee(llvm::StringRef Name);

} // namespace raise

#endif // RAISE_IR_MATH_H
