// Bounds, sizes and addresses at the ends of their types: where the original
// does nothing, or little, that is defined, so is what is written.
// RUN: mkdir -p %t.dir && cp %s %t.dir/a.c && printf 'machine:\n  parallel-work: 1\n' > %t.dir/.clang-raise
// RUN: %clang_raise rewrite %t.dir/a.c -o %t.always.c -- -fopenmp -O2 -fno-math-errno
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 -fno-math-errno
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -fopenmp -no-pie %t.c -lm -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: gcc -O2 -fopenmp -no-pie %t.c -lm -o %t.gcc && env OMP_NUM_THREADS=4 %t.gcc
// RUN: clang-19 -O2 -fopenmp -no-pie %t.always.c -lm -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: gcc -O2 -fopenmp -no-pie %t.always.c -lm -o %t.gcc && env OMP_NUM_THREADS=4 %t.gcc
// RUN: clang-19 -O1 -fsanitize=undefined -fno-sanitize-recover=all %s -lm -o %t.o && %t.o
#include <limits.h>
#include <math.h>
enum { N = 400000 };
static int o[N];
static short shorts[N];
static int ints[N];
static float c[16];

// An OpenMP loop counts its iterations first: they must fit.
// CHECK-LABEL: void between(
// CHECK: (long long)q - p <= 2147483647
void between(float *x, int p, int q) {
  for (int j = p; j < q; ++j)
    x[j] += 1;
}
// CHECK-LABEL: void inner(
// CHECK: if (n > 200000) {
void inner(float *restrict y, const float *restrict x, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = x[i - 1] + x[i + 1];
}
// CHECK-LABEL: void longs(
// CHECK: if ((q - p) > 200000) {
void longs(float *x, long p, long q) {
  for (long j = p; j < q; ++j)
    x[j] += 1;
}
void strided(double *out, const double *x, const int *k, int n, int s) {
  for (int i = 0; i < n; i += s)
    out[i] = exp(x[k[i]]);
}

// What the type of an index allows lies before address 0.
// CHECK-LABEL: void scaled(
// CHECK: x_at <= x_end && (
void scaled(int *out, const int *x, const short *k, int n, int w) {
  for (int i = 0; i < n; i++)
    out[i] = x[k[i] * w] + 1;
}
// So may an element of the index array that is never used as an index.
void sentinels(int *out, const int *x, const int *k, int n) {
  for (int i = 0; i < n; i++) {
    int e = k[i];
    if (e != INT_MIN)
      out[i] = (int)exp((double)x[e]);
  }
}
// And what is past the last address.
void past(int *out, const int *x, const int *k, int n, long long w) {
  for (int i = 0; i < n; i++) {
    int e = k[i];
    if (e != INT_MAX)
      out[i] = (int)exp((double)x[e * w]);
  }
}
// The loop itself changes which elements are looked at.
void steps(int *out, const int *x, const int *k, const int *m, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (int)exp((double)x[k[m[i]]]);
}

static long total(void) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += o[i];
  return s;
}

int main(void) {
  between(c, 9, INT_MIN + 1);
  between(c, INT_MAX, INT_MIN);
  inner(c, c + 8, INT_MIN + 1);
  longs(c, LONG_MAX, LONG_MIN);
  strided(0, 0, 0, 0, 0);
  for (int i = 0; i < 16; i++)
    if (c[i] != 0)
      return 1;
  // Each element is computed from one that was computed half a loop before.
  scaled(o, o + N / 2 - 1, shorts, N, 100);
  if (total() != 600000)
    return 2;
  for (int i = 0; i < N; i++)
    o[i] = 0;
  ints[7] = INT_MIN;
  sentinels(o, o + N / 4 - 1, ints, N / 2);
  if (total() != 299999)
    return 3;
  for (int i = 0; i < N; i++)
    o[i] = 0;
  ints[7] = INT_MAX;
  past(o, o + N / 4 - 1, ints, N / 2, INT_MAX);
  if (total() != 299999)
    return 4;
  static int m[20002], x[4];
  ints[7] = 0;
  for (int i = 1; i < 20001; i++)
    m[i] = 1000000000;
  m[0] = 0;
  steps(m + 1, x, ints, m, 20000);
  for (int i = 1; i < 20001; i++)
    if (m[i] != 1)
      return 5;
  return 0;
}
