//===- Updates.h - updates whose order does not matter ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes may take apart and pragmas put together again.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_UPDATES_H
#define RAISE_IR_UPDATES_H

#include "raise/IR/Context.h"
#include "raise/IR/Expr.h"
#include "raise/IR/Stmt.h"
#include <optional>

namespace raise {

/// Add for Sub, which combines as it does; every other one is its own.
Combiner familyOf(Combiner Op);

/// The operator of an update whose operands have one type; none for extremes,
/// shifts and logic.
std::optional<BinaryOp> updateOperator(Combiner Op);

/// The update by x that `v = v Op x` and `v = x Op v` are; nothing where these
/// differ.
std::optional<Combiner> commutingUpdate(BinaryOp Op);

/// Whether the last bits of repeated updates hang on their order.
bool rounds(Combiner Op, const Type &Elem, const Type &Value);

/// Whether updates by Op, of an element of type Elem by values of type Value,
/// give the same in any order and from partial results; under FPMode::Strict,
/// to the last bit.
bool combinesInAnyOrder(Combiner Op, const Type &Elem, const Type &Value,
                        FPMode FP);

/// What each thread may have of one array on its stack.
constexpr int64_t MostBytesOfThread = 64 << 10;

/// Whether B is an array so small that each thread may have one on its stack,
/// and that a clause can name.
bool fitsEachThread(const Buffer &B);

} // namespace raise

#endif // RAISE_IR_UPDATES_H
