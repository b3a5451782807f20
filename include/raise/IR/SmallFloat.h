//===- SmallFloat.h - floating types of 16 bits -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A `bf16` (bfloat16: float's exponent, eight digits), and CUDA's half, is what
// memory holds and nothing is computed in: each use of one is a conversion to
// f32, which is exact, and each new one a conversion from what was computed,
// which rounds. So no pass has to know what C++ makes of an operator of its
// class.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_SMALLFLOAT_H
#define RAISE_IR_SMALLFLOAT_H

#include "raise/IR/Type.h"

namespace raise {

/// Of the two formats of 16 bits, f16 is IEEE's and counts as signed.
inline Type getBFloat16(std::string Spelling = "") {
  Type Ty = Type::getFloat(16, std::move(Spelling));
  Ty.Signed = false;
  return Ty;
}
inline bool isBFloat16(const Type &Ty) {
  return Ty.isFloat() && Ty.Bits == 16 && !Ty.Signed;
}

/// Of <cuda_fp16.h>: f16, which its Spelling tells from C's own _Float16, that
/// has arithmetic.
inline Type getHalf(std::string Spelling = "__half") {
  return Type::getFloat(16, std::move(Spelling));
}
/// Whether C++ has a class for Ty, so that each conversion has to be written.
inline bool isFloatClass(const Type &Ty) {
  return isBFloat16(Ty) || (Ty.isFloat() && Ty.Bits == 16 &&
                            (Ty.Spelling == "__half" || Ty.Spelling == "half"));
}

} // namespace raise

#endif // RAISE_IR_SMALLFLOAT_H
