//===- SizeTest.h - tests of sizes as people write them ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_SIZETEST_H
#define RAISE_IR_SIZETEST_H

#include "raise/IR/Expr.h"

namespace raise {

/// `L Op R`, a comparison. Where L is a signed value plus or minus a number and
/// R is a number, one number is made of both: `n - 1 >= 57` is `n >= 58`. That
/// holds for the same values, but for those at which L overflows: it computes
/// nothing.
ExprRef sizeTest(BinaryOp Op, ExprRef L, ExprRef R);

} // namespace raise

#endif // RAISE_IR_SIZETEST_H
