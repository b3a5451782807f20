// Loops that are cut where their dependences cross: the pieces run in parallel
// and do the same at every number of threads.
// RUN: %clang_raise rewrite %s --fp=strict -o %t.c -- -fopenmp -O2 -DN=400001 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -DN=400001 %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror -DN=400001 %t.c -o %t.gcc && %t.gcc > %t.other
// RUN: clang-19 -O2 -Wall -Wextra -DN=400001 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.one %t.original
// RUN: diff %t.other %t.original
#include <stdio.h>
#ifndef N
#define N 11
#endif
double a[N], b[N], c[N];

// REMARK: split-range.c:[[#@LINE+2]]:{{.*}}raised
void alone(double *x, const double *y, int n, int m) {
  for (int i = 0; i < n; ++i)
    x[i] = x[m] * 0.5 + y[i];
  // CHECK: if (m >= 0 && n > m && n - (m + 1LL) <= 2147483647 &&
  // CHECK: {{^ *}}for (int i = 0; i < m; ++i)
  // CHECK: {{^ *}}x[m] = x[m] * 0.5 + y[m];
  // CHECK: {{^ *}}for (int i = m + 1; i < n; ++i)
}

// REMARK: split-range.c:[[#@LINE+2]]:{{.*}}raised
void mirror(int n) {
  for (int i = 0; i < n; ++i) {
    double x = a[n - i - 1] + b[i] * c[i];
    a[i] = x - 1.0;
    b[i] = x;
  }
  // CHECK: {{^ *}}for (int i = 0; i < (n - 1) / 2 + 1; ++i) {
  // CHECK: {{^ *}}for (int i = (n - 1) / 2 + 1; i < n; ++i) {
}

// REMARK: split-range.c:[[#@LINE+2]]:{{.*}}raised
void first(int n) {
  for (int i = 0; i < n; ++i)
    c[i] = c[0];
}

// REMARK: split-range.c:[[#@LINE+2]]:{{.*}}[CR1603
void everywhere(int n) {
  for (int i = 1; i < n; ++i)
    a[i] = a[i - 1] * 0.5 + b[i];
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = i % 7 * 0.25;
    b[i] = i % 5 * 0.125;
    c[i] = i % 11 * 0.5;
  }
  alone(a, b, N, N / 3);
  alone(a, b, N, 0);
  alone(b, c, N, N - 1);
  alone(b, c, N / 2, N - 1); // the point lies outside: the original runs
  alone(c, c + 1, N - 1, 5); // the buffers overlap: likewise
  mirror(N);
  mirror(N - 1);
  mirror(1);
  mirror(0);
  everywhere(N);
  double s = 0, t = 0, u = 0;
  for (int i = 0; i < N; ++i) {
    s += a[i] * (i % 13);
    t += b[i] * (i % 17);
    u += c[i] * (i % 19);
  }
  first(N);
  printf("%a %a %a %a\n", s, t, u, c[N - 1]);
}
