// A size that pays for neither threads nor another order is found out before
// anything else is computed: not the ranges of the tests, and not the tests.
// RUN: %clang_raise rewrite %s --fp=strict -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: clang-19 -O2 -ffp-contract=off -Wall -Wextra %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <stdio.h>

// One loop.
void scaled(int n, double *y, const double *x) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * 3;
  // CHECK-LABEL: void scaled(
  // CHECK: if (n > {{[0-9]+}} && ({{.*}} <= {{.*}} ||
}

// Two for one, of which either may be large, and in another order than written.
void columns(int rows, int n, int ld, double *a, double *m, const double *d) {
  for (int i = 0; i < rows; ++i)
    for (int j = 1; j < n; ++j) {
      a[j] = 1 - a[j - 1];
      m[j * ld + i] = a[j] + m[j * ld + i] * d[j];
    }
  // CHECK-LABEL: void columns(
  // CHECK: if ({{.*}}({{.*}})n * rows > {{[0-9]+}} && ld > 0
}

static double sum(const double *v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 0.999 + v[i];
  return s;
}

static double v[4][300000];

static void reset(void) {
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 300000; ++i)
      v[k][i] = (i % (97 + k)) * 0.125 - k;
}

int main(void) {
  const int sizes[] = {-3, 0, 1, 5, 100, 500, 250000};
  for (int k = 0; k < 7; ++k) {
    const int n = sizes[k];
    reset();
    scaled(n, v[0], v[1]);
    scaled(n, v[2] + 1, v[2]);
    printf("%.17g %.17g\n", sum(v[0], 300000), sum(v[2], 300000));
    const int rows = n < 1000 ? n : 590;
    const int columnsOf = n < 1000 ? n : 500;
    reset();
    columns(rows, columnsOf, rows > 0 ? rows : 1, v[0], v[1], v[2]);
    columns(rows, columnsOf, rows > 0 ? rows : 1, v[3], v[3] + 2, v[2]);
    printf("%.17g %.17g %.17g\n", sum(v[0], 300000), sum(v[1], 300000),
           sum(v[3], 300000));
  }
}
