//===- Rules.h - derivatives of the functions of <math.h> -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_RULES_H
#define RAISE_LIB_GRAD_RULES_H

#include "raise/Grad/Derivatives.h"

namespace raise::grad {

/// Fn's name without the letter that says float: "exp" for exp and expf.
llvm::StringRef baseName(const Callee &Fn);

/// The function of that name for type T, which must exist, of these arguments.
ExprRef mathCall(llvm::StringRef Base, const Type &T,
                 std::vector<ExprRef> Args);

/// How often Seed occurs in mathRule's result at most, above one; and which
/// arguments pass on something.
bool mathUsesSeedTwice(const Call &C);
bool mathPassesOn(llvm::StringRef Base, unsigned K);

std::optional<Term> mathRule(const Call &C, unsigned K, const ExprRef &Seed,
                             const ExprRef &Value);

/// Whether E calls what costs far more than reading a number: all functions but
/// those that processors have.
bool isSlow(const ExprRef &E);

//===-- Arithmetic that leaves out what does nothing
//-----------------------===//

ExprRef number(double V, const Type &T);
/// V as an integer literal, converted.
ExprRef whole(int64_t V, const Type &T);
ExprRef times(const ExprRef &L, const ExprRef &R);
ExprRef over(const ExprRef &L, const ExprRef &R);
ExprRef negated(const ExprRef &E);
/// Whether E is a constant of that value.
bool isNumber(const ExprRef &E, double V);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_RULES_H
