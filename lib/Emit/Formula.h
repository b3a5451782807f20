//===- Formula.h - expressions in mathematical notation ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_FORMULA_H
#define RAISE_LIB_EMIT_FORMULA_H

#include "ExprPrinter.h"
#include "raise/IR/Visitor.h"

namespace raise {

/// How tightly a formula binds, weakest first.
enum Binding { Choice, Or, And, Compare, Additive, Product, Atom };

struct Formula {
  std::string Text;
  Binding Strength = Atom;
};

/// F, in parentheses if it binds less than Least.
std::string within(const Formula &F, Binding Least);

/// Columns of UTF-8 text.
size_t columns(llvm::StringRef Text);

class FormulaPrinter {
public:
  /// What variables that stand for something else are printed as.
  llvm::DenseMap<const Var *, Formula> Values;
  /// Iterators around, for telling the digits of a flat index apart.
  std::vector<const Iterator *> Domain;

  Formula of(const ExprRef &E) const;
  std::string memberElement(const Access &A) const;
  std::string access(const Access &A) const;

private:
  Formula binary(const Binary &B) const;
  std::string index(const ExprRef &E) const;
};

/// The indices of an array whose flat index is E in row-major order, as far as
/// the iterators' ranges show: (b * T + t) * C + i with 0 <= t < T and
/// 0 <= i < C is b, t, i. One element where nothing can be shown.
std::vector<ExprRef> digitsOf(const ExprRef &E,
                              llvm::ArrayRef<const Iterator *> Domain);

/// E in notation, for a comment.
std::string formulaText(const ExprRef &E);

} // namespace raise

#endif // RAISE_LIB_EMIT_FORMULA_H
