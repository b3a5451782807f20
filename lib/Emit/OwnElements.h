//===- OwnElements.h - stores that iterations do not share ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_OWNELEMENTS_H
#define RAISE_LIB_EMIT_OWNELEMENTS_H

#include "raise/IR/Stmt.h"

namespace raise {

/// Whether V says which element A is: it is not one that all iterations share.
bool moves(const Access &A, const Var *V, const StmtRef &Body);

/// Whether St, below T, is a strip's own element: It, of T, goes by strips, and
/// St replaces what a loop over the strip's points moves with.
bool isOfStrip(const Store &St, const TensorOp &T, const Iterator &It);

} // namespace raise

#endif // RAISE_LIB_EMIT_OWNELEMENTS_H
