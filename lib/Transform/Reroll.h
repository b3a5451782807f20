//===- Reroll.h - bodies that were unrolled by hand -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_REROLL_H
#define RAISE_LIB_TRANSFORM_REROLL_H

#include "raise/IR/Context.h"
#include <optional>

namespace raise {

/// L, whose body is several copies of one group of statements, for i, i + s,
/// i + 2 * s, ..., with that group alone and the step s. Statements run in the
/// order in which they did, so nothing has to be proved of them. A scalar that
/// takes several terms in one expression, `x = x + a + b`, counts as several
/// updates; `x += a + b` only where sums may be put together in another way:
/// in unsigned integers, and in floats unless FP is strict.
///
/// The loop's variable ends as it did. Nothing where the body is no such
/// sequence, may leave or skip an iteration, or where the end of the range
/// cannot be said without an overflow.
/// Known gets what then holds wherever the loop is defined: the new end of its
/// range fits the type.
std::optional<StmtRef> reroll(const For &L, FPMode FP,
                              std::vector<ExprRef> &Known);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_REROLL_H
