// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BENCH_NORM_H
#define BENCH_NORM_H
#define FORMS(X)                                                               \
  X(visible)                                                                   \
  X(by_hand)                                                                   \
  X(declared_pure)                                                             \
  X(declared_const)                                                            \
  X(omp_visible)                                                               \
  X(omp_by_hand)                                                               \
  X(omp_declared_pure)                                                         \
  X(omp_declared_const)
double pure_norm(const double *v, long n) __attribute__((pure));
double const_norm(const double *v, long n) __attribute__((const));

#endif
