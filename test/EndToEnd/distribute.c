// Loops whose iterations are free once they are taken apart: what is written
// where each iteration computes enough (here: any amount) does the same.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --fp=strict --config=%t.cfg -o %t.c -- -fopenmp -O2 -DN=300000 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -DN=300000 %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: clang-19 -O2 -Wall -Wextra -DN=300000 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.one %t.original
// As a rule two passes over the data for one do not pay, unless they are vector
// code and go strip by strip.
// RUN: %clang_raise rewrite %s --function=conditions -o %t.c -- -fopenmp -O2 -DN=300000 2>%t.err
// RUN: FileCheck --check-prefix=LEFT %s < %t.err
// RUN: diff %s %t.c
#include <stdio.h>
#ifndef N
#define N 10
#endif
#define M 300
double a[N + 1], b[N + 1], c[N + 1], d[N + 1];

// REMARK: distribute.c:[[#@LINE+2]]:{{.*}}raised to a nest: y[i] += x[i+1]
void reorder(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] *= c[i];
    y[i] += x[i + 1] * d[i];
  }
  // CHECK: {{^ *}}#pragma omp parallel for
  // CHECK-NEXT: for
  // CHECK-NEXT: {{^ *}}y[i] += x[i + 1] * d[i];
  // CHECK-NEXT: {{^ *}}#pragma omp parallel for
  // CHECK-NEXT: for
  // CHECK-NEXT: {{^ *}}x[i] *= c[i];
  // CHECK-NEXT: {{^ *}}} else {
}

// REMARK: distribute.c:[[#@LINE+3]]:{{.*}}raised to a nest
void scalars(int n) {
  double t;
  for (int i = 1; i < n; ++i) {
    t = a[i] + b[i];
    a[i] = t + c[i - 1];
    t = c[i] * d[i];
    c[i] = t;
  }
}

// REMARK: distribute.c:[[#@LINE+3]]:{{.*}}raised to a nest
// LEFT: distribute.c:[[#@LINE+2]]:{{.*}}writes in 2 passes over the data what the loop writes in 1 [CR1602
void conditions(int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 1.0) {
      if (b[i] < 0.5)
        a[i] += c[i] * d[i];
      b[i + 1] = c[i] + d[i] * d[i];
    }
  }
}

// REMARK: distribute.c:[[#@LINE+2]]:{{.*}}raised to a nest
void split(int n) {
  for (int i = 0; i < n; ++i) {
    a[i] = b[i] + c[i] * d[i];
    b[i] = c[i] + b[i];
    a[i + 1] = b[i] + a[i + 1] * d[i];
  }
  // CHECK: {{^ *}}const double b_i = c[i] + b[i];
  // CHECK-NEXT: {{^ *}}a[i + 1] = b_i + a[i + 1] * d[i];
}

// What keeps its order stands before what is free; no more passes than before.
double rows[M][M], from[M][M], sums[M];
// REMARK: distribute.c:[[#@LINE+2]]:{{.*}}raised to a nest
void rests(int n) {
  for (int i = 1; i < n; ++i) {
    sums[i] = sums[i - 1] * sums[i - 1] + 0.25;
    for (int j = 1; j < n; ++j)
      rows[i][j] = from[i][j] * 2 + rows[i - 1][0];
  }
  // CHECK: {{^ *}}sums[i] = sums[i - 1] * sums[i - 1] + 0.25;
  // CHECK-NEXT: {{^ *}}if (n > 1) {
  // CHECK-NEXT: {{^ *}}#pragma omp parallel for
  // CHECK-NEXT: {{^ *}}for (int i = 1; i < n; ++i) {
}

// The recurrence holds what it needs; nothing is taken out of it.
// REMARK: distribute.c:[[#@LINE+2]]:{{.*}}[CR1603
void cycle(int n) {
  for (int i = 1; i < n; ++i) {
    a[i] = b[i - 1] * 0.5;
    b[i] = a[i - 1] + c[i];
  }
}

int main(void) {
  for (int i = 0; i <= N; ++i) {
    a[i] = i % 7 * 0.25;
    b[i] = i % 5 * 0.125;
    c[i] = i % 11 * 0.5;
    d[i] = i % 3;
  }
  reorder(a, b, N);
  reorder(a, a + 1, N - 1); // overlap: the original runs
  scalars(N);
  conditions(N);
  split(N);
  cycle(N);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j)
      from[i][j] = i * 0.5 - j;
  rests(M);
  double s = 0, t = 0, u = 0;
  for (int i = 0; i < N; ++i) {
    s += a[i] * (i % 13);
    t += b[i] * (i % 17);
    u += c[i] * (i % 19);
  }
  double v = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j)
      v += rows[i][j] * (i % 7) + sums[i];
  printf("%a %a %a %a\n", s, t, u, v);
}
