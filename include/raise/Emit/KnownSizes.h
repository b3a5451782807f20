//===- KnownSizes.h - how many elements arrays have at most -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_KNOWNSIZES_H
#define RAISE_EMIT_KNOWNSIZES_H

#include "raise/IR/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace raise {

/// Sizes, in elements, that no declaration in the IR says.
using ArraySizes = llvm::DenseMap<const Buffer *, uint64_t>;

/// While it lives, functions of Emit in this thread know of Sizes, by which
/// they judge whether a loop may ever be long enough to pay. Nothing is proved
/// by them.
class KnownSizes {
public:
  explicit KnownSizes(const ArraySizes &Sizes);
  ~KnownSizes();
  KnownSizes(const KnownSizes &) = delete;
  KnownSizes &operator=(const KnownSizes &) = delete;

private:
  const ArraySizes *const Before;
};

} // namespace raise

#endif // RAISE_EMIT_KNOWNSIZES_H
