//===- cuda_fp16.h - half precision ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_CUDA_FP16_H
#define RAISE_CUDA_FP16_H

#include "raise/small_float.h"

RAISE_SMALL_FLOAT(__half, 10, 5)
RAISE_SMALL_PAIR(__half, __half2)
typedef __half half;
typedef __half2 half2;

RAISE_HD __half __float2half(float x) { return __half(x); }
RAISE_HD __half __float2half_rn(float x) { return __half(x); }
RAISE_HD __half __double2half(double x) { return __half(x); }
RAISE_HD __half __int2half_rn(int x) { return __half(x); }
RAISE_HD float __half2float(__half x) { return static_cast<float>(x); }
RAISE_HD unsigned short __half_as_ushort(__half x) { return x.__x; }
RAISE_HD __half __ushort_as_half(unsigned short x) {
  __half h;
  h.__x = x;
  return h;
}
RAISE_HD __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
RAISE_HD __half2 __half2half2(__half a) { return __half2(a, a); }
RAISE_HD __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
RAISE_HD __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
RAISE_HD __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
RAISE_HD float2 __half22float2(__half2 a) { return make_float2(__low2float(a), __high2float(a)); }
RAISE_HD __half __low2half(__half2 a) { return a.x; }
RAISE_HD __half __high2half(__half2 a) { return a.y; }

#endif // RAISE_CUDA_FP16_H
