//===- Hoist.h - what every iteration computes alike ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop whose iterations each compute a norm of the same vector takes
// quadratic time for linear work. Compilers hoist single operations; a whole
// inner loop, or the call of a function that has one, they leave, for it may
// read what the outer loop writes. Here the question is asked once, before the
// loop: Separation.h has the test.
//
// The classical condition (Aho, Lam, Sethi, Ullman, "Compilers", 2nd ed., 9.5,
// in its down-safe form of Knoop, Rüthing, Steffen, "Lazy Code Motion", PLDI
// 1992): only what the first iteration would compute in any case is moved, so
// nothing is computed that the loop itself would not have computed.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_HOIST_H
#define RAISE_TRANSFORM_HOIST_H

#include "raise/IR/Context.h"
#include "raise/Transform/Liveness.h"

namespace raise {

/// What must be known of the function around the loop.
struct HoistRules {
  AliasMode Alias = AliasMode::Check;
  /// Nothing in the function can have kept a pointer where a function that is
  /// called finds it: there is no statement that was not understood.
  bool KeepsPointers = false;
};
HoistRules hoistRules(const Function &F, const Options &Opts);

struct Hoisting {
  /// In place of the loop: `lets; if (it runs) { what was hoisted; the loop }`.
  /// Null if nothing is hoisted.
  StmtRef Result;
  std::vector<std::string> Names; ///< of what was hoisted, for the reader
  /// Something left the loop itself, not only a loop inside of it.
  bool FromWhole = false;
  /// The result is right only where no two buffers overlap of which the loop
  /// writes one: the tests of separateBuffers for the loop as it was.
  bool NeedsSeparation = false;
  std::vector<std::string> Assumed; ///< by --alias=assume
  /// Why the call of a function without a body stays in the loop (CR1207).
  Reason Why;
};

/// Takes the costly scalar computations (inner loops, calls of functions that
/// loop or have no known body, and what is made of their values) out of L and
/// out of the loops inside of it that do not change in it. What stands under a
/// condition goes with that condition, if it does not change either. Live
/// answers for the statements of a function in which L stands. A loop under a
/// directive keeps it, and loses nothing but what is hoisted.
///
/// Left alone: loops that may be left early, that hold a `while` or what is not
/// understood; computations of arrays; those under a condition that changes;
/// calls that read memory which the loop may write, or may throw when the loop
/// has had an effect.
Hoisting hoistInvariants(const For &L, const Liveness &Live,
                         const HoistRules &Rules);

} // namespace raise

#endif // RAISE_TRANSFORM_HOIST_H
