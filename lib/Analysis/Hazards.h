//===- Hazards.h - statements that fix the order of a loop ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_HAZARDS_H
#define RAISE_LIB_ANALYSIS_HAZARDS_H

#include "raise/IR/Context.h"

namespace raise::analysis {

/// The first thing in L's body that no order but the written one can be given
/// to: what was not understood, a barrier between threads, a way out of the
/// loop, volatile memory, a call that may not return. Unset: there is none.
/// MayLeave: ways out of the loop are none.
Reason findHazard(const For &L, bool MayLeave = false);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_HAZARDS_H
