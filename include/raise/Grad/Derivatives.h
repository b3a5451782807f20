//===- Derivatives.h - derivatives of expressions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each expression node passes on of a derivative. The same rules serve
// both directions: a rule gives `∂E/∂operand · Seed`, which is linear in the
// seed. Forward, the seed is the tangent of the operand and the result a part
// of the tangent of E; in reverse, the seed is the adjoint of E and the result
// goes to the adjoint of the operand.
//
// Results are written as a person would write them: factors of one and terms of
// zero do not appear, differences are differences, x * x gives 2 * x * x_tan.
// A choice is made by a select, never by a product with zero. What holds at
// kinks is in docs/gradients.md.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_DERIVATIVES_H
#define RAISE_GRAD_DERIVATIVES_H

#include "raise/IR/Expr.h"
#include <functional>
#include <optional>

namespace raise::grad {

/// One term of a sum, with its sign.
struct Term {
  ExprRef E;
  bool Minus = false;
};
using Sum = std::vector<Term>;

/// The terms as one expression; null if there are none. A positive term comes
/// first where there is one.
ExprRef asExpr(const Sum &Terms);
/// The type of the derivative of a value of type T: its own, but float for what
/// memory holds in 16 bits, where sums would be lost.
Type derivativeType(const Type &T);
/// 0 of type T.
ExprRef zero(const Type &T);

/// Whether the callee is a function of <math.h> whose rule is known. (Those
/// without are tgamma, lgamma and nextafter.)
bool hasRule(const Callee &Fn);

/// Whether the derivative of E with respect to operand K may be other than
/// zero. Operands are counted from the left; a Select's condition, what a
/// conversion to an integer or a comparison sees, the argument of floor, and
/// whatever has no floating type pass on nothing. A call without a rule passes
/// on everything.
bool passesOn(const Expr &E, unsigned K);
/// Operand K of E; null where there are no more.
ExprRef operandOf(const Expr &E, unsigned K);

/// Calls Fn for each variable use and load below E, E included, on which E's
/// value depends other than piecewise constantly.
void forEachSource(const ExprRef &E,
                   llvm::function_ref<void(const ExprRef &)> Fn);

enum class Direction { Forward, Reverse };

/// ∂E/∂(operand K) · Seed, for every kind of expression but Select (whose arms
/// the caller chooses between) and calls without a rule. Nothing for zero. Seed
/// has E's type in reverse and the operand's forward, the result the other of
/// the two. Value is an expression with the value of E, where there is one that
/// costs nothing; else null. Seed may occur several times in the result, so it
/// should be cheap where `usesSeedTwice`.
std::optional<Term> propagate(const ExprRef &E, unsigned K, const ExprRef &Seed,
                              Direction D, const ExprRef &Value = nullptr);
bool usesSeedTwice(const Expr &E);

/// Where forward differentiation finds what it does not know itself.
struct ForwardHooks {
  /// The tangent of a VarUse or Load; null if it has none.
  std::function<ExprRef(const ExprRef &)> OfLeaf;
  /// For a function of the program: one that takes its parameters and then, for
  /// each floating one, its tangent, and returns the tangent of the result;
  /// null if that is always zero.
  std::function<CalleeRef(const Call &)> OfCallee;
  /// E as a cheap expression (a variable that holds it), or E itself where
  /// nothing can be evaluated ahead.
  std::function<ExprRef(const ExprRef &)> Spill;
};

/// The tangent of E. Value as for propagate. Calls for which neither a rule nor
/// OfCallee exists must have been refused before.
Sum tangentOf(const ExprRef &E, const ForwardHooks &Hooks,
              const ExprRef &Value = nullptr);

} // namespace raise::grad

#endif // RAISE_GRAD_DERIVATIVES_H
