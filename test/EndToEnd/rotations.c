// Three arrays that change places in C: only their names move, also in the adjoint, and each is freed once.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify %s --function=wave -o %t/joint.c -- -std=c11 -O2 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: FileCheck %s < %t/joint.c
// RUN: %clang_raise grad --verify %s --split --function=wave -o %t/split.c -- -std=c11 -O2 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t/err
// RUN: gcc -std=c11 -O3 -Wall -Wextra -Werror -DDRIVER %s %t/joint.c -lm -o %t/gcc
// RUN: gcc -std=c11 -O3 -Wall -Wextra -Werror -c %t/split.c -o %t/split.o
// RUN: clang-19 -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -DDRIVER %s %t/joint.c -lm -o %t/sanitized
// RUN: %t/gcc
// RUN: %t/sanitized
// VERIFIED: the adjoint of 'wave': verification passed
#include <math.h>
#include <stdlib.h>

// CHECK-LABEL: void wave_adjoint(
// CHECK: double *[[A:spare.*]] = prev;
// CHECK-NEXT: prev = cur;
// CHECK-NEXT: cur = [[A]];
// CHECK-NEXT: double *[[B:spare.*]] = cur;
// CHECK-NEXT: cur = next;
// CHECK-NEXT: next = [[B]];
// CHECK: double *[[C:spare.*]] = next_adj;
// CHECK-NEXT: next_adj = cur_adj;
// CHECK-NEXT: cur_adj = [[C]];
double wave(const double *x, int n, int steps, double c) {
  double *prev = malloc(n * sizeof(double));
  double *cur = malloc(n * sizeof(double));
  double *next = malloc(n * sizeof(double));
  double *spare;
  if (!prev)
    abort();
  if (!cur)
    abort();
  if (!next)
    abort();
  for (int i = 0; i < n; ++i) {
    prev[i] = x[i];
    cur[i] = x[i] * x[i];
    next[i] = 0;
  }
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = 2 * cur[i] - prev[i] +
                c * sin(cur[i - 1] - 2 * cur[i] + cur[i + 1]);
    spare = prev;
    prev = cur;
    cur = next;
    next = spare;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += cur[i] * cur[i] * (i + 1) + prev[i];
  free(prev);
  free(cur);
  free(next);
  return s;
}

#ifdef DRIVER
#include <stdio.h>
void wave_adjoint(const double *, int, int, double, double *, double *,
                  double);
int main(void) {
  int bad = 0;
  for (int steps = 0; steps < 7; ++steps) {
    enum { n = 23 };
    double x[n], slopes[n] = {0}, of_c = 0;
    for (int i = 0; i < n; ++i)
      x[i] = 0.3 * sin(i + 1.0);
    wave_adjoint(x, n, steps, 0.3, slopes, &of_c, 1);
    for (int i = 0; i <= n; ++i) {
      const double h = 1e-6;
      double c = 0.3, *at = i < n ? &x[i] : &c;
      const double old = *at;
      *at = old + h;
      const double above = wave(x, n, steps, c);
      *at = old - h;
      const double below = wave(x, n, steps, c);
      *at = old;
      const double slope = (above - below) / (2 * h);
      const double made = i < n ? slopes[i] : of_c;
      if (!(fabs(slope - made) < 1e-6 * (1 + fabs(slope)))) {
        printf("%d: %g, by differences %g\n", i, made, slope);
        bad = 1;
      }
    }
  }
  return bad;
}
#endif
