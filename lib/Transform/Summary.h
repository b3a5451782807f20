//===- Summary.h - the scalars that a statement reads and sets --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_SUMMARY_H
#define RAISE_LIB_TRANSFORM_SUMMARY_H

#include "raise/IR/Stmt.h"
#include <set>
#include <vector>

namespace raise {

/// What one statement needs and gives, as far as scalars can tell. Variables
/// that it declares for itself alone take no part; that of a Decl does.
struct Summary {
  using VarSet = std::set<const Var *>;
  VarSet Reads;   ///< may be read in it
  VarSet Exposed; ///< of these, may be read before it has set them
  VarSet Writes;  ///< may be set or are declared by it
  VarSet Surely;  ///< of these, have a value of its own whenever it has run
  std::vector<BufferRef> Loads;
  std::vector<const Opaque *> Calls; ///< those with Pure set
  /// It ends, and does nothing but set scalars: no store, no jump out of it, no
  /// volatile load, no statement that is not understood.
  bool Free = true;
  /// It holds a loop (but not one of few iterations), the call of a function
  /// that does, or one of a function without a body: worth an extra scalar.
  bool Costly = false;
};

Summary summarise(const StmtRef &S);
Summary summarise(const ExprRef &E);

/// A function of the source whose body loops.
bool isCostlyCall(const Expr &E);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_SUMMARY_H
