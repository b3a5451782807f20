//===- Math.h - the value functions that calls may name ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_MATH_H
#define RAISE_IR_MATH_H

#include "raise/IR/Expr.h"

namespace raise {

/// The callee for a function that takes and returns scalars and depends on
/// nothing else, by its name in the source. C99's <math.h>: `exp` is f64,
/// `expf` is f32; also the integer functions `abs`, `labs` and `llabs`, and
/// compilers' `__builtin_popcount`, `_ffs`, `_clz` and `_ctz`; a name without
/// such a pair has a table of its own. SetsErrno is true where C or
/// POSIX lets the function report an error through errno. Null for any other
/// name (among them those with pointer arguments: frexp, modf, nan, remquo).
/// One name always gives the same object.
CalleeRef knownMathCallee(llvm::StringRef Name);

} // namespace raise

#endif // RAISE_IR_MATH_H
