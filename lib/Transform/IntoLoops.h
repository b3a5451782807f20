//===- IntoLoops.h - a free iterator goes inside of loops -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_INTOLOOPS_H
#define RAISE_LIB_TRANSFORM_INTOLOOPS_H

#include "raise/IR/Function.h"

namespace raise {

/// Whether S holds, or is, a loop.
bool hasLoop(const StmtRef &S);

/// Whether V sets the range of S, a loop.
bool setsRange(const StmtRef &S, const Var *V);

/// An iterator of step 1 by bands: Bands goes over their first points, in a
/// type that holds any of the iterator's and a step more; in each of them
/// Points goes from there to the end, which End declares. A band is called
/// Name. Of a 64-bit iterator the range begins at a number that is not
/// negative.
struct BandsOf {
  Iterator Bands, Points;
  std::shared_ptr<const Decl> End;
};
BandsOf makeBands(const Iterator &It, int64_t Width, const std::string &Name);

/// T with It, a Parallel iterator of step 1 and T's last, inside of the loops
/// of its body, where Front are T's others: whole (Width 0, or where It is
/// known to have no more points than a band), or by bands of Width points. What
/// the body computes alike for all points is computed once before them: where
/// It has no point, only bands leave that undone. Of a 64-bit iterator the
/// range begins at a number that is not negative. Null where something stands
/// in the way. Region's tests say which buffers are apart.
StmtRef goInside(const TensorOp &T, std::vector<Iterator> Front,
                 const Iterator &It, const Region &Around, int64_t Width);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_INTOLOOPS_H
