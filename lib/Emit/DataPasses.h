//===- DataPasses.h - how often a text goes over its data -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_DATAPASSES_H
#define RAISE_LIB_EMIT_DATAPASSES_H

#include "raise/IR/Context.h"

namespace raise {

/// The bodies of loops that store to memory: each of these loops brings what it
/// writes through the caches once more. Only of those in the most loops, since
/// what is done once for all their iterations takes little of the time; loops
/// of few iterations do not count for that. Neighbours that do the same over
/// adjoining ranges are one pass in pieces.
struct WritingPasses {
  unsigned Depth = 0;
  std::vector<StmtRef> Bodies;

  bool areMoreThan(const WritingPasses &Others) const {
    return Depth == Others.Depth && Bodies.size() > Others.Bodies.size();
  }
  /// Whether each iteration computes so much that the time for its data does
  /// not count: threads pay from a thousand iterations on.
  bool computeMoreThanTheyMove(const MachineFacts &Machine) const;
};
WritingPasses writingPasses(const StmtRef &S);

/// A buffer that two of S's outermost loops touch in the passes that count,
/// although they were one loop: what one brings into the caches is gone when
/// the other comes. Pieces of one range touch other elements. Null: there is
/// none.
BufferRef sharedByParts(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_EMIT_DATAPASSES_H
