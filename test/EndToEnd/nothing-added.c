// What is emitted stores nothing that the source does not, computes nothing
// ahead that might overflow, and of zeros leaves the one that the source does.
// RUN: %clang_raise rewrite --fp=strict %s -o %t.c -- -O2 -fopenmp 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: clang-19 -O2 -DMAIN %s -o %t && %t > %t.original
// RUN: gcc -O2 -fopenmp -DMAIN -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O1 -fopenmp -DMAIN -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.raised
// RUN: diff %t.raised %t.original

// An element that is the greatest already may be one that is only read.
// CHECK-LABEL: void biggest(
// CHECK: #pragma omp parallel for reduction(max : result)
// CHECK: if (result > m[0])
// CHECK-NEXT: m[0] = result;
// CHECK-LABEL: void smallest(
// CHECK: if (result < m[2])
// CHECK-NEXT: m[2] = result;
void biggest(long n, const long *b, long *m) {
  for (long i = 0; i < n; i++)
    if (b[i] > *m)
      *m = b[i];
}
void smallest(long n, const long *b, long *m) {
  for (long i = 0; i < n; i++)
    m[2] = b[i] < m[2] ? b[i] : m[2];
}

// Backwards, the first zero is the last.
// CHECK-LABEL: float backwards(
// CHECK-NOT: #pragma
// CHECK-LABEL: void columns_backwards(
// CHECK: for (int j = m - 1; j >= 0; --j)
// CHECK-LABEL: int whole_backwards(
// CHECK: #pragma omp parallel for reduction(max : m)
float backwards(int n, const float *a) {
  float m = -1;
  for (int i = n - 1; i >= 0; i--)
    if (a[i] > m)
      m = a[i];
  return m;
}
void columns_backwards(int n, int m, const float *a, float *restrict b) {
  for (int i = 0; i < n; i++) {
    float z = -1;
    for (int j = m - 1; j >= 0; j--)
      if (a[j * n + i] > z)
        z = a[j * n + i];
    b[i] = z;
  }
}
int whole_backwards(int n, const int *a) {
  int m = -1;
  for (int i = n - 1; i >= 0; i--)
    if (a[i] > m)
      m = a[i];
  return m;
}

// Behind the element that ends a loop nothing is computed that might overflow.
int gi[4096];
short gs[4096];
float gf[4096];
// CHECK-LABEL: int product(
// CHECK-NOT: any
// CHECK-LABEL: int shorts(
// CHECK: any |= gs[i_strip + lane] * 1000 > i_strip + lane + 7;
int product(void) {
  for (int i = 0; i < 2000; i++)
    if (gi[i] * 1000 > 5)
      return i;
  return -1;
}
int converted(void) {
  for (int i = 0; i < 2000; i++)
    if ((int)gf[i] > 5)
      return i;
  return -1;
}
int shifted(void) {
  for (int i = 0; i < 2000; i++)
    if (1 << gi[i] > 5)
      return i;
  return -1;
}
int negative(void) {
  for (int i = 0; i < 2000; i++)
    if (-gi[i] < -5)
      return i;
  return -1;
}
int counted(int k) {
  for (int i = 0; i < 2000; i++)
    if (i * k > gi[i])
      return i;
  return -1;
}
int let(void) {
  for (int i = 0; i < 2000; i++) {
    const int v = gi[i] + 7;
    if (v > 12)
      return i;
  }
  return -1;
}
int shorts(void) {
  for (int i = 0; i < 2000; i++)
    if (gs[i] * 1000 > i + 7)
      return i;
  return -1;
}

// Nor on the right of `&&`.
// CHECK-LABEL: int packed(
// CHECK-NOT: found
// CHECK-LABEL: void distances(
int packed(int n, const int *restrict b, int *restrict a) {
  int j = 0;
  for (int i = 0; i < n; i++)
    if (b[i] > 0 && b[i] * 3 < 100)
      a[j++] = b[i];
  return j;
}

// Beyond the end of a strip of columns there are zeros, of which a square of a
// difference is none.
// CHECK-NOT: b_strip
// CHECK-LABEL: void products(
// CHECK: b_strip
void distances(int n, int m, int k, int *restrict c, const int *restrict a,
               const int *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int s = 0;
      for (int l = 0; l < k; l++) {
        int d = a[i * k + l] - b[l * m + j];
        s += d * d;
      }
      c[i * m + j] = s;
    }
}
void products(int n, int m, int k, int by, int *restrict c,
              const int *restrict a, const int *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += by * a[i * k + l] * b[l * m + j];
      c[i * m + j] = s;
    }
}

#ifdef MAIN
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
static const long Most[3] = {100, 0, -100};
int main(void) {
  const int n = 400000;
  long *b = calloc(n, sizeof *b);
  biggest(n, b, (long *)Most);
  smallest(n, b, (long *)Most);
  long m[3] = {-5, 0, 7};
  b[n / 2] = 11, b[n - 2] = -11;
  biggest(n, b, m);
  smallest(n, b, m);
  printf("%ld %ld\n", m[0], m[2]);

  float *a = malloc(n * sizeof *a), h[300];
  for (int i = 0; i < n; i++)
    a[i] = -0.5f;
  a[300] = 0.0f, a[2700] = -0.0f;
  printf("%g", backwards(n, a));
  columns_backwards(300, 256, a, h);
  printf(" %g\n", h[0]);

  for (int i = 0; i < 4096; i++) {
    gi[i] = i < 10 ? 0 : i == 10 ? 7 : INT_MIN;
    gf[i] = i < 10 ? 0 : i == 10 ? 7 : 1e30f;
    gs[i] = i < 1500 ? -32768 : 32767;
  }
  printf("%d %d %d %d %d\n", product(), converted(), shifted(), negative(),
         shorts());
  for (int i = 0; i < 4096; i++)
    gi[i] = i == 5 ? 0 : INT_MAX;
  printf("%d ", counted(50000000));
  for (int i = 0; i < 4096; i++)
    gi[i] = i < 5 ? 0 : i == 5 ? 6 : INT_MAX;
  printf("%d ", let());

  int *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
  for (int i = 0; i < n; i++)
    p[i] = i % 7 ? INT_MIN : i % 40;
  printf("%d ", packed(n, p, q));
  for (int i = 0; i < 1600; i++)
    p[i] = q[i] = 50000;
  int *c = malloc(1600 * sizeof *c), *d = malloc(1600 * sizeof *d);
  distances(40, 40, 40, c, p, q);
  for (int i = 0; i < 1600; i++)
    p[i] = i, q[i] = -i % 11;
  products(40, 40, 40, 3, d, p, q);
  whole_backwards(n, p);
  printf("%d %d\n", c[77], d[78]);
}
#endif
