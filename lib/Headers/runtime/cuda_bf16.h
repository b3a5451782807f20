//===- cuda_bf16.h - bfloat16 ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_CUDA_BF16_H
#define RAISE_CUDA_BF16_H

#include "raise/small_float.h"

RAISE_SMALL_FLOAT(__nv_bfloat16, 7, 8)
RAISE_SMALL_PAIR(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

RAISE_HD __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
RAISE_HD __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
RAISE_HD __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
RAISE_HD __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
RAISE_HD float __bfloat162float(__nv_bfloat16 x) { return static_cast<float>(x); }
RAISE_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
RAISE_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  __nv_bfloat16 h;
  h.__x = x;
  return h;
}
RAISE_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
RAISE_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
RAISE_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
RAISE_HD __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a)); }
RAISE_HD __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y)); }
RAISE_HD float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(__low2float(a), __high2float(a)); }
RAISE_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
RAISE_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }

#endif // RAISE_CUDA_BF16_H
