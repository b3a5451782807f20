//===- JointLoops.h - iterations that are reversed one by one ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. Where the iterations of a loop meet in sums alone, each
// may be reversed right behind its own forward sweep: what is kept of it is
// kept for one iteration, and no function needs to be called twice. (Griewank,
// Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 12, call a
// reversal joint that runs beside the recording, as against one that is split
// from it.)
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_JOINTLOOPS_H
#define RAISE_LIB_GRAD_JOINTLOOPS_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace raise::grad {

struct JointLoops {
  llvm::DenseSet<const For *> Loops;
  bool Failed = false; ///< one of them cannot be reversed so
  /// Arrays that are declared beside a loop, by the loop's variable, but that
  /// each iteration fills before it reads them, and their adjoints, which each
  /// iteration finds zero and leaves zero.
  std::vector<std::pair<const Var *, BufferRef>> Own;
};

/// S, a form of an adjoint, with the arrays that are an iteration's own
/// declared there: for proofs.
StmtRef withOwnArrays(const StmtRef &S, const JointLoops &Loops);

/// S with what the loops over Vars declare of arrays on the heap before the
/// loop, where their sizes are known there: these loops run in order, and need
/// no new array for each iteration.
StmtRef withArraysBefore(const StmtRef &S, const std::set<const Var *> &Vars);

/// Loops that no loop is around, with those that are all that the one before
/// does but for declarations: each in the one before it. Iterations are known
/// to be counted, nothing else.
std::vector<std::vector<const For *>> jointNests(const Function &F);

/// Whether TwoSweeps has anything to save in Nest.
bool mayJointPay(const Function &TwoSweeps, llvm::ArrayRef<const For *> Nest);

/// Whether Made, in which the iterations of Nest are reversed one by one, keeps
/// less than TwoSweeps, in an order of magnitude, or calls fewer slow
/// functions.
bool isJointWorthIt(const Function &TwoSweeps, const Function &Made,
                    llvm::ArrayRef<const For *> Nest);

/// Whether the iterations of Nest hold no loop: a device has one kernel for
/// both sweeps of such, in place of two that wait for memory.
bool isPointwise(llvm::ArrayRef<const For *> Nest);

/// Whether a loop of F declares an array on the heap.
bool hasArraysInLoops(const Function &F);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_JOINTLOOPS_H
