//===- Recursion.h - functions that call themselves -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The callee of a recursive call is made before its Definition, which is set
// when the body is there: Callee, Function and Call form a ring.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_RECURSION_H
#define RAISE_IR_RECURSION_H

#include "raise/IR/Function.h"

namespace raise {

/// Whether what F calls leads back to F.
bool callsItself(const Function &F);

/// Whether a function of <math.h> that F calls, or one that its callees call,
/// may set errno.
bool mayReachErrno(const Function &F);

/// To be called for each callee whose Definition closes a ring. Its parts own
/// each other, and whoever holds one of them may need all: so they live as long
/// as the process.
void keepRing(CalleeRef C);

} // namespace raise

#endif // RAISE_IR_RECURSION_H
