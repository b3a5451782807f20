//===- IdleStores.h - stores to adjoints that do nothing --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_IDLESTORES_H
#define RAISE_GRAD_IDLESTORES_H

#include "raise/IR/Function.h"

namespace raise::grad {

/// Body where an update of an element of a local adjoint that is zero is a
/// plain store, and without stores to such arrays, and initial values, that
/// nothing reads. The body of a Region is looked at as well, its original is
/// not.
StmtRef withoutIdleStores(const StmtRef &Body);

} // namespace raise::grad

#endif // RAISE_GRAD_IDLESTORES_H
