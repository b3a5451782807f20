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
TC typeCode(ValueType T);
inline bool isFloat(TC T) { return T >= TC::F16; }
inline bool isSigned(TC T) { return T >= TC::I8 && T <= TC::I64; }
unsigned bits(TC T);
/// The type in which C does arithmetic on T: int for narrow integers.
TC promote(TC T);

/// V's low bits, extended as T extends.
inline int64_t wrap(int64_t V, TC T) {
  switch (T) {
  case TC::Bool:
    return V != 0;
  case TC::I8:
    return int8_t(V);
  case TC::I16:
    return int16_t(V);
  case TC::I32:
    return int32_t(V);
  case TC::U8:
    return uint8_t(V);
  case TC::U16:
    return uint16_t(V);
  case TC::U32:
    return uint32_t(V);
  default:
    return V;
  }
}
long double roundTo(long double V, TC T);

/// Each returns Done, or what C leaves undefined.
/// Those with Other in their names are what the ones in line leave.
Stop convertOther(Scalar V, TC From, TC To, Scalar &Out);
inline Stop convert(Scalar V, TC From, TC To, Scalar &Out) {
  if (From != To)
    return convertOther(V, From, To, Out);
  Out = V;
  return Stop::Done;
}

Stop binaryOther(BinaryOp Op, TC T, Scalar L, Scalar R, Scalar &Out);

template <typename F> long double inFloat(BinaryOp Op, F L, F R) {
  switch (Op) {
  case BinaryOp::Add:
    return L + R;
  case BinaryOp::Sub:
    return L - R;
  case BinaryOp::Mul:
    return L * R;
  default:
    return L / R;
  }
}

template <typename I> Stop inSigned(BinaryOp Op, I L, I R, Scalar &Out) {
  I V = 0;
  const bool Over = Op == BinaryOp::Add   ? __builtin_add_overflow(L, R, &V)
                    : Op == BinaryOp::Sub ? __builtin_sub_overflow(L, R, &V)
                                          : __builtin_mul_overflow(L, R, &V);
  Out = ofI(V);
  return Over ? Stop::SignedOverflow : Stop::Done;
}

/// In line what runs spend most of their time in.
inline Stop binary(BinaryOp Op, TC T, Scalar L, Scalar R, Scalar &Out) {
  if (Op <= BinaryOp::Div && T == TC::F64) {
    Out = ofD(inFloat<double>(Op, L.D, R.D));
    return Stop::Done;
  }
  if (Op <= BinaryOp::Div && T == TC::F32) {
    Out = ofD(inFloat<float>(Op, L.D, R.D));
    return Stop::Done;
  }
  if (Op <= BinaryOp::Mul && T == TC::I32)
    return inSigned<int32_t>(Op, L.I, R.I, Out);
  if (Op <= BinaryOp::Mul && T == TC::I64)
    return inSigned<int64_t>(Op, L.I, R.I, Out);
  return binaryOther(Op, T, L, R, Out);
}
Stop shift(bool Left, TC T, Scalar L, TC RightTy, Scalar R, Scalar &Out);
Stop negate(TC T, Scalar V, Scalar &Out);
bool compare(BinaryOp Op, TC T, Scalar L, Scalar R);
/// `Old op= V` on an object of type T, where V has type VT.
Stop combine(Combiner Op, TC T, Scalar Old, TC VT, Scalar V, Scalar &Out);

inline Scalar toScalar(const Value &V) {
  return V.Ty.isFloat() ? ofD(V.D) : ofI(V.I);
}
Value toValue(Scalar S, ValueType T);

/// A libm function applied to arguments of the callee's parameter types; null
/// if the name is not known with these types.
using MathFn = Stop (*)(const Scalar *Args, Scalar &Out);
MathFn findMath(const Callee &C);
/// The same of what raise/device_math.h has.
MathFn findDeviceMath(const Callee &C);

} // namespace raise::interp

#endif // RAISE_LIB_INTERP_ARITH_H
