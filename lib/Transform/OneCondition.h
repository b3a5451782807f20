//===- OneCondition.h - loops with one condition in their body --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_ONECONDITION_H
#define RAISE_LIB_TRANSFORM_ONECONDITION_H

#include "raise/IR/Context.h"

namespace raise {

/// `Before; if (Asks.Cond) Then else Else; Behind;` for each point of an
/// operation that keeps its order, all of it scalars and stores.
struct OneCondition {
  const TensorOp &T;
  const If &Asks;
  ExprRef Cond; ///< Asks.Cond as 0 or 1, all of it evaluated in any case
  std::vector<StmtRef> Lets; ///< what Cond uses; they stand in Before too
  std::vector<StmtRef> Before, Behind;
  /// What Cond uses that each point counts on, in Behind.
  struct Counted {
    VarRef V;
    ExprRef By;
    bool OnlyByOne = false; ///< Cond is a lane's where By is 1
  };
  std::vector<Counted> Counts;
  /// Set where points change what is asked; but where the condition is this,
  /// they are idle: they do nothing but count.
  std::optional<bool> IdleIf;
  const Iterator &over() const { return T.Iterators.front(); }
  /// The body where the condition holds, or does not.
  StmtRef path(bool Holds) const;
};

/// T as such, if each lane of a vector can answer what is asked, from the
/// point's number and what the operation does not change.
std::optional<OneCondition> oneCondition(const TensorOp &T);

/// The same with IdleIf, if points are idle unless they set what is asked
/// about, as `if (a[i] > m) m = a[i];` does, and asking ahead does no harm.
std::optional<OneCondition> idlePoints(const TensorOp &T);

/// The scalars that points of C hand on, or that are read after it: those of
/// Live, which may be read after an iteration.
std::vector<VarRef> handedOn(const OneCondition &C,
                             const std::set<const Var *> &Live);

using BufferPairs = std::vector<std::pair<const Buffer *, const Buffer *>>;

/// Tests under which no two buffers overlap of which C, an operation of F,
/// writes one: the elements that integers which C counts up (or down) lead to
/// are counted as if each iteration took the longest step. Nothing where they
/// cannot be told before C.
struct ApartByTests {
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed;
  BufferPairs Pairs; ///< that the tests, or what is assumed, set apart
};
std::optional<ApartByTests> separate(const OneCondition &C,
                                     llvm::ArrayRef<Guard> Known,
                                     const Function &F, const Context &Ctx);

/// Whether the condition is, for all points of a strip, what it is before the
/// strip's stores.
bool mayAskAhead(const OneCondition &C, const BufferPairs &Apart,
                 const Function &F, const Context &Ctx);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_ONECONDITION_H
