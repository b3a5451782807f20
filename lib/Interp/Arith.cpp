//===- Arith.cpp - C arithmetic on untagged scalars
//-------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Arith.h"
#include "raise/IR/SmallFloat.h"
#include "raise/IR/Updates.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace raise::interp {

TC typeCode(ValueType T) {
  switch (T.Kind) {
  case TypeKind::Void:
    return TC::Void;
  case TypeKind::Bool:
    return TC::Bool;
  case TypeKind::Int:
    switch (T.Bits) {
    case 8:
      return T.Signed ? TC::I8 : TC::U8;
    case 16:
      return T.Signed ? TC::I16 : TC::U16;
    case 32:
      return T.Signed ? TC::I32 : TC::U32;
    default:
      return T.Signed ? TC::I64 : TC::U64;
    }
  case TypeKind::Float:
    return T.Bits == 16   ? (T.Signed ? TC::F16 : TC::BF16) // see isBFloat16
           : T.Bits == 32 ? TC::F32
           : T.Bits == 64 ? TC::F64
                          : TC::F80;
  }
  return TC::Void;
}

unsigned bits(TC T) {
  static const unsigned Bits[] = {0,  1,  8,  16, 32, 64, 8, 16,
                                  32, 64, 16, 16, 32, 64, 80};
  return Bits[unsigned(T)];
}

TC promote(TC T) {
  return T == TC::Bool || (!isFloat(T) && bits(T) < 32) ? TC::I32 : T;
}

static long double roundToSmall(long double V, const llvm::fltSemantics &To) {
  // From a double: one rounding more than the hardware's only for f80 sources.
  llvm::APFloat F(static_cast<double>(V));
  bool Lost;
  F.convert(To, llvm::APFloat::rmNearestTiesToEven, &Lost);
  F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &Lost);
  return F.convertToDouble();
}

long double roundTo(long double V, TC T) {
  switch (T) {
  case TC::F16:
    return roundToSmall(V, llvm::APFloat::IEEEhalf());
  case TC::BF16:
    return roundToSmall(V, llvm::APFloat::BFloat());
  case TC::F32:
    return static_cast<float>(V);
  case TC::F64:
    return static_cast<double>(V);
  default:
    return V;
  }
}

static Stop floatToInt(long double D, TC To, Scalar &Out) {
  if (To == TC::Bool) {
    Out = ofI(D != 0);
    return Stop::Done;
  }
  long double W = std::trunc(D);
  unsigned B = bits(To);
  long double Limit = std::ldexp(1.0L, isSigned(To) ? B - 1 : B);
  long double Least = isSigned(To) ? -Limit : 0;
  if (!(W >= Least && W < Limit))
    return Stop::FloatToIntRange;
  Out = ofI(To == TC::U64 ? int64_t(uint64_t(W)) : int64_t(W));
  return Stop::Done;
}

static long double intToFloat(int64_t I, TC From, TC To) {
  bool U = From == TC::U64;
  switch (To) {
  case TC::F32:
    return U ? float(uint64_t(I)) : float(I);
  case TC::F64:
    return U ? double(uint64_t(I)) : double(I);
  default:
    return roundTo(U ? (long double)uint64_t(I) : (long double)I, To);
  }
}

Stop convertOther(Scalar V, TC From, TC To, Scalar &Out) {
  if (isFloat(From)) {
    if (!isFloat(To))
      return floatToInt(V.D, To, Out);
    Out = ofD(roundTo(V.D, To));
    return Stop::Done;
  }
  Out = isFloat(To) ? ofD(intToFloat(V.I, From, To)) : ofI(wrap(V.I, To));
  return Stop::Done;
}

bool compare(BinaryOp Op, TC T, Scalar L, Scalar R) {
  auto By = [Op](auto A, auto B) {
    switch (Op) {
    case BinaryOp::LT:
      return A < B;
    case BinaryOp::LE:
      return A <= B;
    case BinaryOp::GT:
      return A > B;
    case BinaryOp::GE:
      return A >= B;
    case BinaryOp::EQ:
      return A == B;
    default:
      return A != B;
    }
  };
  if (isFloat(T))
    return By(L.D, R.D);
  return isSigned(T) ? By(L.I, R.I) : By(uint64_t(L.I), uint64_t(R.I));
}

/// The types that binary() leaves.
static Stop floatBinary(BinaryOp Op, TC T, Scalar L, Scalar R, Scalar &Out) {
  if (Op > BinaryOp::Div)
    return Stop::Unsupported;
  if (T == TC::F16 || T == TC::BF16) // float has over twice their precision
    Out = ofD(roundTo(inFloat<float>(Op, L.D, R.D), T));
  else
    Out = ofD(inFloat<long double>(Op, L.D, R.D));
  return Stop::Done;
}

static Stop signedBinary(BinaryOp Op, TC T, int64_t L, int64_t R, Scalar &Out) {
  int64_t V = 0;
  bool Over = false;
  switch (Op) {
  case BinaryOp::Add:
    Over = __builtin_add_overflow(L, R, &V);
    break;
  case BinaryOp::Sub:
    Over = __builtin_sub_overflow(L, R, &V);
    break;
  case BinaryOp::Mul:
    Over = __builtin_mul_overflow(L, R, &V);
    break;
  default: // Div, Rem
    if (R == 0)
      return Stop::DivisionByZero;
    if (R == -1) { // INT_MIN / -1; C calls the remainder undefined, too
      Over = __builtin_sub_overflow(int64_t(0), L, &V) || wrap(V, T) != V;
      if (Op == BinaryOp::Rem)
        V = 0;
    } else {
      V = Op == BinaryOp::Div ? L / R : L % R;
    }
    break;
  }
  if (Over || wrap(V, T) != V)
    return Stop::SignedOverflow;
  Out = ofI(V);
  return Stop::Done;
}

static Stop unsignedBinary(BinaryOp Op, TC T, uint64_t L, uint64_t R,
                           Scalar &Out) {
  uint64_t V = 0;
  switch (Op) {
  case BinaryOp::Add:
    V = L + R;
    break;
  case BinaryOp::Sub:
    V = L - R;
    break;
  case BinaryOp::Mul:
    V = L * R;
    break;
  default:
    if (R == 0)
      return Stop::DivisionByZero;
    V = Op == BinaryOp::Div ? L / R : L % R;
    break;
  }
  Out = ofI(wrap(int64_t(V), T));
  return Stop::Done;
}

Stop binaryOther(BinaryOp Op, TC T, Scalar L, Scalar R, Scalar &Out) {
  if (isComparison(Op)) {
    Out = ofI(compare(Op, T, L, R));
    return Stop::Done;
  }
  if (isFloat(T))
    return floatBinary(Op, T, L, R, Out);
  switch (Op) {
  case BinaryOp::And:
    Out = ofI(L.I & R.I);
    return Stop::Done;
  case BinaryOp::Or:
    Out = ofI(L.I | R.I);
    return Stop::Done;
  case BinaryOp::Xor:
    Out = ofI(L.I ^ R.I);
    return Stop::Done;
  default:
    return isSigned(T) ? signedBinary(Op, T, L.I, R.I, Out)
                       : unsignedBinary(Op, T, L.I, R.I, Out);
  }
}

Stop shift(bool Left, TC T, Scalar L, TC RightTy, Scalar R, Scalar &Out) {
  if ((isSigned(RightTy) && R.I < 0) || uint64_t(R.I) >= bits(T))
    return Stop::BadShift;
  unsigned N = R.I;
  if (!Left) {
    Out = ofI(isSigned(T) ? L.I >> N : int64_t(uint64_t(L.I) >> N));
    return Stop::Done;
  }
  uint64_t V = uint64_t(L.I) << N;
  if (isSigned(T)) {
    // C++17: the result must be representable in the unsigned type.
    if (L.I < 0 || (V >> N) != uint64_t(L.I) ||
        (bits(T) < 64 && (V >> bits(T)) != 0))
      return Stop::SignedOverflow;
  }
  Out = ofI(wrap(int64_t(V), T));
  return Stop::Done;
}

Stop negate(TC T, Scalar V, Scalar &Out) {
  if (isFloat(T)) {
    Out = ofD(-V.D);
    return Stop::Done;
  }
  return binary(BinaryOp::Sub, T, ofI(0), V, Out);
}

/// The type in which `object op= value` is computed.
static TC combiningType(TC Object, TC V) {
  if (isFloat(Object) || isFloat(V)) {
    if (!isFloat(V))
      return Object;
    if (!isFloat(Object))
      return V;
    return std::max(Object, V);
  }
  TC A = promote(Object), B = promote(V);
  if (bits(A) != bits(B))
    return bits(A) > bits(B) ? A : B;
  return isSigned(A) ? B : A; // unsigned wins
}

/// !V, as a condition.
static bool isTrue(TC T, Scalar V) { return isFloat(T) ? V.D != 0 : V.I != 0; }

Stop combine(Combiner Op, TC T, Scalar Old, TC VT, Scalar V, Scalar &Out) {
  if (Op == Combiner::None)
    return convert(V, VT, T, Out);
  if (Op == Combiner::Add && T == VT && promote(T) == T)
    return binary(BinaryOp::Add, T, Old, V, Out);
  if (Op == Combiner::LAnd || Op == Combiner::LOr) {
    bool A = isTrue(T, Old), B = isTrue(VT, V);
    return convert(ofI(Op == Combiner::LAnd ? A && B : A || B), TC::Bool, T,
                   Out);
  }
  bool IsShift = Op == Combiner::Shl || Op == Combiner::Shr;
  TC C = IsShift ? promote(T) : combiningType(T, VT);
  Scalar A, B = V, Result;
  if (Stop S = convert(Old, T, C, A); S != Stop::Done)
    return S;
  if (!IsShift)
    if (Stop S = convert(V, VT, C, B); S != Stop::Done)
      return S;
  Stop S = Stop::Done;
  if (IsShift)
    S = shift(Op == Combiner::Shl, C, A, VT, B, Result);
  else if (Op == Combiner::Min)
    Result = compare(BinaryOp::LT, C, B, A) ? B : A;
  else if (Op == Combiner::Max)
    Result = compare(BinaryOp::GT, C, B, A) ? B : A;
  else
    S = binary(*updateOperator(Op), C, A, B, Result);
  return S != Stop::Done ? S : convert(Result, C, T, Out);
}

Value toValue(Scalar S, ValueType T) {
  Value V;
  V.Ty = T;
  if (T.isFloat())
    V.D = S.D;
  else
    V.I = S.I;
  return V;
}

Value Value::ofInt(int64_t I, ValueType Ty) {
  Value V;
  V.I = wrap(I, typeCode(Ty));
  V.Ty = Ty;
  return V;
}

Value Value::ofFloat(long double D, ValueType Ty) {
  Value V;
  V.D = roundTo(D, typeCode(Ty));
  V.Ty = Ty;
  return V;
}

} // namespace raise::interp
