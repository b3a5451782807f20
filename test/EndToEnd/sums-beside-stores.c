// A loop that sums and, in the same iterations, stores what is each one's own.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg --verify --function=scale --function=grid --function=update --function=bins --function=folded -o %t.c -- -O3 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: %clang -O3 -fopenmp -Wall -Wextra -Werror -fsyntax-only %t.c
// Clang 19 loses terms of a sum in a combined construct with stores, at -O1 alone: there is none.
// RUN: %clang -O1 -fopenmp -DMAIN %t.c -o %t.clang1 && env OMP_NUM_THREADS=3 %t.clang1
// RUN: %clang -O3 %native -fopenmp -DMAIN %t.c -o %t.clang3 && env OMP_NUM_THREADS=3 %t.clang3
// RUN: %gcc -O2 -fopenmp -DMAIN %t.c -o %t.gcc && env OMP_NUM_THREADS=3 %t.gcc
// VERIFIED-COUNT-3: verification passed

// CHECK-LABEL: double scale(
// CHECK: #pragma omp parallel for reduction(+ : t)
double scale(int n, double *restrict y, const double *restrict x, double a) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = a * x[i];
    t += x[i] * x[i];
  }
  return t;
}

// CHECK-LABEL: double grid(
// CHECK: #pragma omp parallel for reduction(+ : t)
// CHECK: #pragma omp simd reduction(+ : t)
double grid(int n, int m, double *restrict y, const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      y[i * m + j] += x[i * m + j];
      t += x[i * m + j];
    }
  return t;
}

// CHECK-LABEL: void update(
// CHECK: reduction(+ : sum)
void update(int n, double *restrict s, double *restrict y,
            const double *restrict x) {
  for (int i = 0; i < n; ++i) {
    s[0] += x[i] * y[i];
    y[i] += 2 * x[i];
  }
}

// Iterations meet in what does not follow from the counter alone.
// CHECK-LABEL: double bins(
// CHECK-NOT: #pragma
// CHECK-LABEL: double folded(
// CHECK-NOT: #pragma
double bins(int n, double *restrict y, const int *restrict at,
            const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[at[i]] += x[i];
    t += x[i];
  }
  return t;
}

double folded(int n, double *restrict y, const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[i % 3] += x[i];
    t += x[i];
  }
  return t;
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  static double x[1000], y[1000], s[1];
  int bad = 0;
  for (int n = 0; n < 1000; n = n * 2 + 1) {
    double squares = 0, sum = 0, twice = 0;
    for (int i = 0; i < n; ++i) {
      x[i] = i % 7 - 2;
      squares += x[i] * x[i];
      sum += x[i];
      twice += 2 * x[i] * x[i];
    }
    bad |= scale(n, y, x, 2) != squares; // small whole numbers: exact
    bad |= grid(n, 1, y, x) != sum || grid(1, n, y, x) != sum;
    s[0] = 1;
    for (int i = 0; i < n; ++i)
      y[i] = 2 * x[i];
    update(n, s, y, x);
    bad |= s[0] != 1 + twice;
    for (int i = 0; i < n; ++i)
      bad |= y[i] != 4 * x[i];
    if (bad) {
      printf("wrong at %d\n", n);
      return 1;
    }
  }
  return 0;
}
#endif
