//===- Exchange.h - loops that exchange whole arrays ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_EXCHANGE_H
#define RAISE_EMIT_EXCHANGE_H

#include "raise/IR/Context.h"
#include "llvm/ADT/DenseSet.h"

namespace raise {

/// The arrays of a function whose memory may change hands without a trace:
/// that it allocates itself, and that no pointer leads into where they are
/// exchanged as a whole. None where what is emitted makes pointers of its own
/// (--target=eigen).
using MovableArrays = llvm::DenseSet<const Buffer *>;
MovableArrays movableArrays(const Function &F, const Options &Opts);

/// `for (i = 0; i < n; ++i) { t = a[i]; a[i] = b[i]; b[i] = t; }`
struct Exchange {
  BufferRef A, B;
};

/// What S exchanges if it is such a loop over all of two movable arrays: then
/// the arrays may change places instead.
std::optional<Exchange> exchangeOf(const StmtRef &S,
                                   const MovableArrays &Movable);

} // namespace raise

#endif // RAISE_EMIT_EXCHANGE_H
