//===- LoopRuns.h - whether a loop of a region has a point ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the first point of a loop loads may be loaded before the loop, if there
// is a first point.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LOOPRUNS_H
#define RAISE_LIB_TRANSFORM_LOOPRUNS_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"

namespace raise {

/// Of the loops of one region. Whoever asks walks the body from the outside to
/// the inside, and says what it meets.
class LoopRuns {
public:
  /// MayTest: where it is not known, a test of the region may say so.
  LoopRuns(const Region &R, bool MayTest) : R(R), MayTest(MayTest) {}

  void enter(const TensorOp &T);
  void enterBand(const Decl &D);
  /// Whether It has a point wherever the region's body runs; a test may say so.
  bool runs(const Iterator &It);
  /// The tests for which runs() asked, in place of those that they imply.
  void joinTests(std::vector<Guard> &Guards) const;

private:
  std::optional<int64_t> leastOf(const ExprRef &E) const;
  bool isKnownToRun(const Iterator &It) const;

  const Region &R;
  const bool MayTest;
  std::vector<Guard> Tests;
  /// Where a band ends, by the counter of its first point.
  llvm::DenseMap<const Var *, const Var *> BandOf;
  llvm::DenseMap<const Var *, ExprRef> EndOf;   ///< of iterators around
  llvm::DenseMap<const Var *, int64_t> LeastOf; ///< of those that count from it
};

/// Whether each point of a loop over Body evaluates all of it to the end.
bool isStraight(const StmtRef &Body);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LOOPRUNS_H
