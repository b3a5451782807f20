//===- Outline.h - a region as a function of its own ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a test cannot call as a whole (a function that reads globals, calls what
// is not known or takes an object) may still hold loops that can be tested
// alone: everything that a region uses from around it becomes a parameter.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_OUTLINE_H
#define RAISE_TRANSFORM_OUTLINE_H

#include "raise/IR/Function.h"
#include <string>
#include <vector>

namespace raise {

/// A scalar or cursor that the region assigns: its value goes in and out
/// through one element of State. It is written back only if it may be read
/// after the region; otherwise what it holds then has no meaning.
struct OutlinedState {
  VarRef V;
  BufferRef State;
  bool WriteBack = false;
};

/// What a loop around the region says of its counter while its body runs.
struct OutlinedRange {
  VarRef Counter;
  ExprRef First, Last; ///< inclusive, of the counter's type; null if not known
};

/// Both functions have the same parameters: the scalars that the region only
/// reads (a cursor as its offset from its base), each buffer, and a one-element
/// reference for each State. Where the region may return, both return what it
/// does, else 0; one element more, Finished, then counts the runs that came to
/// the region's end. Both run the region only where Within holds: outside of it
/// the function never comes to the region, and a proof may have used that.
struct Outlined {
  FunctionRef Original; ///< runs the region's original
  FunctionRef Raised;   ///< runs the region
  std::vector<OutlinedState> States;
  BufferRef Finished; ///< null where the region cannot return
  ExprRef Within;     ///< over scalar parameters; null for always
  std::vector<OutlinedRange> Ranges; ///< of the loops around, outermost first
};

/// Outlines R, a statement of F's body, under the given name. Names of
/// parameters are unique, and may be those of members
/// (`layer.n`) or of the object (`this`, `this->n`); where they are not, or
/// where something has none, Original is null and Why says so.
Outlined outlineRegion(const Region &R, const Function &F,
                       const std::string &Name, std::string &Why);

} // namespace raise

#endif // RAISE_TRANSFORM_OUTLINE_H
