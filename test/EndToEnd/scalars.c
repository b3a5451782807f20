// Scalars that carry a plain value between iterations: closed forms, the
// iteration before, last values, places of extrema. The same in every case, at
// every number of threads.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -DN=300000 %t.c -o %t && %t > %t.raised
// RUN: env OMP_NUM_THREADS=4 %t > %t.raised4
// RUN: clang-19 -O2 -Wall -Wextra -DN=300000 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.raised4 %t.original
#include <stdio.h>
#ifndef N
#define N 10
#endif
double a[4 * N], b[4 * N], c[4 * N];

// CHECK: scalars.c:[[#@LINE+3]]:{{.*}}raised to a map
int pairs(int n, int j) {
  // Two updates; both are needed afterwards.
  for (int i = 0; i < n; i++) {
    j++;
    a[j] = b[i] + c[i];
    j++;
    a[j] = b[i] - c[i];
  }
  return j;
}

// CHECK: scalars.c:[[#@LINE+2]]:{{.*}}raised to a map
unsigned char wrapping(int n, unsigned char k) {
  for (int i = n - 1; i >= 0; i--) {
    a[i] = k;
    k += 37;
  }
  return k;
}

// CHECK: scalars.c:[[#@LINE+3]]:{{.*}}raised to
long nest(int n, long k) {
  // The inner loop's total is a step of the outer one.
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 7; j++)
      a[k++] = b[i] * j;
    k += 2;
  }
  return k;
}

// CHECK: scalars.c:[[#@LINE+2]]:{{.*}}raised to
void walk(const double *restrict p, double *restrict q, int n) {
  for (int i = 0; i < n; i++) {
    *q++ = *p * 2.0;
    p += 2;
  }
}

// CHECK: scalars.c:[[#@LINE+2]]:{{.*}}raised to
double before(int n, double x, double y) {
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + x - y;
    y = x;
    x = c[i];
  }
  return x + y;
}

int main(void) {
  for (int i = 0; i < 4 * N; ++i) {
    b[i] = (i * 7L) % 101 - 50;
    c[i] = i % 13 - 6;
  }
  double s = 0;
  const int sizes[] = {0, 1, 2, 3, N};
  for (int t = 0; t < 5; ++t) {
    int n = sizes[t];
    s += pairs(n, -1);
    for (int i = 0; i < 2 * n; ++i)
      s += a[i] * (i % 17);
    s += wrapping(n, 250);
    for (int i = 0; i < n; ++i)
      s += a[i] * (i % 17);
    s += nest(n / 4, 1);
    for (int i = 0; i < 2 * n; ++i)
      s += a[i] * (i % 17);
    walk(b, a, n);
    for (int i = 0; i < n; ++i)
      s += a[i] * (i % 17);
    s += before(n, 3.0, 4.0);
    for (int i = 0; i < n; ++i)
      s += a[i] * (i % 17);
    printf("%.17g\n", s);
  }
  return 0;
}
