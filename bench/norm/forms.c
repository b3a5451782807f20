// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector divided by its norm, which every iteration computes anew: all forms
// in which people write it.
#include "norm.h"
#include <math.h>

static inline double norm(const double *v, long n) {
  double s = 0;
  for (long j = 0; j < n; ++j)
    s += v[j] * v[j];
  return sqrt(s);
}

void visible(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

void by_hand(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long j = 0; j < n; ++j)
      s += in[j] * in[j];
    out[i] = in[i] / sqrt(s);
  }
}

void declared_pure(double *restrict out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / pure_norm(in, n);
}

void declared_const(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / const_norm(in, n);
}

void omp_visible(double *out, const double *in, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

void omp_by_hand(double *out, const double *in, long n) {
  long i, j;
  double s;
#pragma omp parallel for default(none) private(j, s) shared(out, in, n)
  for (i = 0; i < n; ++i) {
    s = 0;
    for (j = 0; j < n; ++j)
      s += in[j] * in[j];
    out[i] = in[i] / sqrt(s);
  }
}

void omp_declared_pure(double *restrict out, const double *in, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / pure_norm(in, n);
}

void omp_declared_const(double *out, const double *in, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / const_norm(in, n);
}
