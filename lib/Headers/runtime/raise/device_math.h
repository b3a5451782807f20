//===- device_math.h - CUDA's device functions that the host's libm lacks -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Names and meaning from the CUDA Math API. Where CUDA only bounds the error (__expf, rsqrt, …) the value is that of the host's library, which is at least as
// good. The functions that convert saturate, and turn NaN into what the hardware does. The functions with a rounding mode in their name are never contracted.
#ifndef RAISE_DEVICE_MATH_H
#define RAISE_DEVICE_MATH_H

#include <cfenv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <math.h>
#include <stdlib.h>

#include "raise/vector_types.h"

namespace raise_math {

/// The value itself, out of the compiler's sight: no operation is fused with one before it.
template <class T> T rounded(T Value) {
  asm volatile("" : "+m"(Value));
  return Value;
}

/// Operation(A, B) under a rounding mode. The volatile operands keep the operation between the two changes of mode.
template <class T, class A, class B, class F> T roundedTo(int Mode, A X, B Y, F Operation) {
  volatile A VX = X;
  volatile B VY = Y;
  const int Old = std::fegetround();
  std::fesetround(Mode);
  volatile T Result = Operation(VX, VY);
  std::fesetround(Old);
  return Result;
}

/// A floating value that is an integer already, as an integer: saturated. NaN is zero as a float of 32 bits, else the
/// integer with no bit set but the highest.
template <class Int, class Float> Int saturated(Float Value) {
  if (Value != Value)
    return sizeof(Int) == 4 && sizeof(Float) == 4 ? 0 : static_cast<Int>(1ull << (8 * sizeof(Int) - 1));
  // Both bounds are powers of two, thus exact: Value is in range if it is at least the low and less than the high one.
  const Float Low = static_cast<Float>(std::numeric_limits<Int>::min());
  const Float High = ldexp(static_cast<Float>(1), std::numeric_limits<Int>::digits);
  if (Value < Low)
    return std::numeric_limits<Int>::min();
  if (Value >= High)
    return std::numeric_limits<Int>::max();
  return static_cast<Int>(Value);
}

template <class To, class From> To bitsOf(From Value) {
  static_assert(sizeof(To) == sizeof(From), "a reinterpretation keeps the size");
  To Result;
  std::memcpy(&Result, &Value, sizeof(To));
  return Result;
}

} // namespace raise_math

// ---- fast forms ----
// glibc declares some of these names itself, without a body that a program could link; these are the bodies.

inline float __sinf(float x) noexcept { return sinf(x); }
inline float __cosf(float x) noexcept { return cosf(x); }
inline float __tanf(float x) noexcept { return tanf(x); }
inline float __expf(float x) noexcept { return expf(x); }
inline float __exp10f(float x) noexcept { return powf(10.0f, x); }
inline float __logf(float x) noexcept { return logf(x); }
inline float __log2f(float x) noexcept { return log2f(x); }
inline float __log10f(float x) noexcept { return log10f(x); }
inline float __powf(float x, float y) noexcept { return powf(x, y); }
inline void __sincosf(float x, float *s, float *c) noexcept { *s = sinf(x), *c = cosf(x); }
inline float __fdividef(float x, float y) noexcept { return x / y; }
inline float fdividef(float x, float y) noexcept { return x / y; }
inline double fdivide(double x, double y) noexcept { return x / y; }
inline float __saturatef(float x) noexcept { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// ---- functions that C has not ----

inline float rsqrtf(float x) noexcept { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) noexcept { return 1.0 / sqrt(x); }
inline float rsqrt(float x) noexcept { return rsqrtf(x); }
inline float rcbrtf(float x) noexcept { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) noexcept { return 1.0 / cbrt(x); }
inline float __frsqrt_rn(float x) noexcept { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }

namespace raise_math {
// sin and cos of pi·x, exact at the multiples of a half: the argument is reduced before it is multiplied.
inline double sinOfPi(double X) {
  const double R = remainder(X, 2.0);
  if (R == 0.0 || fabs(R) == 1.0)
    return copysign(0.0, X);
  if (fabs(R) > 0.5)
    return sin(copysign(1.0 - fabs(R), R) * 3.14159265358979323846);
  return sin(R * 3.14159265358979323846);
}
inline double cosOfPi(double X) {
  const double R = fabs(remainder(X, 2.0));
  if (R > 0.25 && R < 0.75) // where cos is near 0 and loses its digits
    return sin((0.5 - R) * 3.14159265358979323846);
  return cos(R * 3.14159265358979323846);
}
} // namespace raise_math
inline double sinpi(double x) noexcept { return raise_math::sinOfPi(x); }
inline double cospi(double x) noexcept { return raise_math::cosOfPi(x); }
inline float sinpif(float x) noexcept { return static_cast<float>(raise_math::sinOfPi(static_cast<double>(x))); }
inline float cospif(float x) noexcept { return static_cast<float>(raise_math::cosOfPi(static_cast<double>(x))); }
inline void sincospi(double x, double *s, double *c) noexcept { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) noexcept { *s = sinpif(x), *c = cospif(x); }

inline double normcdf(double x) noexcept { return 0.5 * erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) noexcept { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline double rhypot(double x, double y) noexcept { return 1.0 / hypot(x, y); }
inline float rhypotf(float x, float y) noexcept { return 1.0f / hypotf(x, y); }
inline double norm3d(double x, double y, double z) noexcept { return hypot(hypot(x, y), z); }
inline double norm4d(double x, double y, double z, double w) noexcept { return hypot(hypot(x, y), hypot(z, w)); }
inline float norm3df(float x, float y, float z) noexcept { return hypotf(hypotf(x, y), z); }
inline float norm4df(float x, float y, float z, float w) noexcept { return hypotf(hypotf(x, y), hypotf(z, w)); }
inline double rnorm3d(double x, double y, double z) noexcept { return 1.0 / norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) noexcept { return 1.0 / norm4d(x, y, z, w); }
inline float rnorm3df(float x, float y, float z) noexcept { return 1.0f / norm3df(x, y, z); }
inline float rnorm4df(float x, float y, float z, float w) noexcept { return 1.0f / norm4df(x, y, z, w); }

// ---- minimum and maximum, CUDA's overloads; the floating ones ignore NaN ----

#define RAISE_MINMAX(Result, A, B)                                                                                     \
  inline Result min(A a, B b) {                                                                                        \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a) : static_cast<Result>(b);          \
  }                                                                                                                    \
  inline Result max(A a, B b) {                                                                                        \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a) : static_cast<Result>(b);          \
  }
#define RAISE_MINMAX_INTEGER(S, U) RAISE_MINMAX(S, S, S) RAISE_MINMAX(U, U, U) RAISE_MINMAX(U, S, U) RAISE_MINMAX(U, U, S)
RAISE_MINMAX_INTEGER(int, unsigned int)
RAISE_MINMAX_INTEGER(long int, unsigned long int)
RAISE_MINMAX_INTEGER(long long int, unsigned long long int)
#undef RAISE_MINMAX_INTEGER
#undef RAISE_MINMAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
inline unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
inline long long int llmin(long long int a, long long int b) { return a < b ? a : b; }
inline long long int llmax(long long int a, long long int b) { return a > b ? a : b; }
inline unsigned long long int ullmin(unsigned long long int a, unsigned long long int b) { return a < b ? a : b; }
inline unsigned long long int ullmax(unsigned long long int a, unsigned long long int b) { return a > b ? a : b; }

// ---- arithmetic with a rounding mode ----

#define RAISE_ROUNDED_BINARY(Stem, T, Expression)                                                                      \
  inline T Stem##_rn(T x, T y) { return raise_math::rounded<T>(Expression); }                                         \
  inline T Stem##_rz(T x, T y) {                                                                                       \
    return raise_math::roundedTo<T>(FE_TOWARDZERO, x, y, [](T x, T y) { return Expression; });                        \
  }                                                                                                                    \
  inline T Stem##_ru(T x, T y) {                                                                                       \
    return raise_math::roundedTo<T>(FE_UPWARD, x, y, [](T x, T y) { return Expression; });                            \
  }                                                                                                                    \
  inline T Stem##_rd(T x, T y) {                                                                                       \
    return raise_math::roundedTo<T>(FE_DOWNWARD, x, y, [](T x, T y) { return Expression; });                          \
  }
#define RAISE_ROUNDED_UNARY(Stem, T, Expression)                                                                       \
  inline T Stem##_rn(T x) { return raise_math::rounded<T>(Expression); }                                              \
  inline T Stem##_rz(T x) {                                                                                            \
    return raise_math::roundedTo<T>(FE_TOWARDZERO, x, 0, [](T x, int) { return Expression; });                        \
  }                                                                                                                    \
  inline T Stem##_ru(T x) {                                                                                            \
    return raise_math::roundedTo<T>(FE_UPWARD, x, 0, [](T x, int) { return Expression; });                            \
  }                                                                                                                    \
  inline T Stem##_rd(T x) {                                                                                            \
    return raise_math::roundedTo<T>(FE_DOWNWARD, x, 0, [](T x, int) { return Expression; });                          \
  }
RAISE_ROUNDED_BINARY(__fadd, float, x + y)
RAISE_ROUNDED_BINARY(__fsub, float, x - y)
RAISE_ROUNDED_BINARY(__fmul, float, x *y)
RAISE_ROUNDED_BINARY(__fdiv, float, x / y)
RAISE_ROUNDED_BINARY(__dadd, double, x + y)
RAISE_ROUNDED_BINARY(__dsub, double, x - y)
RAISE_ROUNDED_BINARY(__dmul, double, x *y)
RAISE_ROUNDED_BINARY(__ddiv, double, x / y)
RAISE_ROUNDED_UNARY(__frcp, float, 1.0f / x)
RAISE_ROUNDED_UNARY(__fsqrt, float, sqrtf(x))
RAISE_ROUNDED_UNARY(__drcp, double, 1.0 / x)
RAISE_ROUNDED_UNARY(__dsqrt, double, sqrt(x))
#undef RAISE_ROUNDED_BINARY
#undef RAISE_ROUNDED_UNARY
// Only to nearest: a library that computes fma without the instruction need not follow the mode.
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

// ---- conversions ----

#define RAISE_TO_INTEGER(Stem, Int, Float, Suffix)                                                                     \
  inline Int Stem##_rn(Float x) { return raise_math::saturated<Int, Float>(nearbyint##Suffix(x)); }                   \
  inline Int Stem##_rz(Float x) { return raise_math::saturated<Int, Float>(trunc##Suffix(x)); }                       \
  inline Int Stem##_ru(Float x) { return raise_math::saturated<Int, Float>(ceil##Suffix(x)); }                        \
  inline Int Stem##_rd(Float x) { return raise_math::saturated<Int, Float>(floor##Suffix(x)); }
RAISE_TO_INTEGER(__float2int, int, float, f)
RAISE_TO_INTEGER(__float2uint, unsigned int, float, f)
RAISE_TO_INTEGER(__float2ll, long long int, float, f)
RAISE_TO_INTEGER(__float2ull, unsigned long long int, float, f)
RAISE_TO_INTEGER(__double2int, int, double, )
RAISE_TO_INTEGER(__double2uint, unsigned int, double, )
RAISE_TO_INTEGER(__double2ll, long long int, double, )
RAISE_TO_INTEGER(__double2ull, unsigned long long int, double, )
#undef RAISE_TO_INTEGER

#define RAISE_TO_FLOAT(Stem, Float, From)                                                                              \
  inline Float Stem##_rn(From x) { return static_cast<Float>(x); }                                                     \
  inline Float Stem##_rz(From x) {                                                                                     \
    return raise_math::roundedTo<Float>(FE_TOWARDZERO, x, 0, [](From x, int) { return static_cast<Float>(x); });      \
  }                                                                                                                    \
  inline Float Stem##_ru(From x) {                                                                                     \
    return raise_math::roundedTo<Float>(FE_UPWARD, x, 0, [](From x, int) { return static_cast<Float>(x); });          \
  }                                                                                                                    \
  inline Float Stem##_rd(From x) {                                                                                     \
    return raise_math::roundedTo<Float>(FE_DOWNWARD, x, 0, [](From x, int) { return static_cast<Float>(x); });        \
  }
RAISE_TO_FLOAT(__int2float, float, int)
RAISE_TO_FLOAT(__uint2float, float, unsigned int)
RAISE_TO_FLOAT(__ll2float, float, long long int)
RAISE_TO_FLOAT(__ull2float, float, unsigned long long int)
RAISE_TO_FLOAT(__ll2double, double, long long int)
RAISE_TO_FLOAT(__ull2double, double, unsigned long long int)
RAISE_TO_FLOAT(__double2float, float, double)
#undef RAISE_TO_FLOAT
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }

inline int __float_as_int(float x) { return raise_math::bitsOf<int>(x); }
inline unsigned int __float_as_uint(float x) { return raise_math::bitsOf<unsigned int>(x); }
inline float __int_as_float(int x) { return raise_math::bitsOf<float>(x); }
inline float __uint_as_float(unsigned int x) { return raise_math::bitsOf<float>(x); }
inline long long int __double_as_longlong(double x) { return raise_math::bitsOf<long long int>(x); }
inline double __longlong_as_double(long long int x) { return raise_math::bitsOf<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return raise_math::bitsOf<double>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low));
}

// ---- integers ----

inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<int64_t>(x) * y >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<uint64_t>(x) * y >> 32);
}
inline unsigned long long int __umul64hi(unsigned long long int x, unsigned long long int y) {
  const uint64_t XL = x & 0xffffffffu, XH = x >> 32, YL = y & 0xffffffffu, YH = y >> 32;
  const uint64_t Middle = XH * YL + (XL * YL >> 32);
  return XH * YH + (Middle >> 32) + ((XL * YH + (Middle & 0xffffffffu)) >> 32);
}
inline long long int __mul64hi(long long int x, long long int y) {
  const uint64_t U = __umul64hi(static_cast<uint64_t>(x), static_cast<uint64_t>(y));
  return static_cast<long long int>(U - (x < 0 ? static_cast<uint64_t>(y) : 0) - (y < 0 ? static_cast<uint64_t>(x) : 0));
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline int __mul24(int x, int y) {
  const int64_t X = static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8;
  const int64_t Y = static_cast<int32_t>(static_cast<uint32_t>(y) << 8) >> 8;
  return static_cast<int>(static_cast<uint32_t>(X * Y));
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
inline unsigned int __sad(int x, int y, unsigned int z) {
  const unsigned int UX = static_cast<unsigned int>(x), UY = static_cast<unsigned int>(y);
  return (x > y ? UX - UY : UY - UX) + z;
}
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<int64_t>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<int64_t>(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<uint64_t>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<uint64_t>(x) + y + 1) >> 1);
}
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
inline int __clzll(long long int x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long int>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long int x) { return __builtin_ffsll(x); }
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long int x) { return __builtin_popcountll(x); }
inline unsigned int __brev(unsigned int x) {
  unsigned int Result = 0;
  for (int I = 0; I < 32; ++I)
    Result |= (x >> I & 1u) << (31 - I);
  return Result;
}
inline unsigned long long int __brevll(unsigned long long int x) {
  return static_cast<unsigned long long int>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const uint64_t Bytes = static_cast<uint64_t>(y) << 32 | x;
  unsigned int Result = 0;
  for (int I = 0; I < 4; ++I)
    Result |= static_cast<unsigned int>(Bytes >> (8 * (selector >> (4 * I) & 7u)) & 0xffu) << (8 * I);
  return Result;
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(high) << 32 | low) << (shift & 31u) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31u));
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(high) << 32 | low) << (shift < 32u ? shift : 32u) >> 32);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(high) << 32 | low) >> (shift < 32u ? shift : 32u));
}

// ---- loads and stores with a cache hint ----

#define RAISE_LOAD(Name)                                                                                               \
  template <class T> T Name(const T *address) { return *address; }
RAISE_LOAD(__ldg)
RAISE_LOAD(__ldca)
RAISE_LOAD(__ldcg)
RAISE_LOAD(__ldcs)
RAISE_LOAD(__ldlu)
#undef RAISE_LOAD
namespace raise_math {
template <class T> struct Same {
  using Type = T;
};
} // namespace raise_math
#define RAISE_STORE(Name)                                                                                              \
  template <class T> void Name(T *address, typename raise_math::Same<T>::Type value) { *address = value; }
RAISE_STORE(__stwb)
RAISE_STORE(__stcg)
RAISE_STORE(__stcs)
RAISE_STORE(__stwt)
#undef RAISE_STORE

/// Nanoseconds of the host's clock. (CUDA's clock() has the name of C's, whose meaning it has here.)
inline long long int clock64() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

#endif // RAISE_DEVICE_MATH_H
