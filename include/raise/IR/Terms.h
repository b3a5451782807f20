//===- Terms.h - sums of products -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_TERMS_H
#define RAISE_IR_TERMS_H

#include "raise/IR/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace raise {

/// The factors of E, from left to right; casts stand between them.
void factorsOf(const ExprRef &E, llvm::SmallVectorImpl<ExprRef> &Into);

/// What a sum adds or, with Minus, takes away.
struct Addend {
  ExprRef Value;
  bool Minus;
};

/// E as a sum, from left to right. A factor of a sum is one of each of its
/// addends, as for real numbers; products of two sums stay as they are.
llvm::SmallVector<Addend, 2> addendsOf(const ExprRef &E);

} // namespace raise

#endif // RAISE_IR_TERMS_H
