//===- IndexMath.h - how an integer expression varies -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_INDEXMATH_H
#define RAISE_TRANSFORM_INDEXMATH_H

#include "raise/IR/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>

namespace raise {

/// A polynomial in variables with integer coefficients, modulo 2^64 (of which
/// every narrower width's arithmetic is a quotient). Terms are kept by the
/// addresses of their variables: only equality is asked of them, never an order
/// that could reach the output.
class Polynomial {
public:
  /// E as a polynomial over its variables: through +, -, *, unary minus,
  /// constants and casts to integers of 32 bits and more. Such a cast is
  /// transparent: the caller answers for the values that make it so. None where
  /// E holds anything else.
  static std::optional<Polynomial> of(const ExprRef &E);
  static Polynomial constant(int64_t C);
  static Polynomial variable(const Var *V);

  Polynomial operator+(const Polynomial &O) const;
  Polynomial operator-(const Polynomial &O) const;
  Polynomial operator*(const Polynomial &O) const;
  bool operator==(const Polynomial &O) const { return Terms == O.Terms; }

  bool isZero() const { return Terms.empty(); }
  bool mentions(const Var *V) const;
  /// The coefficient of V, if V occurs in the first power only.
  std::optional<Polynomial> coefficient(const Var *V) const;
  /// What is left where V is zero.
  Polynomial without(const Var *V) const;
  std::optional<int64_t> asConstant() const;
  /// Whether it is a sum of products of variables of which IsNatural says that
  /// they are not negative, none taken off.
  bool isNatural(llvm::function_ref<bool(const Var *)> IsNatural) const;
  /// Integers t with *this = t[0] * Basis[0] + t[1] * Basis[1] + ..., and zero
  /// for what is zero in Basis. None where there are none, or where an element
  /// of Basis has no term that the others lack, by which it would be told. With
  /// a Rest, what is left over goes there instead.
  std::optional<std::vector<int64_t>>
  asSum(const std::vector<Polynomial> &Basis, Polynomial *Rest = nullptr) const;

private:
  std::map<std::vector<const Var *>, int64_t> Terms;
  void add(std::vector<const Var *> Vars, int64_t Factor);
};

} // namespace raise

#endif // RAISE_TRANSFORM_INDEXMATH_H
