//===- AlwaysDefined.h - what may be computed ahead -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_ALWAYSDEFINED_H
#define RAISE_LIB_TRANSFORM_ALWAYSDEFINED_H

#include "raise/IR/Stmt.h"

namespace raise {

/// Whether E may be computed where the source does not: for any values that its
/// variables and the elements that it loads may have, nothing in it overflows,
/// nothing is shifted too far, and no floating number is made an integer that
/// cannot hold it. Over, which may be null, has a variable that stays in its
/// range. Whether elements are there, and subscripts, are the caller's matter.
bool isAlwaysDefined(const ExprRef &E, const Iterator *Over = nullptr);

/// The same, and E, an integer, is zero for all of them.
bool isAlwaysZero(const ExprRef &E);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_ALWAYSDEFINED_H
