//===- Counts.h - whether OpenMP can count a loop's iterations --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop under an OpenMP directive has its iterations counted before it, as
// (Hi - Lo + Step - 1) / Step in the type of its variable (OpenMP 5.2, section
// 4.4.2). That sum may overflow where the loop itself would not: in
// `for (int i = 0; i < n; i += s)` for s near INT_MAX. Compilers count each
// thread's share once more for its vectors, and a share ends where a further
// iteration would begin: up to Step - 1 beyond Hi.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_COUNTS_H
#define RAISE_IR_COUNTS_H

#include "raise/IR/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace raise {

/// Under which the iterations Lo, Lo + Step, ... < Hi, of a loop that runs and
/// does not overflow, can be counted; null: always. Step is positive. FromZero:
/// Lo is known not to be negative. The condition does not overflow.
ExprRef countFits(const ExprRef &Lo, const ExprRef &Hi, const ExprRef &Step,
                  bool FromZero);

/// What is no less than 0: counters inside their loops, and what was tested.
class NotNegative {
public:
  void enter(const Iterator &It);
  void enter(const For &L);
  /// Where Cond holds.
  void enter(const ExprRef &Cond);
  /// Whether E is no less than 0 there.
  bool holds(const ExprRef &E) const;

private:
  llvm::DenseSet<const Var *> Known;
};

} // namespace raise

#endif // RAISE_IR_COUNTS_H
