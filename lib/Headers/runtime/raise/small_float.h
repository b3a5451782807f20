//===- small_float.h - the arithmetic of half and bfloat16 ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// RAISE_SMALL_FLOAT defines one 16-bit floating type with CUDA's names: conversions round to nearest even, and + - * / compute in float and round
// once more, which gives the correctly rounded result since float has more than twice the digits (Figueroa, 1995). Used by emitted programs
// and by the prelude. What needs a single rounding of more than that (__hfma) is left out.
#ifndef RAISE_SMALL_FLOAT_H
#define RAISE_SMALL_FLOAT_H

#include <cmath>
#include <cstdint>
#include <cstring>

#ifndef RAISE_CUDA_PRELUDE
#include "raise/runtime_types.h"
#endif

namespace raise_small {

/// The encoding of Value with Digits bits of mantissa and Bits of exponent, rounded to nearest even; NaN is 0x7fff.
template <int Digits, int Bits> __host__ __device__ unsigned short encode(double Value) {
  const int Bias = (1 << (Bits - 1)) - 1;
  const unsigned Sign = std::signbit(Value) ? 0x8000u : 0u, Infinity = ((1u << Bits) - 1) << Digits;
  if (Value != Value)
    return 0x7fff;
  const double Magnitude = Value < 0 ? -Value : Value;
  if (Magnitude == 0)
    return static_cast<unsigned short>(Sign);
  if (Magnitude >= std::ldexp(1.0, Bias + 1))
    return static_cast<unsigned short>(Sign | Infinity);
  int Exponent = 0;
  std::frexp(Magnitude, &Exponent);
  // The weight of the last digit; below the normal range it stays that of the smallest normal number.
  int Last = (Exponent - 1 < 1 - Bias ? 1 - Bias : Exponent - 1) - Digits;
  unsigned Scaled = static_cast<unsigned>(std::nearbyint(std::ldexp(Magnitude, -Last)));
  // A subnormal's digits are its encoding; above, each step of the exponent adds 2^Digits. A carry out of the digits lands in the exponent.
  const unsigned Code = Scaled + (static_cast<unsigned>(Last + Digits + Bias - 1) << Digits);
  return static_cast<unsigned short>(Sign | (Code < Infinity ? Code : Infinity));
}

template <int Digits, int Bits> __host__ __device__ float decode(unsigned short Code) {
  const int Bias = (1 << (Bits - 1)) - 1;
  const int Exponent = Code >> Digits & ((1 << Bits) - 1), Fraction = Code & ((1 << Digits) - 1);
  float Magnitude;
  if (Exponent == (1 << Bits) - 1)
    Magnitude = Fraction ? __builtin_nanf("") : __builtin_inff();
  else if (Exponent == 0)
    Magnitude = static_cast<float>(std::ldexp(static_cast<double>(Fraction), 1 - Bias - Digits));
  else
    Magnitude = static_cast<float>(
        std::ldexp(static_cast<double>(Fraction + (1 << Digits)), Exponent - Bias - Digits));
  return Code & 0x8000 ? -Magnitude : Magnitude;
}

} // namespace raise_small

#define RAISE_HD __host__ __device__ inline
#define RAISE_SMALL_OPERATOR(Type, Op)                                                                                 \
  RAISE_HD Type operator Op(const Type &a, const Type &b) {                                                            \
    return Type(static_cast<float>(a) Op static_cast<float>(b));                                                       \
  }                                                                                                                    \
  RAISE_HD Type &operator Op##=(Type &a, const Type &b) { return a = a Op b; }
#define RAISE_SMALL_COMPARE(Type, Name, Op)                                                                            \
  RAISE_HD bool operator Op(const Type &a, const Type &b) { return static_cast<float>(a) Op static_cast<float>(b); }   \
  RAISE_HD bool Name(Type a, Type b) { return a Op b; }

#define RAISE_SMALL_FLOAT(Type, Digits, Bits)                                                                          \
  struct __attribute__((aligned(2))) Type {                                                                            \
    unsigned short __x;                                                                                                \
    Type() = default;                                                                                                  \
    __host__ __device__ Type(float v) : __x(raise_small::encode<Digits, Bits>(static_cast<double>(v))) {}             \
    __host__ __device__ Type(double v) : __x(raise_small::encode<Digits, Bits>(v)) {}                                 \
    __host__ __device__ Type(int v) : __x(raise_small::encode<Digits, Bits>(static_cast<double>(v))) {}               \
    __host__ __device__ Type(unsigned int v) : __x(raise_small::encode<Digits, Bits>(static_cast<double>(v))) {}      \
    __host__ __device__ operator float() const { return raise_small::decode<Digits, Bits>(__x); }                     \
  };                                                                                                                   \
  RAISE_SMALL_OPERATOR(Type, +)                                                                                        \
  RAISE_SMALL_OPERATOR(Type, -)                                                                                        \
  RAISE_SMALL_OPERATOR(Type, *)                                                                                        \
  RAISE_SMALL_OPERATOR(Type, /)                                                                                        \
  RAISE_HD Type operator-(const Type &a) {                                                                             \
    Type r = a;                                                                                                        \
    r.__x = static_cast<unsigned short>(r.__x ^ 0x8000u);                                                              \
    return r;                                                                                                          \
  }                                                                                                                    \
  RAISE_SMALL_COMPARE(Type, __heq, ==)                                                                                 \
  RAISE_HD bool operator!=(const Type &a, const Type &b) { return static_cast<float>(a) != static_cast<float>(b); }    \
  RAISE_HD bool __hne(Type a, Type b) { return a < b || a > b; } /* false for NaN */                                   \
  RAISE_SMALL_COMPARE(Type, __hlt, <)                                                                                  \
  RAISE_SMALL_COMPARE(Type, __hle, <=)                                                                                 \
  RAISE_SMALL_COMPARE(Type, __hgt, >)                                                                                  \
  RAISE_SMALL_COMPARE(Type, __hge, >=)                                                                                 \
  RAISE_HD Type __hadd(Type a, Type b) { return a + b; }                                                               \
  RAISE_HD Type __hsub(Type a, Type b) { return a - b; }                                                               \
  RAISE_HD Type __hmul(Type a, Type b) { return a * b; }                                                               \
  RAISE_HD Type __hdiv(Type a, Type b) { return a / b; }                                                               \
  RAISE_HD Type __hneg(Type a) { return -a; }                                                                          \
  RAISE_HD Type __habs(Type a) {                                                                                       \
    a.__x = static_cast<unsigned short>(a.__x & 0x7fffu);                                                              \
    return a;                                                                                                          \
  }                                                                                                                    \
  RAISE_HD bool __hisnan(Type a) { return static_cast<float>(a) != static_cast<float>(a); }                            \
  RAISE_HD Type __hmax(Type a, Type b) { return Type(::fmaxf(static_cast<float>(a), static_cast<float>(b))); }         \
  RAISE_HD Type __hmin(Type a, Type b) { return Type(::fminf(static_cast<float>(a), static_cast<float>(b))); }         \
  RAISE_HD Type hsqrt(Type a) { return Type(::sqrtf(static_cast<float>(a))); }                                         \
  RAISE_HD Type hexp(Type a) { return Type(::expf(static_cast<float>(a))); }                                           \
  RAISE_HD Type hlog(Type a) { return Type(::logf(static_cast<float>(a))); }

/// The pair of a type, component by component.
#define RAISE_SMALL_PAIR(Type, Pair)                                                                                   \
  struct __attribute__((aligned(4))) Pair {                                                                            \
    Type x, y;                                                                                                         \
    Pair() = default;                                                                                                  \
    __host__ __device__ Pair(const Type &a, const Type &b) : x(a), y(b) {}                                             \
  };                                                                                                                   \
  RAISE_HD Pair operator+(const Pair &a, const Pair &b) { return Pair(a.x + b.x, a.y + b.y); }                         \
  RAISE_HD Pair operator-(const Pair &a, const Pair &b) { return Pair(a.x - b.x, a.y - b.y); }                         \
  RAISE_HD Pair operator*(const Pair &a, const Pair &b) { return Pair(a.x * b.x, a.y * b.y); }                         \
  RAISE_HD Pair __hadd2(Pair a, Pair b) { return a + b; }                                                              \
  RAISE_HD Pair __hsub2(Pair a, Pair b) { return a - b; }                                                              \
  RAISE_HD Pair __hmul2(Pair a, Pair b) { return a * b; }                                                              \
  RAISE_HD float __low2float(Pair a) { return static_cast<float>(a.x); }                                               \
  RAISE_HD float __high2float(Pair a) { return static_cast<float>(a.y); }

#endif // RAISE_SMALL_FLOAT_H
