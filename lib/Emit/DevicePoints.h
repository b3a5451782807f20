//===- DevicePoints.h - which threads run an operation ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_DEVICEPOINTS_H
#define RAISE_LIB_EMIT_DEVICEPOINTS_H

#include "ExprPrinter.h"
#include "raise/IR/Stmt.h"

namespace raise::device {

/// The leading iterators of an operation that run in any order, over ranges
/// that do not hang on each other, and what each of their points runs.
struct Points {
  std::vector<Iterator> Iterators;
  StmtRef Body;
};

/// Without iterators where the first of T is another kind.
Points pointsOf(const TensorOp &T);

/// Whether a point's own loops go along the lines of memory, and the points do
/// not: then a block of threads is for one point, not a thread.
bool isForBlocks(const Points &P);

/// The factor of V in E, as far as it is a constant: 0 where E has no V.
std::optional<int64_t> factorOf(const Var *V, const ExprRef &E);

/// "n > 0 && m > 0": that there are points; "" where that is known.
std::string anyPoint(const Points &P, const ExprPrinter &Print);
/// "(size_t)n * m": how many.
std::string countOf(const Points &P, const ExprPrinter &Print);
/// The lines that declare the iterators at point number Number.
std::vector<std::string> iteratorsAt(const Points &P, llvm::StringRef Number,
                                     const ExprPrinter &Print);

} // namespace raise::device

#endif // RAISE_LIB_EMIT_DEVICEPOINTS_H
