//===- LoopForm.h - loops as ascending half-open ranges ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LOOPFORM_H
#define RAISE_LIB_TRANSFORM_LOOPFORM_H

#include "raise/Analysis/Loops.h"
#include <optional>

namespace raise {

/// The values of a loop's variable as Lo, Lo + Step, ... while < Hi. All three
/// have one type, that of the range, which may be wider than the variable's.
struct LoopForm {
  ExprRef Lo, Hi, Step;
  /// The variable's value after the loop.
  ExprRef Last;
};

/// L as an ascending range, without computing anything that could overflow
/// where L itself would not. With KeepOrder, a descending loop is refused. None
/// and Why otherwise.
std::optional<LoopForm> ascendingForm(const For &L, bool KeepOrder,
                                      Reason &Why);

/// L, which counts down and has this ascending form, with its iterations in
/// their order: a variable of its own counts up, and the body computes L's from
/// it.
std::shared_ptr<const For> countedUp(const For &L, const LoopForm &Form);

/// Whether the iterations of L, of which Facts tell, are independent under the
/// guards alone, and nothing that they set is read after it but the loop's own
/// variable, whose last value its range gives.
bool isFree(const LoopFacts &Facts, const For &L);

/// Why L, of which Facts tell, is left. Where two of its iterations are known
/// to meet in memory, although the author's directive claims that they do not,
/// that is said.
Reason againstClaim(const For &L, const LoopFacts &Facts);

/// S with V, its declarations and its assignments renamed to To.
StmtRef renameVar(const StmtRef &S, const VarRef &V, const VarRef &To);

/// Body for each value of It. A perfect nest is one operation with several
/// iterators.
StmtRef makeOperation(Iterator It, const StmtRef &Body, SourceLoc Loc);

/// Body with scalars that each iteration writes before it reads them as its
/// own.
StmtRef declareInside(StmtRef Body, const std::vector<VarRef> &Private);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LOOPFORM_H
