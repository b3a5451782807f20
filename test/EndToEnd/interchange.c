// A loop that keeps its order around one that is free: the free one goes
// outside, and each element is still made in its order.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --fp=strict --config=%t.cfg -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: clang-19 -O2 -ffp-contract=off -Wall -Wextra %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.one %t.original
// RUN: clang-19 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <limits.h>
#include <stdio.h>
#define N 60
double a[N][N], b[N][N], c[N][N], x[N], y[N];

// REMARK: interchange.c:[[#@LINE+2]]:{{.*}}raised to a contraction: c[i,j] += Σ_k a[i,k]·b[k,j]
void product(int n) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        c[i][j] += a[i][k] * b[k][j];
  // CHECK: {{^ *// }}Tiles of 2 x 16 sums, which stay in registers.
  // CHECK: {{^ *}}#pragma omp parallel for collapse(2)
  // CHECK: {{^ *}}for (int i = i_rest; i < n; ++i)
  // CHECK-NEXT: for (int k = 0; k < n; ++k)
}

// The sum of a row in one variable, the rows from outside in.
// REMARK: interchange.c:[[#@LINE+4]]:{{.*}}raised to a contraction
void columns(int m, int n) {
  int i, j, k;
  double s;
  for (i = 0; i < m; ++i)
    for (j = 0; j < n; ++j) {
      s = 0;
      for (k = i + 1; k < m; ++k) {
        b[k][j] += 0.5 * a[i][k] * b[i][j];
        s += b[k][j] * a[i][k];
      }
      b[i][j] = b[i][j] / (1 + s * s);
    }
  // CHECK: {{^ *// }}s += b[k,j]·a[i,k]
  // CHECK: {{^ *}}#pragma omp parallel for
  // CHECK-NEXT: for (long long j_band = 0; j_band < n; j_band += 64) {
  // CHECK: {{^ *}}for (int i = 0; i < m; ++i) {
}

// `m - 1` is computed only where it was.
// REMARK: interchange.c:[[#@LINE+2]]:{{.*}}raised to a contraction
void rows(int n, int m) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < m - 1; ++i)
      y[i] += a[i][k] * x[k];
  // CHECK: {{^ *// }}Loops interchanged.
  // CHECK: {{^ *}}if (0 < n) {
}

// Neither loop is free of the other.
// REMARK: interchange.c:[[#@LINE+2]]:{{.*}}not raised further: iteration i reads 'a[i - 1][j + 1]'
void skewed(int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < n - 1; ++j)
      a[i][j] = a[i][j] + a[i - 1][j + 1] * a[i][j + 1];
}

// The range of the inner loop hangs on the outer one.
// REMARK: interchange.c:[[#@LINE+2]]:{{.*}}not raised further: the iterations of 'i' update one element, 'y[j]', one after the other [CR1101
void staircase(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      y[j] += x[i];
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = 1.0 / (1 + i + 2 * j);
      b[i][j] = 1.0 / (3 + 2 * i + j);
      x[i] = 0.25 + i;
      y[i] = 0.5 * i;
    }
  product(N);
  product(0);
  product(1);
  columns(N, N);
  columns(0, N);
  columns(2, 1);
  rows(N / 2, N / 2);
  rows(0, INT_MIN);
  rows(1, 1);
  skewed(N);
  staircase(N);
  double s = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      s += a[i][j] + b[i][j] * c[j][i] * (i - j);
  for (int i = 0; i < N; ++i)
    s += y[i];
  printf("%a\n", s);
}
