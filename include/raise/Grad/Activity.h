//===- Activity.h - what carries derivatives --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A variable or buffer is varied if a named parameter's value may reach it,
// useful if its value may reach a dependent (other than through something
// piecewise constant), and active if it is both. Only what is active has a
// derivative at all. One answer for each variable and buffer, for the whole
// function: order is not looked at. Integers are never active.
//
// Buffers that may share memory are varied and useful together.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_ACTIVITY_H
#define RAISE_GRAD_ACTIVITY_H

#include "raise/Grad/Signature.h"
#include "llvm/ADT/DenseSet.h"

namespace raise::grad {

struct Activity {
  llvm::DenseSet<const Var *> Vars;
  llvm::DenseSet<const Buffer *> Buffers;
  /// What an independent reaches, and what reaches a dependent; Buffers are
  /// both.
  llvm::DenseSet<const Buffer *> VariedBuffers, UsefulBuffers;
  bool ResultVaried = false;
  bool isActive(const Var *V) const { return Vars.count(V); }
  bool isActive(const Buffer *B) const { return Buffers.count(B); }
  /// Whether E's value depends on something active, other than piecewise
  /// constantly.
  bool isActive(const ExprRef &E) const;
};

/// What is active in F, where each slot's parameter is varied on entry, and
/// dependents and independents that are memory are useful. With
/// AliasMode::Assume only buffers that must share memory do.
Activity activityOf(const Function &F, const Signature &Sig, AliasMode Alias);

/// The same for a function that only computes on scalars: all floating
/// parameters are varied, the result is useful.
Activity activityOfCallee(const Function &F);

/// Refuses what an active function may not contain, each at its place:
///   CR1801 a statement that was not understood, or that belongs to a kernel;
///   CR1804 a parameter carries derivatives and is not named;
///   CR1805 memory that is no parameter's and no local array's carries them;
///   CR1806 an unnamed parameter may overlap a named one;
///   CR1808 a call of an active value without a derivative;
///   CR1810 an atomic product, a type that is neither float nor double.
/// (CR1811, what has no room for several directions, comes from tangentOf.)
std::vector<Reason> whyNotDifferentiable(const Function &F,
                                         const Signature &Sig, AliasMode Alias);

} // namespace raise::grad

#endif // RAISE_GRAD_ACTIVITY_H
