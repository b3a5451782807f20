//===- ShiftedBounds.h - bounds of loops that test a sum --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_SHIFTEDBOUNDS_H
#define RAISE_LIB_FRONTEND_SHIFTEDBOUNDS_H

#include "raise/IR/Stmt.h"
#include <optional>

namespace raise::lifting {

/// `Sum Op Hi`, for a sum of V and other terms, is tested before each iteration
/// of a loop whose V begins at Lo.
struct ShiftedTest {
  ExprRef Sum;
  BinaryOp Op;
  ExprRef Hi;
  VarRef V;
  ExprRef Lo;
  bool ByOne; ///< each step adds 1
};

/// A bound of V alone, with which the loop runs as often.
struct PlainBound {
  BinaryOp Op;
  ExprRef Hi;
};

/// Nothing if there is none that can be computed without overflow, or if the
/// sum might wrap.
std::optional<PlainBound> plainBound(const ShiftedTest &T);

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_SHIFTEDBOUNDS_H
