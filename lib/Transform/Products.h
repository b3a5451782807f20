//===- Products.h - sums of products of two elements ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PRODUCTS_H
#define RAISE_LIB_TRANSFORM_PRODUCTS_H

#include "raise/IR/Stmt.h"

namespace raise {

/// Which iterator T sums `c[..] += a[..] * b[..]` over, with factors that load
/// nothing perhaps: all others say which element of c it is, and not all of
/// them are in both a and b; or several such products, each over all of it.
/// Nothing where T is no such operation. A Serial iterator counts where nothing
/// but rounding hangs on its order.
std::optional<size_t> summedIterator(const TensorOp &T);

/// Whether T is such an operation, or one that sums nothing: `c[i,j] += a[i] *
/// b[j]`.
bool isProduct(const TensorOp &T);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PRODUCTS_H
