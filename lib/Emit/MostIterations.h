//===- MostIterations.h - how long a loop can be at most --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_MOSTITERATIONS_H
#define RAISE_LIB_EMIT_MOSTITERATIONS_H

#include "raise/IR/Stmt.h"

namespace raise {

/// The most iterations that It, one of T's, may have: by its bounds, and since
/// each goes to another element of an array whose size the program says.
/// Infinity where nothing says so. An estimate: an index is taken not to wrap.
double mostIterations(const Iterator &It, const TensorOp &T);

} // namespace raise

#endif // RAISE_LIB_EMIT_MOSTITERATIONS_H
