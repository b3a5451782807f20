//===- UserRules.h - derivatives that the user gives ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function of scalars whose body is not looked into, since the user names
// functions that give its derivatives (Callee::Rule), in the form that `grad`
// gives them. Where a derivative is part of an expression, a static function
// calls them and returns it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_USERRULES_H
#define RAISE_GRAD_USERRULES_H

#include "raise/Grad/Signature.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise::grad {

/// Why C's rule does not serve M; empty if it does.
std::string whyNotByRule(const Callee &C, Mode M);

/// A function Name that takes C's parameters and a tangent for each floating
/// one, and returns the tangent of the result by C's rule.
CalleeRef tangentByRule(const Callee &C, std::string Name);

/// A function Name that takes C's parameters and the adjoint of the result, and
/// returns the adjoint of parameter K by C's rule.
CalleeRef adjointByRule(const Callee &C, unsigned K, std::string Name);

/// Calls Fn for each call of a function with a rule that F reaches.
void forEachRule(const Function &F,
                 llvm::function_ref<void(const Callee &)> Fn);

} // namespace raise::grad

#endif // RAISE_GRAD_USERRULES_H
