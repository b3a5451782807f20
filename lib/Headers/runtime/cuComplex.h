/*===- cuComplex.h - CUDA's complex numbers, for C and C++ ---------------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_CUCOMPLEX_H
#define RAISE_FORWARD_CUCOMPLEX_H

#include "raise/vector_types.h"

#ifdef __cplusplus
extern "C++" {
#endif
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The quotient is scaled by the size of the divisor, so that it overflows only where the result does. */
#define RAISE_COMPLEX(Complex, Real, Make, Suffix, Prefix, Fabs, Hypot)                                                \
  RAISE_FN Complex Make(Real x, Real y) {                                                                              \
    Complex z;                                                                                                         \
    z.x = x;                                                                                                           \
    z.y = y;                                                                                                           \
    return z;                                                                                                          \
  }                                                                                                                    \
  RAISE_FN Real cuCreal##Suffix(Complex z) { return z.x; }                                                             \
  RAISE_FN Real cuCimag##Suffix(Complex z) { return z.y; }                                                             \
  RAISE_FN Complex cuConj##Suffix(Complex z) { return Make(z.x, -z.y); }                                          \
  RAISE_FN Complex Prefix##add##Suffix(Complex a, Complex b) { return Make(a.x + b.x, a.y + b.y); }                    \
  RAISE_FN Complex Prefix##sub##Suffix(Complex a, Complex b) { return Make(a.x - b.x, a.y - b.y); }                    \
  RAISE_FN Complex Prefix##mul##Suffix(Complex a, Complex b) {                                                         \
    return Make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                         \
  }                                                                                                                    \
  RAISE_FN Complex Prefix##div##Suffix(Complex a, Complex b) {                                                         \
    Real scale = 1 / (Fabs(b.x) + Fabs(b.y));                                                                          \
    Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                       \
    Real norm = 1 / (bx * bx + by * by);                                                                               \
    return Make((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);                                               \
  }                                                                                                                    \
  RAISE_FN Real Prefix##abs##Suffix(Complex z) { return Hypot(z.x, z.y); }                                             \
  RAISE_FN Complex Prefix##fma##Suffix(Complex a, Complex b, Complex c) {                                              \
    return Make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                                             \
  }
RAISE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, cuC, fabsf, hypotf)
RAISE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , cuC, fabs, hypot)
#undef RAISE_COMPLEX
RAISE_FN cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
RAISE_FN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex((double)z.x, (double)z.y);
}
RAISE_FN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif /* RAISE_FORWARD_CUCOMPLEX_H */
