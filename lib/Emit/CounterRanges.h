//===- CounterRanges.h - what constants say of loop counters ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For estimates of work only: conversions that change a value are not looked
// at.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_COUNTERRANGES_H
#define RAISE_LIB_EMIT_COUNTERRANGES_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace raise {

/// The loops of F's body that R stands in, outermost first. R may be a copy of
/// the region that stands there.
std::vector<StmtRef> loopsAround(const Region &R, const Function &F);

/// The smallest and the largest value, both included.
struct ValueRange {
  double Least, Most;
};

class CounterRanges {
public:
  /// V starts at Lo and stays below Hi.
  void add(const Var &V, const ExprRef &Lo, const ExprRef &Hi);
  /// The counter of L, if L is a For with a step of one sign.
  void addLoop(const Stmt &L);
  /// Nothing, or infinities, where some variable of E may have any value.
  std::optional<ValueRange> of(const ExprRef &E) const;

private:
  std::optional<ValueRange> ofSelect(const Select &S) const;
  llvm::DenseMap<const Var *, ValueRange> Known;
};

} // namespace raise

#endif // RAISE_LIB_EMIT_COUNTERRANGES_H
