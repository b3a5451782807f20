//===- Reductions.h - scalars and elements that iterations share -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_REDUCTIONS_H
#define RAISE_LIB_ANALYSIS_REDUCTIONS_H

#include "raise/Analysis/Loops.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise::analysis {

/// One statement that combines a new value into a target.
struct Update {
  Combiner Op = Combiner::None;
  /// Right but for NaN or for the sign of zero: not to be reordered.
  bool Inexact = false;
  unsigned Reads =
      0; ///< how often the target stands in the statement as a read
};

/// Matches `x += e`, `x = x + e`, `x = e + x`, `x = x + e + f` (updateChain),
/// `if (e < x) x = e` and its kin, `x = e < x ? e : x`, where e does not
/// mention x. IsTarget recognises x as an expression, IsWrite a statement that
/// writes x. Add stands for Sub too: both combine by +.
struct UpdateMatcher {
  llvm::function_ref<bool(const ExprRef &)> IsTarget;
  llvm::function_ref<bool(const StmtRef &)> IsWrite;
  std::optional<Update> match(const StmtRef &S) const;

private:
  bool mentions(const ExprRef &E) const;
  std::optional<Update> compare(const ExprRef &Cond, const ExprRef &New,
                                bool TakesNewWhenTrue) const;
};

struct ScalarFacts {
  std::vector<ReductionInfo> Reductions;
  std::vector<VarRef> Private, LastValue;
  Reason Why; ///< set: an order is needed
};

/// What becomes of the scalars that L's body assigns and that are declared
/// outside it.
ScalarFacts analyseScalars(const For &L,
                           const std::vector<const Var *> *LiveOut);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_REDUCTIONS_H
