//===- LastChoice.h - which iteration a loop's choice was -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `if (x[i] > m) m = x[i];` in a loop: of all iterations that set m, the last
// one alone is what m's derivative comes from. So it is enough to keep which
// one that was,
//
//   at = -1;
//   for (i) if (x[i] > m) { m = x[i]; at = i; }
//
// instead of a truth value for each iteration, and `i == at` serves as the
// condition of the reverse: what it leaves out would pass on an adjoint of
// zero.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_LASTCHOICE_H
#define RAISE_LIB_GRAD_LASTCHOICE_H

#include "Structured.h"
#include "raise/Grad/Activity.h"

namespace raise::grad {

/// F with that done where one place of a loop that counts up from 0 or more
/// sets an active variable, under a condition on it, and nothing else in the
/// loop names it. Names: what is in use; names of new variables
/// are added. Last gets them: see Structured::Last.
FunctionRef lastChoices(const FunctionRef &F, const Activity &Active,
                        std::set<std::string> &Names,
                        llvm::DenseSet<const Var *> &Last);

/// Of an If that lastChoices made, the variable `at`; else null.
VarRef lastChoiceOf(const If &I, const llvm::DenseSet<const Var *> &Last);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_LASTCHOICE_H
