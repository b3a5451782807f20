//===- PlainNest.h - loops around statements, and nothing else --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PLAINNEST_H
#define RAISE_LIB_TRANSFORM_PLAINNEST_H

#include "raise/IR/Function.h"
#include <optional>
#include <vector>

namespace raise {

/// For each loop of a nest, outermost first.
using Shift = std::vector<int64_t>;

/// A statement of the innermost loop, over the loops' variables alone.
struct Item {
  StmtRef S;
  const Buffer *Sums = nullptr; ///< all that it does is to add to this one
  Shift By;                     ///< from an iteration to the element's number
};

/// A nest that does nothing between its loops, with the values of its lets put
/// in their places.
struct PlainNest {
  std::vector<const For *> Loops;
  std::vector<Item> Items;
};

/// S as such a nest, if it is one: each loop counts up by one over a variable
/// in which neighbours can be told by adding one, and what the lets compute may
/// be computed once for each place where it is used.
std::optional<PlainNest> readPlainNest(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PLAINNEST_H
