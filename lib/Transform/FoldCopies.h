//===- FoldCopies.h - what stood for a call, in its place -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_FOLDCOPIES_H
#define RAISE_LIB_TRANSFORM_FOLDCOPIES_H

#include "raise/IR/Function.h"

namespace raise {

/// S without the scalars that stand for parameters and results of functions
/// whose bodies took the place of calls, where the reader is better off with
/// what they were given: a sum of variables that do not change, or an
/// expression whose value is used once, before anything else happens.
/// Nothing is computed more often than before but such sums.
StmtRef foldCopies(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_FOLDCOPIES_H
