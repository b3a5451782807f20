//===- CommutingUpdates.h - elements that iterations meet in ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) h[x[i]] += w[i];
//
// Which elements iterations have in common is not known, and does not matter if
// they do nothing with the array but to update it by operators that commute.
// Threads that each have such an array of their own share nothing.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_COMMUTINGUPDATES_H
#define RAISE_LIB_TRANSFORM_COMMUTINGUPDATES_H

#include "raise/IR/Context.h"
#include "raise/IR/Stmt.h"
#include <optional>
#include <vector>

namespace raise {

/// A loop with atomic updates of what each thread may have for itself.
struct CommutingLoop {
  std::shared_ptr<const For> Loop;
  /// Rows of pointers among it (raise/IR/UpdatedRows.h). No two may overlap,
  /// nor one of them any other array.
  std::vector<BufferRef> Rows;
  /// That there is room for them, and that they pay.
  std::vector<Guard> Tests;
};

/// L with atomic updates of the arrays that it does nothing else with, which
/// are so small that each thread may have its own. None if there are none.
std::optional<CommutingLoop> withCommutingUpdates(const For &L,
                                                  const Options &Opts);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_COMMUTINGUPDATES_H
