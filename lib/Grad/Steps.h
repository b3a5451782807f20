//===- Steps.h - what a loop over time steps carries ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. A loop that is reversed by segments runs again from
// snapshots of its state: what its iterations read that earlier ones, or what
// ran before the loop, have left, and that the loop itself changes.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_STEPS_H
#define RAISE_LIB_GRAD_STEPS_H

#include "Nest.h"
#include "raise/Analysis/Overwrites.h"
#include "raise/Grad/Signature.h"
#include <functional>

namespace raise::grad {

/// A part of a buffer, by what is known before the loop.
struct SavedPart {
  BufferRef B;
  std::string Field;
  Type Elem;
  Overwrites::Box Box;
};

struct StepState {
  std::vector<VarRef> Scalars; ///< in each snapshot
  /// Declared outside of the loop, and set by each iteration before it reads
  /// them.
  std::vector<VarRef> SetFirst;
  std::vector<SavedPart> Arrays; ///< in each snapshot
  /// What the loop only reads and something after it may overwrite.
  std::vector<SavedPart> Once;
  /// What the caller sees, and the segments change again.
  std::vector<SavedPart> AtEnd;
  /// Written in the loop and read nowhere in it: not to be written again.
  llvm::DenseSet<const Buffer *> Outputs;
  Reason Why; ///< set: the loop cannot be reversed by segments
};

/// The loops of N that Asked names; Why is set where there are none, or one of
/// them cannot be meant. F is N's function as lifted.
std::vector<const Node *> askedLoops(const Nest &N, const Function &F,
                                     const Checkpoints &Asked, Reason &Why);

/// MayMeet says of two buffers whether they may share memory.
StepState
stateOf(const Nest &N, const Node &Loop, Overwrites &Ranges,
        llvm::function_ref<bool(const Buffer &, const Buffer &)> MayMeet);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_STEPS_H
