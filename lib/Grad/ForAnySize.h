//===- ForAnySize.h - tests that calls in good order pass -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A test that ends the program where it fails must pass for every call that is
// in order: for sizes of any number from 0 up. Conditions on which ranges of
// elements rest are tried with numbers: what a few small ones and a large one
// do not pass is no such test. (What they pass may still fail for others, and
// then ends the program, which is never silent.)
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_FORANYSIZE_H
#define RAISE_LIB_GRAD_FORANYSIZE_H

#include "raise/IR/Function.h"
#include "llvm/ADT/SetVector.h"

namespace raise::grad {

llvm::SetVector<const Var *> variablesOf(const ExprRef &E);

/// Whether Cond holds for sizes that are not negative, however small and
/// whichever of them is the greatest: a program must not end where `n - 3` is
/// negative and a loop does not run, or an index wraps as it is meant to. (A
/// divisor of 0 is undefined in any case.)
bool holdsForSizes(const ExprRef &Cond, const Function &F);

/// Whether R has no elements where all sizes are 0, if it hangs on any.
bool isEmptyAtFirst(const ElementRange &R);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_FORANYSIZE_H
