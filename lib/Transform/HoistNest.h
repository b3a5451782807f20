//===- HoistNest.h - what hoisting needs, tested before it ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_HOISTNEST_H
#define RAISE_LIB_TRANSFORM_HOISTNEST_H

#include "NestGuards.h"
#include "raise/Transform/Hoist.h"

namespace raise {

/// The nest of a region in which H.Result takes the place of the loop S, with
/// the tests that this needs; nothing where they cannot be made before it.
std::optional<Nest> nestOfHoisted(const StmtRef &S,
                                  const std::vector<const For *> &Around,
                                  const Hoisting &H, const Function &F,
                                  const Context &Ctx);

/// `if (the loop runs) Body` below tests: one test more. What it implies of N's
/// tests goes. Body, or what remains of it.
StmtRef joinTests(const StmtRef &Body, Nest &N);

/// Whether an author's directive stays on a loop of S.
bool keepsDirective(const For &L);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_HOISTNEST_H
