//===- DataPasses.h - how often a text goes over its data -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_DATAPASSES_H
#define RAISE_LIB_EMIT_DATAPASSES_H

#include "raise/IR/Context.h"

namespace raise {

/// The innermost loops of S that store to memory: each brings what it writes
/// through the caches once more. Neighbours that do the same over adjoining
/// ranges are one pass in pieces.
unsigned writingPasses(const StmtRef &S);

/// Whether each iteration of those loops computes so much that the time for its
/// data does not count: threads pay from a thousand iterations on.
bool computesMoreThanItMoves(const StmtRef &S, const MachineFacts &Machine);

} // namespace raise

#endif // RAISE_LIB_EMIT_DATAPASSES_H
