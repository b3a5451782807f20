//===- Notation.h - equations in index notation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_NOTATION_H
#define RAISE_LIB_EMIT_NOTATION_H

#include "Formula.h"
#include "raise/Emit/Equations.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace raise {

/// Prints expressions in which names stand for sums.
class NotationPrinter {
public:
  Formula of(const ExprRef &E) const { return P.of(E); }
  std::string access(const Access &A) const { return P.access(A); }
  /// What shows the digits of a flat index apart.
  void addRange(const Range &R);
  /// V is Value, a quotient or a remainder.
  void addDigit(const VarRef &V, const ExprRef &Value);
  void addSum(const Sum &S);
  /// Prints V as Text, until restoreNames() takes all of that back. That tells
  /// whether there was any.
  void rename(const Var *V, std::string Text);
  bool restoreNames();
  /// "Σ_{k: a[k] > 0} b[k]"
  Formula combined(const Combined &C) const;

private:
  FormulaPrinter P;
  std::deque<Iterator> Iterators;
  llvm::DenseSet<const Var *> Renamed;
};

/// "Σ", "Π", "min", ...: "" for what combines in one order only.
llvm::StringRef bigOperator(Combiner Op);

} // namespace raise

#endif // RAISE_LIB_EMIT_NOTATION_H
