// Loops whose condition tests a sum of their variable run over a range like others.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2> %t.remarks
// RUN: FileCheck %s < %t.c
// RUN: %clang -O2 -w %s -o %t && %t > %t.original
// RUN: %clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -Wall -Wextra -Werror -Wno-sign-compare -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.clang
// RUN: %gcc -O2 -fopenmp -Wall -Wextra -Werror -Wno-sign-compare %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.clang %t.original
// RUN: diff %t.gcc %t.original
// RUN: %clang_raise grad %s --function=neighbours --alias=assume -o %t.adjoint.c -- -O2
// RUN: FileCheck --check-prefix=ADJOINT %s < %t.adjoint.c
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

// CHECK-LABEL: void next(
// CHECK: for (long long i = 0; i < n - 1LL; ++i)
// CHECK-NEXT: y[i] = x[i] + x[i + 1];
void next(int n, double *restrict y, const double *restrict x) {
  for (int i = 0; i + 1 < n; i++)
    y[i] = x[i] + x[i + 1];
}

// CHECK-LABEL: void blocks(
// CHECK: for (long long i = 0; i < n - 3LL; i += 4)
void blocks(int n, double *restrict y, const double *restrict x) {
  for (int i = 0; i + 3 < n; i += 4)
    y[i] = x[i] - x[i + 3];
}

// CHECK-LABEL: void apart(
// CHECK: i < (long long)n - k
void apart(int n, int k, double *restrict y, const double *restrict x) {
  for (int i = 0; n > k + i; i++)
    y[i] = x[i] * x[i + k];
}

// CHECK-LABEL: void sizes(
// CHECK: i < (n > 1 ? n - 1 : 0)
void sizes(size_t n, double *restrict y, const double *restrict x) {
  for (size_t i = 0; i + 1 < n; i++)
    y[i] = x[i] + 2 * x[i + 1];
}

// CHECK-LABEL: void down(
// CHECK: for (int i =
void down(int n, double *restrict y, const double *restrict x) {
  for (int i = n - 1; i - 1 >= 0; i--)
    y[i] = x[i] * x[i - 1];
}

// It is used after the loop.
// CHECK-LABEL: int left(
// CHECK: // clang-raise: left:1
int left(int n, double *restrict y, const double *restrict x) {
  int i;
  for (i = 2; i + 2 <= n; i++)
    y[i] = x[i] * 3;
  return i;
}

// The sum wraps: the loop may end early, or never.
// CHECK-LABEL: void wraps(
// CHECK-NOT: {{^}}  // clang-raise:
// CHECK: {{^}}}
void wraps(size_t n, double *restrict y) {
  for (size_t i = 0; i - 1 < n; i += 3)
    y[i] = 1;
}

// ADJOINT-LABEL: void neighbours_adjoint(
// ADJOINT-NOT: tape
// ADJOINT: for (long long k = 0; k < n - 1LL; ++k)
double neighbours(int n, const double *x) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++)
    s += x[i] * x[i + 1];
  return s;
}

int main(void) {
  static double x[64], y[64];
  for (int i = 0; i < 64; ++i)
    x[i] = i * i % 11;
  const int sizes_[] = {INT_MIN, -1, 0, 1, 2, 3, 4, 5, 8, 33, 64};
  for (int s = 0; s < 11; ++s) {
    const int n = sizes_[s];
    next(n, y, x);
    down(n < 0 ? 0 : n, y, x);
    blocks(n, y, x);
    for (int k = 0; k < 5; k += 2)
      apart(n, k, y, x);
    apart(n, n < 0 ? 0 : n, y, x);
    sizes(n < 0 ? 0 : n, y, x);
    printf("%d %g\n", left(n < -5 ? -5 : n, y, x), neighbours(n, x));
    for (int i = 0; i < 64; ++i)
      printf("%g ", y[i]);
  }
  next(INT_MIN, y, x);
  wraps((size_t)-1, y);
  printf("%g\n", y[0]);
}
