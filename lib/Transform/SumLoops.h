//===- SumLoops.h - loops whose iterations meet in sums ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Floating sums are the same in any order, but for how they round. So
// `x[i] += e` counts as an atomic update here: analyseLoop then says whether
// anything else keeps the order of a loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_SUMLOOPS_H
#define RAISE_LIB_TRANSFORM_SUMLOOPS_H

#include "NestGuards.h"
#include "raise/Transform/Liveness.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace raise {

std::shared_ptr<const For> withLoopBody(const For &L, StmtRef Body);
/// A declaration whose value may as well be computed in another loop.
bool isCheap(const StmtRef &S);

/// Goes through a function's loops, outermost first. What is to be tested joins
/// the tests of the Region around; where there is none, nothing is tested.
class SumLoops {
public:
  SumLoops(const Function &F, Context &Ctx) : F(F), Ctx(Ctx), Live(F) {}
  virtual ~SumLoops() = default;
  StmtRef run(const StmtRef &S);

protected:
  /// What takes the place of S, which is L.
  virtual StmtRef loop(const StmtRef &S, const For &L) = 0;
  /// L's body, gone through; Now stands for L as the loop around it.
  StmtRef bodyOf(const For &L, const For &Now);

  /// About L, a loop that stands in those of N; As has its place in F.
  LoopQuery query(const For &L, const For &As);
  /// Whether L's iterations may run in any order, but for how sums round. With
  /// FPMode::Strict these keep their order. As has L's place in F.
  bool isFreeButForSums(const For &L, const For &As);
  bool isFreeButForSums(const For &L) { return isFreeButForSums(L, L); }
  /// Whether the loops of Nest, each in the one before it, may be in any order:
  /// each is free but for sums, and no bound hangs on another's variable.
  bool mayReorder(llvm::ArrayRef<const For *> Nest);
  /// Loop K of Nest as two, of which each holds what LabelOf gives one label of
  /// two; see distributeBy. None where they cannot part.
  std::optional<std::vector<StmtRef>>
  apart(llvm::ArrayRef<const For *> Nest, size_t K,
        llvm::function_ref<unsigned(const StmtRef &)> LabelOf);
  /// L as a loop for each label that LabelOf gives; see distributeBy. Sums may
  /// come in another order, so mayReorder has to hold. None where they cannot
  /// part.
  std::optional<std::vector<StmtRef>>
  inParts(const For &L, llvm::function_ref<unsigned(const StmtRef &)> LabelOf);
  /// Whether Guards hold, or are tested from now on.
  bool adopt(const std::vector<Guard> &Guards, const For &L);
  bool leave(Reason Why) {
    Ctx.Missed.push_back(std::move(Why));
    return false;
  }

  const Function &F;
  Context &Ctx;
  const Liveness Live;
  Nest N; ///< the region's body, and the loops around the current place

private:
  StmtRef inside(const StmtRef &S, const Region &R);
  std::vector<ExprRef> known() const;
  bool MayTest = false; ///< within a region, that is
  std::vector<const Var *> LiveOut;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_SUMLOOPS_H
