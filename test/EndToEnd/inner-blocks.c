// A block within a body may hide names that are used beside it: then it keeps
// its braces.
// RUN: printf 'machine:\n  parallel-work: 1000\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: gcc -O2 -DMAIN %s -o %t && %t > %t.original
// RUN: gcc -O2 -fopenmp -DMAIN -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O2 -fopenmp -DMAIN -Wall -Wextra -Werror -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: %clang_raise grad --verify %s --function=exchange --function=scaled --function=rows -o %t.adj.c -- -O2 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED-COUNT-3: verification passed

#define SWAP(a, b)                                                             \
  do {                                                                         \
    float t = a;                                                               \
    a = b;                                                                     \
    b = t;                                                                     \
  } while (0)

// CHECK-LABEL: void exchange(
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (int r = 0; r < n; ++r) {
// CHECK-NEXT: {
// CHECK-NEXT: float t = w[r];
// CHECK: }
// CHECK-NEXT: w[r] += t;
void exchange(float *w, float *z, int n, float m) {
  float t = m * 2;
  for (int r = 0; r < n; r++) {
    SWAP(w[r], z[r]);
    w[r] += t;
  }
}

void scaled(float *w, float *z, int n, float m) {
  for (int r = 0; r < n; r++) {
    {
      float m = z[r];
      z[r] = m * m;
    }
    w[r] = m;
  }
}

void lengths(float *w, float *z, int n, int m) {
  for (int r = 0; r < n; r++) {
    {
      int m = 5;
      for (int i = 0; i < m; i++)
        z[r * 5 + i] = 1;
    }
    for (int i = 0; i < m; i++)
      w[r * m + i] += 2;
  }
}

// CHECK-LABEL: void rows(
// CHECK: reduction(+ : y[0 : m])
// CHECK-NEXT: for (int r = 0; r < n; ++r) {
// CHECK-NEXT: {
// CHECK-NEXT: float *y = z + r * m;
// CHECK: }
// CHECK: y[i] += x[r * m + i];
void rows(float *y, float *x, float *z, int n, int m) {
  for (int r = 0; r < n; r++) {
    {
      float *y = z + r * m;
      for (int i = 0; i < m; i++)
        y[i] = 1;
    }
    for (int i = 0; i < m; i++)
      y[i] += x[r * m + i];
  }
}

void another(float *w, float *z, int n) {
  for (int r = 0; r < n; r++) {
    {
      float w = z[r];
      z[r] = w * w;
    }
    w[r] = 2;
  }
}

void condition(float *w, float *z, int n, float t) {
  for (int r = 0; r < n; r++) {
    {
      {
        float t = z[r];
        z[r] = t * t;
      }
      w[r] += 1;
    }
    if (w[r] > t)
      w[r] = 0;
  }
}

void bound(float *w, float *z, int n, int t) {
  for (int r = 0; r < n; r++) {
    {
      float t = z[r];
      z[r] = t * t;
    }
    for (int i = 0; i < t; i++)
      w[r] += z[r];
  }
}

// What nothing beside it needs is written without braces.
// CHECK-LABEL: void alone(
// CHECK: for (int r = 0; r < n; ++r) {
// CHECK-NEXT: float s = z[r];
void alone(float *w, float *z, int n) {
  for (int r = 0; r < n; r++) {
    {
      float s = z[r];
      z[r] = s * s;
    }
    w[r] += 1;
  }
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const int n = 3000, m = 8, size = n * m + 8;
  float *w = malloc(sizeof(float) * size), *z = malloc(sizeof(float) * size),
        *x = malloc(sizeof(float) * size);
  for (int i = 0; i < size; ++i) {
    w[i] = (float)(i % 7);
    z[i] = (float)(i % 5);
    x[i] = (float)(i % 3);
  }
  exchange(w, z, n, 10);
  another(w + n, z, n);
  scaled(w, z + n, n, 3);
  lengths(w, z, n, m);
  rows(w, x, z, n, m);
  condition(w, x, n, 4);
  bound(w, x + n, n, 3);
  alone(w, x, n);
  double s = 0;
  for (int i = 0; i < size; ++i)
    s += (i % 11) * (w[i] + 3 * (double)z[i] + 7 * (double)x[i]);
  printf("%.17g\n", s);
  free(w);
  free(z);
  free(x);
  return 0;
}
#endif
