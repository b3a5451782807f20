// What is computed before several loops is declared before the one test for
// their threads, also where a loop computes it.
// RUN: %clang_raise rewrite %s --fp=strict -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: gcc -O2 -ffp-contract=off %s -o %t && %t > %t.original
// RUN: gcc -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static double total(const double *p, int count) {
  double sum = 0;
  for (int q = 0; q < count; q++)
    sum += p[q];
  return sum;
}

// CHECK-LABEL: void center(
// CHECK: int count = (int)m;
// CHECK-NEXT: double sum = 0;
// CHECK-NEXT: if (n > 200000) {
// CHECK-NEXT: for (int q = 0; q < count; ++q)
// CHECK: #pragma omp parallel for simd
// CHECK: } else {
// CHECK-NEXT: for (int q = 0; q < count; ++q)
// CHECK: #pragma omp simd
void center(size_t n, size_t m, double *a, double *c) {
  for (size_t i = 0; i < n; i++) {
    double t = total(a, (int)m);
    c[i] = a[i] - t;
  }
}

int main(void) {
  const size_t sizes[] = {0, 1, 5, 1000, 300000};
  double *a = malloc(sizeof(double) * 300000),
         *c = malloc(sizeof(double) * 300000);
  for (int k = 0; k < 5; ++k) {
    const size_t n = sizes[k], m = n < 20 ? n : 20;
    for (size_t i = 0; i < n; ++i)
      a[i] = 0.1 * (double)(i % 13);
    center(n, m, a, c);
    double s = 0;
    for (size_t i = 0; i < n; ++i)
      s += c[i];
    printf("%.17g\n", s);
  }
  free(a);
  free(c);
  return 0;
}
