// What a tangent in C allocates is freed wherever its scope is left, and what is returned is read before.
// RUN: %clang_raise grad --mode=forward --function=ends --function=skips %s -o %t.c -- -std=c11 -O2
// RUN: FileCheck %s < %t.c
// RUN: gcc -std=c11 -O2 -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: clang-19 -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -DDRIVER %s %t.c -lm -o %t.san
// RUN: %t.san
#include <math.h>
#include <stdlib.h>

// CHECK-LABEL: double ends_tangent(
// CHECK: if (steps > 3) {
// CHECK: free(u);
// CHECK-NEXT: free(u_tan);
// CHECK-NEXT: return
// CHECK: for (int s = 0
// CHECK: if (w[0] > 100) {
// CHECK-NEXT: free(w);
// CHECK-NEXT: free(w_tan);
// CHECK-NEXT: break;
// CHECK: free(w);
// CHECK-NEXT: free(w_tan);
// CHECK-NEXT: }
// CHECK: free(u);
// CHECK-NEXT: free(u_tan);
// CHECK-NEXT: return
double ends(const double *x, int n, int steps) {
  double *u = malloc((n + 1) * sizeof *u);
  for (int i = 0; i < n; ++i)
    u[i] = x[i] * x[i];
  u[n] = 0;
  if (steps > 3) {
    const double r = u[0];
    free(u);
    return r;
  }
  for (int s = 0; s < steps; ++s) {
    double *w = calloc(n, sizeof *w);
    for (int i = 0; i < n; ++i)
      w[i] = 3 * u[i];
    if (w[0] > 100) {
      free(w);
      break;
    }
    for (int i = 0; i < n; ++i)
      u[i] += w[i];
    free(w);
  }
  const double r = u[n / 2] + u[0];
  free(u);
  return r;
}

// CHECK-LABEL: double skips_tangent(
// CHECK: if (s % 2
// CHECK: free(w);
// CHECK-NEXT: free(w_tan);
// CHECK-NEXT: continue;
double skips(const double *x, int n, int steps) {
  double r = 0;
  for (int s = 0; s < steps; ++s) {
    double *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; ++i)
      w[i] = x[i] * (s + r);
    if (s % 2) {
      free(w);
      continue;
    }
    for (int i = 0; i < n; ++i)
      r += w[i];
    free(w);
  }
  return r;
}

#ifdef DRIVER
double ends_tangent(const double *, int, int, double *, double *);
double skips_tangent(const double *, int, int, double *, double *);
static int differs(double f(const double *, int, int),
                   double t(const double *, int, int, double *, double *),
                   int steps) {
  enum { n = 6 };
  double x[n], d[n], above[n], below[n], slope;
  const double h = 1e-6;
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5 + 0.2 * i;
    d[i] = sin(i);
    above[i] = x[i] + h * d[i];
    below[i] = x[i] - h * d[i];
  }
  const double value = t(x, n, steps, d, &slope);
  const double want = (f(above, n, steps) - f(below, n, steps)) / (2 * h);
  return value != f(x, n, steps) || !(fabs(slope - want) < 1e-6 * (1 + fabs(want)));
}
int main(void) {
  int bad = 0;
  for (int steps = 0; steps < 6; ++steps)
    bad += differs(ends, ends_tangent, steps) + differs(skips, skips_tangent, steps);
  return bad;
}
#endif
