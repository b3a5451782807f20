// OpenMP counts the iterations beforehand, in the variable's type: where that
// sum overflows and the loop does not, the original runs.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2
// RUN: FileCheck %s < %t.c
// RUN: %clang -O2 %s -o %t && %t > %t.original
// RUN: %clang -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.clang
// RUN: %gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.clang %t.original
// RUN: diff %t.gcc %t.original
// RUN: %clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <limits.h>
#include <stdio.h>

// CHECK-LABEL: {{^}}void every(
// CHECK: Tested: n + 2·s < 2³¹; s > 0; else the original runs.
// CHECK: if (n + 2LL * s <= 2147483647 && s > 0) {
void every(int n, int s, double *a) {
  for (int i = 0; i < n; i += s)
    a[i] = a[i] * 2 + 1;
}

// CHECK-LABEL: {{^}}void fifth(
// CHECK: n <= 2147483639
void fifth(int n, double *a) {
  for (int i = 0; i < n; i += 5)
    a[i] = a[i] * 2 + 1;
}

// An even step from zero never passes a bound that it cannot pass by itself.
// CHECK-LABEL: {{^}}void second(
// CHECK-NOT: 21474836
// CHECK: {{^}}}
void second(int n, double *a) {
  for (int i = 0; i < n; i += 2)
    a[i] = a[i] * 2 + 1;
}

// CHECK-LABEL: {{^}}void once(
// CHECK-NOT: #pragma
// CHECK: {{^}}}
void once(int n, double *a) {
  for (int i = 0; i < n; i += 1500000000)
    a[i] = a[i] * 2 + 1;
}

// CHECK-LABEL: {{^}}double sum(
// CHECK: if (n <= 2305843009213693951LL && s <= 2305843009213693951LL && s > 0) {
double sum(long long n, long long s, const double *a) {
  double t = 0;
  for (long long i = 0; i < n; i += s)
    t += a[i];
  return t;
}

// No test of the inner loop's can stand before the nest.
// CHECK-LABEL: {{^}}void rows(
// CHECK-NOT: simd
// CHECK: {{^}}}
void rows(int m, const int *from, int n, int s, double *restrict y, const double *restrict x) {
  for (int i = 0; i < m; ++i) {
    double t = 0;
    for (int j = from[i]; j < n; j += s)
      t += x[j];
    y[i] = t;
  }
}

// The test of a loop that does not run computes nothing that the loop does not.
int last(int lo, int hi, int s, double *a) {
  int c = 0;
  double k = 9;
  for (int i = lo; i < hi; i += s) {
    a[c] = k;
    c++;
    k = i;
  }
  return c + (int)k;
}

int main(void) {
  static double a[400], b[4], y[3];
  const int from[3] = {0, 1, 2};
  for (int i = 0; i < 400; ++i)
    a[i] = i;
  for (int s = 1; s < 9; s += 3)
    every(300, s, a);
  every(400, INT_MAX, a);
  every(3, INT_MAX, a);
  every(INT_MIN, 7, a);
  fifth(399, a);
  second(399, a);
  once(1000000000, a);
  once(3, a);
  printf("%g %g\n", sum(400, 7, a), sum(400, LLONG_MAX, a));
  printf("%g\n", sum(3, LLONG_MAX / 2 + 2, a));
  rows(3, from, 400, INT_MAX - 5, y, a);
  printf("%g %g %g\n", y[0], y[1], y[2]);
  printf("%d %d %d\n", last(INT_MAX, 0, 5, b), last(0, 3, INT_MAX, b), last(-2, 9, 4, b));
  for (int i = 0; i < 400; ++i)
    printf("%g\n", a[i]);
}
