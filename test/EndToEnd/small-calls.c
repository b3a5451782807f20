// Calls of little work pass a test of one operation for each size, before the
// one that multiplies them; where a size is no parameter it is not asked first.
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -O2 -fopenmp -Wall
// RUN: FileCheck %s < %t.c
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -DMAIN %t.c -o %t.run
// RUN: env OMP_NUM_THREADS=2 %t.run
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -DMAIN %t.c -o %t.gcc
// RUN: env OMP_NUM_THREADS=2 %t.gcc
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK-LABEL: void rows(
// CHECK: if ((n | m) >= 256 && (double)n * m > 200000) {
void rows(float *y, const float *x, const float *w, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; ++i)
      y[r * m + i] = x[r * m + i] * w[i];
}

// The bits of a square's side are its own.
// CHECK-LABEL: void square(
// CHECK-NOT: |
// CHECK: if (n > 500) {
void square(float *y, const float *x, const float *w, int n) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < n; ++i)
      y[r * n + i] = x[r * n + i] * w[i];
}

// Sizes of two types share no test: one would be converted.
// CHECK-LABEL: void mixed(
// CHECK: if ((double)n * m > 200000) {
void mixed(float *y, const float *x, const float *w, int n, size_t m) {
  for (int r = 0; r < n; ++r)
    for (size_t i = 0; i < m; ++i)
      y[(size_t)r * m + i] = x[(size_t)r * m + i] * w[i];
}

// What is divided first is not asked first, nor is its row.
// CHECK-LABEL: void heads(
// CHECK: if ((b | t) > 1 && (double)b * t * size > 200000 &&
void heads(float *y, const float *x, int b, int t, int c, int parts) {
  const int size = c / parts;
  for (int r = 0; r < b; ++r)
    for (int s = 0; s < t; ++s)
      for (int i = 0; i < size; ++i)
        y[((size_t)r * t + s) * size + i] = x[((size_t)r * t + s) * size + i];
}

#ifdef MAIN
static int differs(int n, int m) {
  const size_t size = n > 0 && m > 0 ? (size_t)n * m : 0;
  float *x = malloc((size + 1) * sizeof *x), *w = malloc((m > 0 ? m + 1 : 1) * sizeof *w),
        *y = malloc((size + 1) * sizeof *y), *z = malloc((size + 1) * sizeof *z);
  for (size_t i = 0; i <= size; ++i) {
    x[i] = 0.25f * (float)(i % 1001);
    y[i] = z[i] = -1;
  }
  for (int i = 0; i < m; ++i)
    w[i] = (float)(i % 7);
  rows(y, x, w, n, m);
  if (m >= 0)
    mixed(z, x, w, n, (size_t)m);
  else
    rows(z, x, w, n, m);
  int wrong = 0;
  for (size_t i = 0; i < size; ++i)
    wrong += y[i] != x[i] * w[i % m] || z[i] != y[i];
  wrong += y[size] != -1 || z[size] != -1;
  heads(z, x, n, 1, 2 * m, 2);
  for (size_t i = 0; i < size; ++i)
    wrong += z[i] != x[i];
  wrong += z[size] != -1;
  free(x), free(w), free(y), free(z);
  return wrong;
}

int main(void) {
  static const int sizes[] = {-1, 0, 1, 2, 255, 256, 257, 1000};
  enum { Count = sizeof sizes / sizeof *sizes };
  for (int i = 0; i < Count; ++i)
    for (int j = 0; j < Count; ++j)
      if (differs(sizes[i], sizes[j])) {
        printf("%d x %d\n", sizes[i], sizes[j]);
        return 1;
      }
  float *x = calloc(600 * 600, sizeof *x), *y = calloc(600 * 600, sizeof *y);
  for (int i = 0; i < 600 * 600; ++i)
    x[i] = (float)(i % 13);
  square(y, x, x, 600);
  for (int i = 0; i < 600 * 600; ++i)
    if (y[i] != x[i] * x[i % 600])
      return 2;
  free(x), free(y);
  return 0;
}
#endif
