//===- StoredValues.h - what an iteration has just stored -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_STOREDVALUES_H
#define RAISE_LIB_TRANSFORM_STOREDVALUES_H

#include "raise/IR/Function.h"

namespace raise {

/// L with `a[i] = e; ... a[i] ...` as `let v = e; a[i] = v; ... v ...`, as long
/// as nothing in between may store to that element through the same buffer;
/// null where there is no such read. Right only where no other buffer of the
/// loop overlaps that one.
std::shared_ptr<const For> useStoredValues(const For &L);

/// S with `let v = e; a[i] = v;`, where nothing else reads v, as `a[i] = e;`.
StmtRef withoutSingleUses(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_STOREDVALUES_H
