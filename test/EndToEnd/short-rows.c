// A sum that runs again and again has vectors of its own where its rows are long enough for them: short ones have threads alone.
// RUN: printf 'machine:\n  parallel-work: 1000\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: gcc -O2 -DMAIN %s -o %t && %t > %t.original
// RUN: gcc -O2 -fopenmp -DMAIN -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O2 -fopenmp -DMAIN -Wall -Wextra -Werror -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original

// CHECK-LABEL: void lengths(
// CHECK:      if (d >= 32) {
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT:   for (int i = 0; i < n; ++i) {
// CHECK-NEXT:     double s = 0;
// CHECK-NEXT: #pragma omp simd reduction(+ : s)
// CHECK-NEXT:     for (int l = 0; l < d; ++l)
// CHECK-NEXT:       s += p[i * d + l] * p[i * d + l];
// CHECK-NEXT:     y[i] = s;
// CHECK-NEXT:   }
// CHECK-NEXT: } else {
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT:   for (int i = 0; i < n; ++i) {
// CHECK-NEXT:     double s = 0;
// CHECK-NEXT:     for (int l = 0; l < d; ++l)
// CHECK:      } else {
// CHECK-NEXT: for (int i = 0; i < n; i++) {
void lengths(double *y, const double *p, int n, int d) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int l = 0; l < d; l++)
      s += p[i * d + l] * p[i * d + l];
    y[i] = s;
  }
}

// Known to be long, or short: nothing is tested. Of a few iterations a compiler
// makes straight code, and vectors of the loop around them.
// CHECK-LABEL: void blur(
// CHECK-NOT: simd
// CHECK-LABEL: void windows(
// CHECK-NOT: if ({{.*}}32
// CHECK: #pragma omp simd reduction(+ : s)
// CHECK-NEXT: for (int l = 0; l < 64; ++l)
void blur(float *to, const float *from, int n) {
  for (int i = 1; i < n - 1; i++) {
    float s = 0;
    for (int k = -1; k <= 1; k++)
      s += from[i + k];
    to[i] = s * 0.25f;
  }
}

void windows(double *y, const double *p, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int l = 0; l < 64; l++)
      s += p[i + l];
    y[i] = s;
  }
}

// Integers are added in any order without being asked to.
// CHECK-LABEL: void counts(
// CHECK: #pragma omp parallel for
// CHECK-NOT: simd
void counts(int *y, const unsigned char *p, int n, int d) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int l = 0; l < d; l++)
      s += p[i * d + l];
    y[i] = s;
  }
}

// Rows whose length is told inside of the loop are not asked for it before.
// CHECK-LABEL: void triangle(
// CHECK-NOT: >= 32
// CHECK: #pragma omp simd reduction(+ : s)
void triangle(double *y, const double *p, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int l = 0; l < i; l++)
      s += p[l];
    y[i] = s;
  }
}

// To combine long doubles, clang calls what a program is not linked with.
// CHECK-LABEL: long double wide(
// CHECK-NOT: parallel
// CHECK-LABEL: main
long double wide(const long double *x, int n) {
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

#ifdef MAIN
#include <stdio.h>
enum { Total = 60000 };
static double p[Total], y[Total];
static float from[Total], to[Total];
static unsigned char b[Total];
static int c[Total];
static long double w[Total];

int main(void) {
  for (int i = 0; i < Total; i++) {
    p[i] = i % 7;
    from[i] = i % 5;
    b[i] = i % 251;
    w[i] = i % 3;
  }
  const int rows[] = {1, 3, 31, 32, 33, 100};
  for (int r = 0; r < 6; r++) {
    const int d = rows[r], n = Total / d;
    double all = 0;
    long sum = 0;
    lengths(y, p, n, d);
    counts(c, b, n, d);
    for (int i = 0; i < n; i++) {
      all += y[i] * (i % 4);
      sum += (long)c[i] * (i % 4);
    }
    printf("%.0f %ld\n", all, sum);
  }
  blur(to, from, Total);
  windows(y, p, Total - 64);
  triangle(y + Total / 2, p, Total / 20);
  double all = 0;
  for (int i = 0; i < Total; i++)
    all += to[i] + y[i];
  printf("%.2f %.0Lf\n", all, wide(w, Total));
}
#endif
