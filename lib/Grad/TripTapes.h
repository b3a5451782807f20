//===- TripTapes.h - tapes that hold one value of each trip -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_TRIPTAPES_H
#define RAISE_LIB_GRAD_TRIPTAPES_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// The body of an adjoint in which counts that go up once in each trip of a
/// while loop, and down once in each of the loop that reverses it, are the
/// number of the trip:
///
///   count = 0; trips = 0;
///   while (...) { tape[count] = e; ++count; ...; ++trips; }
///   for (k = trips - 1; k >= 0; --k) { --count; x = tape[count]; ... }
///
/// reads `tape[trips] = e` and `x = tape[k]`.
StmtRef withTripNumbers(const StmtRef &Body);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_TRIPTAPES_H
