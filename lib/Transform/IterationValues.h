//===- IterationValues.h - scalars as functions of the iteration -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_ITERATIONVALUES_H
#define RAISE_LIB_TRANSFORM_ITERATIONVALUES_H

#include "raise/IR/Function.h"
#include <map>

namespace raise {

/// What the scalars of a loop's body hold, each as an expression over the
/// values at the start of the iteration and memory that no store of the loop
/// can reach (by the declarations of the buffers alone). Such an expression has
/// the same value wherever it is evaluated.
class IterationValues {
public:
  explicit IterationValues(const For &L);

  /// V when the iteration ends; null if not known, or not set.
  ExprRef atEnd(const VarRef &V) const;
  /// What A, an assignment `x = e` of the body outside of inner loops, sets;
  /// null if not known.
  ExprRef setBy(const Assign *A) const;
  /// Whether E, one of the above, is over the loop's variable and what the loop
  /// does not assign: a function of the iteration alone.
  bool isIndependent(const ExprRef &E) const;

private:
  using Map = std::map<const Var *, ExprRef>; ///< null: not known
  const For &L;
  std::vector<BufferRef> Written;
  Map Values;
  std::map<const Assign *, ExprRef> Sites;

  void run(const StmtRef &S);
  bool isKept(const Buffer &B) const;
  ExprRef eval(const ExprRef &E) const;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_ITERATIONVALUES_H
