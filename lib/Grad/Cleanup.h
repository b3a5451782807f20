//===- Cleanup.h - what generated code does not need ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_CLEANUP_H
#define RAISE_LIB_GRAD_CLEANUP_H

#include "raise/IR/Visitor.h"
#include <functional>

namespace raise::grad {

/// S without the declarations and assignments of variables that MayDrop accepts
/// and nothing reads (an update of a variable does not count as reading it),
/// and without branches and counted loops that are empty then.
StmtRef dropUnread(StmtRef S, std::function<bool(const Var &)> MayDrop);

/// Whether S reads V or sets it.
inline bool names(const StmtRef &S, const Var *V) {
  return uses(S, V) || assigns(S, V);
}

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_CLEANUP_H
