// Index arrays are looked at first where their values decide which part of
// another array is used: through pointers that may overlap.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=CODE %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -lm -o %t && %t > %t.raised
// RUN: env OMP_NUM_THREADS=4 %t > %t.raised4
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -lm -o %t.gcc && %t.gcc > %t.gcc.raised
// RUN: clang-19 -O2 -Wall -Wextra -Wno-unknown-pragmas %s -lm -o %t.o && %t.o > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.raised4 %t.original
// RUN: diff %t.gcc.raised %t.original
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: inspect.c:[[#@LINE+5]]:{{.*}}raised to
// CODE-LABEL: void rows(
// CODE: int index_least = 0;
// CODE: if (index[i] < index_least)
void rows(float *out, const int *index, const float *table, int n, int w) {
  for (int i = 0; i < n; i++) {
    int row = index[i];
    const float *from = table + row * w;
    for (int j = 0; j < w; j++)
      out[i * w + j] = from[j];
  }
}

// A name of the author's own; a index that is no variable.
// CHECK: inspect.c:[[#@LINE+5]]:{{.*}}raised to
// CODE-LABEL: int logs(
// CODE: int k_least_2 = 0;
// CODE: if (k[i + 1] < k_least_2)
int logs(double *out, const int *k, const double *x, long n, int k_least) {
  for (long i = 0; i < n; i++)
    out[i] = log(x[k[i + 1] + k_least]);
  return k_least;
}

// A loop that goes on from what its variable holds: the one that looks at the
// indices has a variable of its own, and starts there too.
// CODE-LABEL: int resume(
// CODE: for (int i_2 = i; i_2 < n; ++i_2) {
// CODE-NEXT: if (k[i_2] < k_least)
// CODE: for (int i_3 = i; i_3 < n; ++i_3)
// CODE-NEXT: out[i_3] = exp(x[k[i_3]]);
int resume(double *out, const int *k, const double *x, int n, int i) {
  for (; i < n; i++)
    out[i] = exp(x[k[i]]);
  return i;
}

// Sparse rows: the index arrays of rows and columns are both looked at. That
// costs as much as the loop, which stays.
// CHECK: inspect.c:[[#@LINE+2]]:{{.*}}not rewritten: looking at the indices first would cost as much as the loop [CR1602
void spmv(double *y, const int *restrict row, const int *col, const double *restrict a, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = row[i]; j < row[i + 1]; j++)
      s += a[j] * x[col[j]];
    y[i] = s;
  }
}

// Not read in every iteration: looking at it might fault.
// CHECK: inspect.c:[[#@LINE+2]]:{{.*}}CR1105
void sometimes(double *out, const int *k, const double *x, const char *use, long n) {
  for (long i = 0; i < n; i++)
    if (use[i])
      out[i] = exp(x[k[i]]);
}

// CHECK: inspect.c:[[#@LINE+2]]:{{.*}}CR1105
void arm(double *out, const int *k, const double *x, const char *use, long n) {
  for (long i = 0; i < n; i++)
    out[i] = exp(use[i] ? x[k[i]] : 0.0);
}

// CHECK: inspect.c:[[#@LINE+2]]:{{.*}}CR1105
void second(double *out, const int *k, const double *x, const char *use, long n) {
  for (long i = 0; i < n; i++)
    out[i] = exp(use[i] && x[k[i]] > 0.0);
}

// Written in the loop.
// CHECK: inspect.c:[[#@LINE+2]]:{{.*}}CR11
void moves(double *out, int *k, const double *x, long n) {
  for (long i = 0; i < n; i++) {
    out[i] = exp(x[k[i]]);
    k[i] += 1;
  }
}

static double sum(const void *p, size_t n, int wide) {
  double s = 0;
  for (size_t i = 0; i < n; ++i)
    s += (wide ? ((const double *)p)[i] : (double)((const float *)p)[i]) * (1.0 + (double)(i % 7));
  return s;
}

int main(void) {
  enum { N = 40000, W = 16 };
  int *index = malloc((N + 2) * sizeof(int)), *row = malloc((N + 2) * sizeof(int));
  float *table = malloc((2 * N + 1) * W * sizeof(float));
  double *x = malloc(4 * N * sizeof(double)), *y = malloc(4 * N * sizeof(double));
  char *use = malloc(N);
  for (int i = 0; i < N + 2; ++i) {
    index[i] = (int)((i * 7919L) % N);
    row[i] = i;
  }
  for (int i = 0; i < 2 * N * W; ++i)
    table[i] = (float)(i % 1001);
  for (int i = 0; i < 4 * N; ++i)
    x[i] = 1.0 + i % 97;
  for (int i = 0; i < N; ++i)
    use[i] = i % 3 == 0;
  const int sizes[] = {0, 1, 5, N};
  for (int t = 0; t < 4; ++t) {
    int n = sizes[t];
    float *out = malloc(((size_t)n * W + 1) * sizeof(float));
    rows(out, index, table, n, W);
    printf("%.17g\n", sum(out, (size_t)n * W, 0));
    free(out);
    // The target is a part of the table that the indices lead to, and one that
    // they do not.
    rows(table + N / 2 * W, index, table, n / 4, W);
    printf("%.17g\n", sum(table, (size_t)N * W, 0));
    rows(table + N * W, index, table, n, W);
    printf("%.17g\n", sum(table, (size_t)2 * N * W, 0));
    printf("%d\n", logs(y, index, x, n, 3));
    logs(x + 100, index, x, n / 2, 1); // overlaps
    printf("%.17g\n", sum(x, 4 * N, 1) + sum(y, n, 1));
    for (int i = 0; i < 4 * N; ++i)
      x[i] = 1.0 + i % 97;
    // Negative indices, from the middle.
    for (int i = 0; i < N + 2; ++i)
      index[i] -= N / 2;
    logs(y, index, x + N, n, 3);
    printf("%.17g\n", sum(y, n, 1));
    logs(x + N, index, x + N, n, 3); // overlaps
    printf("%.17g\n", sum(x, 4 * N, 1));
    for (int i = 0; i < N + 2; ++i)
      index[i] += N / 2;
    for (int i = 0; i < 4 * N; ++i)
      x[i] = 0.01 * (i % 97);
    printf("%d\n", resume(y, index, x, n, n / 3));
    printf("%.17g\n", sum(y, n, 1));
    printf("%d\n", resume(x + N / 2, index, x, n, n / 3)); // overlaps
    printf("%.17g\n", sum(x, 4 * N, 1));
    spmv(y, row, index, x, x, n);
    sometimes(y, index, x, use, n);
    arm(y, index, x, use, n);
    second(y, index, x, use, n);
    moves(y, row, x, n);
    printf("%.17g\n", sum(y, n, 1));
    for (int i = 0; i < 4 * N; ++i)
      x[i] = 1.0 + i % 97;
    for (int i = 0; i < N + 2; ++i)
      row[i] = i;
  }
  return 0;
}
