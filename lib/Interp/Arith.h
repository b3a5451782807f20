//===- Arith.h - C arithmetic on untagged scalars ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_INTERP_ARITH_H
#define RAISE_LIB_INTERP_ARITH_H

#include "raise/Interp/Interp.h"

namespace raise::interp {

/// A value whose type is known from where it stands. Integers are kept sign- or
/// zero-extended in I, floats rounded to their type in D.
union Scalar {
  int64_t I;
  long double D;
};
inline Scalar ofI(int64_t I) {
  Scalar S;
  S.I = I;
  return S;
}
inline Scalar ofD(long double D) {
  Scalar S;
  S.D = D;
  return S;
}

/// A Type without its spelling, in one byte.
enum class TC : uint8_t {
  Void,
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  F80,
};
TC typeCode(const Type &T);
inline bool isFloat(TC T) { return T >= TC::F16; }
inline bool isSigned(TC T) { return T >= TC::I8 && T <= TC::I64; }
unsigned bits(TC T);
/// The type in which C does arithmetic on T: int for narrow integers.
TC promote(TC T);

/// V's low bits, extended as T extends.
int64_t wrap(int64_t V, TC T);
long double roundTo(long double V, TC T);

/// Each returns Done, or what C leaves undefined.
Stop convert(Scalar V, TC From, TC To, Scalar &Out);
Stop binary(BinaryOp Op, TC T, Scalar L, Scalar R, Scalar &Out);
Stop shift(bool Left, TC T, Scalar L, TC RightTy, Scalar R, Scalar &Out);
Stop negate(TC T, Scalar V, Scalar &Out);
bool compare(BinaryOp Op, TC T, Scalar L, Scalar R);
/// `Old op= V` on an object of type T, where V has type VT.
Stop combine(Combiner Op, TC T, Scalar Old, TC VT, Scalar V, Scalar &Out);

Scalar toScalar(const Value &V);
Value toValue(Scalar S, const Type &T);

/// A libm function applied to arguments of the callee's parameter types; null
/// if the name is not known with these types.
using MathFn = Stop (*)(const Scalar *Args, Scalar &Out);
MathFn findMath(const Callee &C);
/// The same of what raise/device_math.h has.
MathFn findDeviceMath(const Callee &C);

} // namespace raise::interp

#endif // RAISE_LIB_INTERP_ARITH_H
