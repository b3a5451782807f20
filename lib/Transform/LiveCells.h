//===- LiveCells.h - elements that may still be read ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: parts of raise-networks. What Liveness says of
// scalars, of the arrays that a function declares.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LIVECELLS_H
#define RAISE_LIB_TRANSFORM_LIVECELLS_H

#include "raise/IR/Stmt.h"
#include <set>

namespace raise {

/// A list of statements around a place, from the inside out.
struct Level {
  const Level *Outer = nullptr;
  llvm::ArrayRef<StmtRef> Before, Self, After;
  /// The innermost loop that the list lies in, inside of Outer's Self; null if
  /// there is none.
  StmtRef Loop;
  /// The list is the body of Loop, not of a branch in it.
  bool IsBody = false;
};

/// Elements of an array, row-major, that may be looked at after a place.
struct LiveCells {
  bool All = false;
  std::set<int64_t> Some;
  bool contains(int64_t At) const { return All || Some.count(At); }
  bool empty() const { return !All && Some.empty(); }
};

/// The elements of B, an array that the function declares, that the code may
/// look at after Place's Self, before it gives them other values.
LiveCells cellsReadAfter(const Level &Place, const Buffer &B);

/// Whether the code may look at V after Place's Self.
bool isReadAfter(const Level &Place, const Var *V);

/// S without stores to arrays that it declares of elements that nothing looks
/// at afterwards, and without the iterations of loops over threads that only
/// store to arrays of their own. Whatever S's loops over threads do, in any
/// order, comes out as before.
StmtRef withoutDeadStores(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LIVECELLS_H
