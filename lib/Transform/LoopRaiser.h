//===- LoopRaiser.h - how raiseLoops goes about a function ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LOOPRAISER_H
#define RAISE_LIB_TRANSFORM_LOOPRAISER_H

#include "HoistNest.h"
#include "LoopForm.h"
#include "NestGuards.h"
#include "raise/Analysis/Loops.h"
#include "raise/Analysis/Order.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Liveness.h"

namespace raise {

/// Raises the loops of one function. RaiseLoops.cpp has the walk and the loops
/// that are operations as they stand, RaiseOtherwise.cpp those that have to be
/// rewritten first, or stay in their order.
class LoopRaiser {
public:
  LoopRaiser(FunctionRef F, Context &Ctx)
      : F(std::move(F)), Ctx(Ctx), OfFunction(*this->F),
        Rules(hoistRules(*this->F, Ctx.Opts)) {}
  FunctionRef run();

private:
  FunctionRef F;
  Context &Ctx;
  Liveness OfFunction;
  HoistRules Rules;
  /// A directive that would be kept claims what does not hold.
  bool Refuted = false;
  /// Why two threads of a block conflict between two barriers, if they do.
  Reason Race;
  /// Of what is being raised: the function's, or that of a rewritten loop.
  const Liveness *Live = &OfFunction;

  //===-- What the user says (raise/IR/Fact.h) ---------------------------===//
  /// What holds at the current place.
  std::vector<const Decl *> Facts;
  /// Those of Facts that hold all through S.
  std::vector<const Decl *> factsIn(const StmtRef &S) const;
  /// A nest for S, which knows them.
  Nest nestOf(const StmtRef &S) const;
  /// What S became, whose regions name Given, which they may rest on.
  static StmtRef resting(const StmtRef &S, llvm::ArrayRef<const Decl *> Given);

  //===-- Functions ------------------------------------------------------===//
  /// Tries every loop of S, outermost first; Around are the loops that were
  /// left.
  StmtRef raiseIn(const StmtRef &S, std::vector<const For *> Around);
  StmtRef raiseStatement(const StmtRef &S, std::vector<const For *> Around);
  StmtRef raiseBlock(const StmtRef &S, const std::vector<const For *> &Around);
  /// The loop S, without those inside of it, in one way or another; nothing,
  /// and why in Ctx, where it is left.
  std::optional<StmtRef> raiseFor(const StmtRef &S,
                                  const std::vector<const For *> &Around);
  /// The loop S, which starts from what its variable holds, by the loop Own
  /// that has another.
  std::optional<StmtRef>
  raiseFromItself(const StmtRef &S, const StmtRef &Own,
                  const std::vector<const For *> &Around);

  /// What is told of W, which is left.
  Reason whyLeft(const While &W, const std::vector<const For *> &Around);
  /// Why L, of which Told is known, would be left without it as well; unset if
  /// it would not be, or if nothing can be said.
  Reason whyLeftAnyway(const For &L, const std::vector<const For *> &Around,
                       const Reason &Told);
  /// Says of L that what V is after it is used, and not known.
  void missLast(const Var &V, const For &L);

  //===-- Kernels --------------------------------------------------------===//
  FunctionRef raiseKernel();

  //===-- One loop -------------------------------------------------------===//
  LoopQuery query(const For &L, const Nest &N);
  LoopFacts analyse(const For &L, const Nest &N, bool Threads);
  /// Of a launch that its kernel is tested for: how large a block is at most.
  std::map<const Var *, int64_t> MostThreads;
  /// What Facts of L asks for, taken over into N.
  static bool adopt(const LoopFacts &Facts, const For &L, Nest &N,
                    bool Outermost);
  /// The loop as a TensorOp (and what must follow it), or nothing and a reason
  /// in Ctx.
  std::optional<StmtRef> raiseLoop(const For &L, Nest &N, bool Outermost);

  //===-- Loops that compute the same in every iteration -----------------===//
  /// Whether S calls a function without a body.
  static bool hasCall(const StmtRef &S);
  /// Every loop of S as an operation, or as it is. Without tests of all that
  /// the nest touches, a loop that is left keeps those inside of it.
  StmtRef raiseEach(const StmtRef &S, Nest &N, bool Separated);
  /// S with what its iterations compute alike before it, and all loops of that
  /// as far as they can be raised. Where something left inner loops only, S as
  /// a whole must be an operation: else they do better on their own. Stays is
  /// set where a call could have been hoisted and was not.
  std::optional<StmtRef> raiseHoisted(const StmtRef &S,
                                      const std::vector<const For *> &Around,
                                      Reason &Stays);

  //===-- Loops that are rewritten first ---------------------------------===//
  /// Every loop of S, outermost ones; nothing if one of them is left.
  std::optional<StmtRef> raiseAll(const StmtRef &S, Nest &N);
  /// A loop that is no operation as it stands, for the reason recorded last:
  /// rewritten, or in its order.
  std::optional<StmtRef> raiseOtherwise(const StmtRef &S,
                                        const std::vector<const For *> &Around,
                                        Nest &N);
  /// A loop whose body was unrolled by hand, with one copy of what it repeats,
  /// if every loop of that is raised.
  std::optional<StmtRef> raiseRolled(const StmtRef &S,
                                     const std::vector<const For *> &Around);
  /// Likewise a loop that keeps its order, AsItStands says why.
  std::optional<StmtRef>
  raiseRolledInOrder(const StmtRef &S, const std::vector<const For *> &Around,
                     const Reason &AsItStands);
  /// L after the rewrites that take values from one iteration to the next out
  /// of it, if every loop of the result is raised.
  std::optional<StmtRef> raiseRestructured(const For &L, Nest &N);
  /// L as several loops in a row, if every one of them is raised.
  std::optional<StmtRef> raiseSequence(const For &L, Nest &N);
  /// L, whose iterations meet in elements that they only update; for threads.
  std::optional<StmtRef> raiseUpdates(const For &L, Nest &N);
  std::optional<StmtRef> raiseParts(const For &L, LoopSequence &Parts, Nest &N);
  /// A loop of a sequence that is not free, for the reason recorded last.
  std::optional<StmtRef> raiseRest(const For &L, Nest &N);

  //===-- Loops that stay in their order ---------------------------------===//
  /// A loop whose iterations build on one another, as an operation that keeps
  /// their order; nothing if it is none, or holds another loop.
  std::optional<StmtRef> raiseInOrder(const For &L, Nest &N);
  /// Likewise, where some iteration may be the last.
  std::optional<StmtRef> raiseLeaving(const For &L, const LoopForm &Form,
                                      const OrderFacts &Facts, bool NeedsLast,
                                      Nest &N);
  static std::string whyNoRange(const While &W);
  static bool mayHaveRange(const While &W);
  /// A while loop that walks over elements until one says to stop: S, or the
  /// last statement of S where S is a `for` that is none, what its header does
  /// first before it.
  std::optional<StmtRef> raiseWhile(const StmtRef &S,
                                    const std::vector<const For *> &Around);
  /// A loop with bounds in memory that its stores may reach, as one to bounds
  /// that are read before it, where a test can tell that they reach none.
  std::optional<StmtRef> raiseBounded(const StmtRef &S,
                                      const std::vector<const For *> &Around);
  /// A loop inside a raised one that is not raised itself: its order is kept.
  StmtRef keepSerial(const For &L, Nest &N);
  StmtRef build(const For &L, StmtRef Body, const LoopForm &Form, IterKind Kind,
                const std::vector<VarRef> &Private, Nest &N);
  StmtRef raiseBody(const StmtRef &S, Nest &N);
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LOOPRAISER_H
