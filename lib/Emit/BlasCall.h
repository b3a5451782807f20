//===- BlasCall.h - products as calls of BLAS -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_BLASCALL_H
#define RAISE_LIB_EMIT_BLASCALL_H

#include "EigenOp.h"

namespace raise::eigen {

/// A call, and under which it does what the operations do.
struct BlasForm {
  std::vector<std::string> Lines;
  std::string Test; ///< empty: always
  size_t Replaced = 1;
  StmtRef Before; ///< stands there as it is, under the same test; may be null
};

/// Of the first of Body, or of the first two, where one sets the elements that
/// the other adds to.
std::optional<BlasForm> blasForm(llvm::ArrayRef<StmtRef> Body,
                                 const Place &Where, Names &N);

/// Of T's iterators from Level on, at one point of those before. FromZero: the
/// result does not count what its elements hold.
std::optional<BlasForm> blasForm(const TensorOp &T, size_t Level,
                                 const Place &Where, Names &N,
                                 bool FromZero = false);

/// If each point of T's iterators from Level on, but for three at least, is a
/// product of tables: under which test, where that is one for all points.
struct Batch {
  std::string Test; ///< empty: none, or each point has its own
};
std::optional<Batch> batchOf(const TensorOp &T, size_t Level,
                             const Place &Where, Names &N);

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_BLASCALL_H
