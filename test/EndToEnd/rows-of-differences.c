// Rows that are a difference of sizes long: that the loops over them run says
// which of the two is the greater, and sizes are tested without overflow.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: printf 'machine:\n  parallel-work: 100\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: clang-19 -O2 -DMAIN %s -o %t && %t > %t.original
// RUN: clang-19 -O2 -fopenmp -DMAIN -fsanitize=undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: %clang_raise rewrite --verify --config=%t.cfg %s -o %t.c -- -fopenmp -O2 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY-NOT: warning

// CHECK-LABEL: void inner(
// CHECK: // No two iterations touch an element that one of them writes.
// CHECK-NEXT: if (R > 0 && C - D > 0) {
// CHECK-NEXT: if ((double)R * ((long long)C - D) > 200000) {
void inner(float *restrict y, const float *restrict x, float a, int R, int C, int D) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C - D; ++c)
      y[r * (C - D) + c] = a * x[r * (C - D) + c];
}

// CHECK-LABEL: void named(
// CHECK: // No two iterations touch an element that one of them writes.
// CHECK-NEXT: if (R > 0 && W > 0) {
// CHECK-NEXT: if ((double)R * W > 200000) {
void named(float *restrict y, const float *restrict x, float a, int R, int C, int D) {
  int W = C - D;
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < W; ++c)
      y[r * W + c] = a * x[r * W + c];
}

// The other way about, and a gap.
// CHECK-LABEL: void reversed(
// CHECK: Tested: {{[^≥]*}}D ≥ 0; else the original runs.
void reversed(double *restrict y, int R, int D, int C) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C - D; ++c)
      y[r * C + c + D] *= 2;
}

// Where the nest is one range, a test comes before its length.
// CHECK-LABEL: void apart(
// CHECK: for (long long rc = 0; rc < R * ((long long)C - D); ++rc)
void apart(float *y, const float *x, int R, int C, int D) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C - D; ++c)
      y[r * (C - D) + c] = x[r * (C - D) + c];
}

// A difference of longs could overflow where the nest does not come to it.
// CHECK-LABEL: void longs(
// CHECK: for (int r = 0; r < R; ++r)
void longs(float *y, const float *x, int R, long C, long D) {
  for (int r = 0; r < R; ++r)
    for (long c = 0; c < C - D; ++c)
      y[r * (C - D) + c] = x[r * (C - D) + c];
}

#ifdef MAIN
#include <limits.h>
#include <stdio.h>
enum { N = 40 };
static float x[N * N], y[N * N];
static double z[N * N];
int main(void) {
  static const int Sizes[][2] = {{0, 0},  {1, 0},   {5, 2},  {2, 5},
                                 {40, 1}, {40, 33}, {39, 0}, {-3, 4}};
  for (int i = 0; i < N * N; ++i)
    x[i] = i % 7;
  for (int R = -2; R < N; R += 3)
    for (unsigned i = 0; i < sizeof(Sizes) / sizeof(*Sizes); ++i) {
      const int C = Sizes[i][0], D = Sizes[i][1];
      inner(y, x, 3, R, C, D);
      named(y, x, 5, R, C, D);
      reversed(z, R, D, C);
      apart(y, x, R, C, D);
      longs(y, x, R, C, D);
      double Sum = 0;
      for (int k = 0; k < N * N; ++k)
        Sum += k * y[k] + (z[k] += k % 3);
      printf("%d %d %d %.17g\n", R, C, D, Sum);
    }
  // What no loop comes to.
  inner(y, x, 3, 0, INT_MAX, -1);
  inner(y, x, 3, -1, INT_MIN, 1);
  reversed(z, 0, INT_MIN, INT_MAX);
  apart(y, x, 0, INT_MAX, -1);
  apart(y, x, -5, INT_MIN, 1);
  longs(y, x, 0, LONG_MAX, -1);
  longs(y, x, -7, LONG_MIN, 1);
}
#endif
