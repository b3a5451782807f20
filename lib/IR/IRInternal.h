//===- IRInternal.h - helpers shared inside lib/IR --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_IRINTERNAL_H
#define RAISE_LIB_IR_IRINTERNAL_H

#include "raise/IR/Stmt.h"
#include <optional>

namespace raise::detail {

/// Value truncated to Ty's width and extended again as IntConst holds it.
int64_t wrapToType(int64_t Value, const Type &Ty);

/// Digits ("1.5", "2e-3", no sign) as the nearest value of Ty, or nothing
/// if they are no number or overflow.
std::optional<double> parseFloat(llvm::StringRef Digits, const Type &Ty);

/// V rounded to Ty (to double for the 80-bit type, whose constants are held as
/// doubles).
double roundToType(double V, const Type &Ty);

/// The type of that IR name ("f32"), or nothing.
std::optional<Type> typeByName(llvm::StringRef Name);

/// What is wrong with operands of these types; empty if nothing is.
std::string binaryProblem(BinaryOp Op, const Type &L, const Type &R);
std::string unaryProblem(UnaryOp Op, const Type &Ty);
std::string writeProblem(Combiner Op, const Type &To, const Type &Value);
Type resultType(BinaryOp Op, const Type &Left);

} // namespace raise::detail

#endif // RAISE_LIB_IR_IRINTERNAL_H
