//===- MemorySums.h - sums of a nest, by the elements that get them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_MEMORYSUMS_H
#define RAISE_LIB_TRANSFORM_MEMORYSUMS_H

#include "raise/IR/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <set>

namespace raise {

using LoopSet = std::set<const For *>;

/// `x[...] += e`, the loops of the nest around it, outermost first, and those
/// of them that tell which element is meant.
struct MemorySum {
  const Store *St;
  std::vector<const For *> Loops;
  LoopSet Own;

  /// Whether the nest comes back to each of several rows: a loop that the
  /// element does not hang on stands around one that chooses the row.
  bool comesBack() const;
};

/// Finds the sums of a nest, and of other stores those of floats.
class SumFinder {
public:
  std::vector<MemorySum> Found, Replaced;
  void walk(const StmtRef &S);

private:
  LoopSet loopsOf(const ExprRef &E) const;

  std::map<const Var *, LoopSet> From; ///< what a variable hangs on
  std::vector<const For *> Around;
};

/// Of Depth loops, from S on, those at the places in Rows first. What the outer
/// ones declare is declared in the innermost, where MayMove says that it may
/// be. Null where something else stands between them.
StmtRef rowsFirst(const StmtRef &S, size_t Depth, const std::set<size_t> &Rows,
                  llvm::function_ref<bool(const StmtRef &)> MayMove);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_MEMORYSUMS_H
