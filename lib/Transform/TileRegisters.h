//===- TileRegisters.h - sums of products that tiles are for ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_TILEREGISTERS_H
#define RAISE_LIB_TRANSFORM_TILEREGISTERS_H

#include "PlainName.h"
#include "raise/IR/Context.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace raise {

/// For all points of I and J, which have nothing to do with one another:
///
///   Before;  for (k) sum += Value;  After;
///
/// where no element that Value loads hangs on both i and j. Packed is the one
/// that it loads along k and j; some other goes along i and k.
struct Contraction {
  std::vector<Iterator> Outer; ///< around both
  Iterator I, J, K;
  /// For each i: before the sums of its row begin, and after they are made.
  std::vector<StmtRef> RowBefore, RowAfter;
  StmtRef Loop; ///< what stands between these two
  /// For each point. Before declares Scalar, where that is the sum.
  std::vector<StmtRef> Before, After;
  VarRef Scalar;                 ///< the sum, or null:
  std::optional<Access> Element; ///< the sum
  Combiner Op = Combiner::Add;
  ExprRef Value;
  Access Packed;
  Type sumType() const {
    return Scalar ? Scalar->Ty : Element ? Element->Buf->Elem : Type();
  }
  std::string sumName() const {
    return Scalar ? Scalar->Name : Element ? plainName(Element->Buf->Name) : "";
  }
};

/// The number that E is, if every integer type of 32 bits has it and as much
/// again.
std::optional<int64_t> smallNumber(ExprRef E);

/// What T is, if it is one. AreApart tells of two buffers that they share
/// nothing.
std::optional<Contraction> contractionOf(
    const TensorOp &T,
    llvm::function_ref<bool(const Buffer &, const Buffer &)> AreApart);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_TILEREGISTERS_H
