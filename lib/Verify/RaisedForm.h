//===- RaisedForm.h - what a raised function asks of its inputs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Verify. What inputs have to have beyond what the original
// looks at, so that the raised form is tried as a program would use it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_RAISEDFORM_H
#define RAISE_LIB_VERIFY_RAISEDFORM_H

#include "raise/IR/Function.h"

namespace raise {

/// Whether Raised, which may be null, tests anything at run time.
bool hasTests(const Function *Raised);

/// Whether Raised, which may be null, asks about elements of an array before it
/// is known that the original would: a search that goes by strips.
bool looksAhead(const Function *Raised);

/// The elements of a global array; 0 where that is not known, or too many.
size_t elementsOf(const Buffer &B);

} // namespace raise

#endif // RAISE_LIB_VERIFY_RAISEDFORM_H
