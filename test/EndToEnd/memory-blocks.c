// Blocks of memory in C, which stays C.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --verify --require-verified --function=normed --function=history %s -o %t/made/adjoint.c -- -std=c11
// RUN: %clang -std=c11 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.c -o %t/clang -lm && %t/clang
// RUN: %gcc -std=c11 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.c -o %t/gcc -lm && %t/gcc
// RUN: %clang -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/adjoint.c -o %t/asan -lm && %t/asan
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double length(const float *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (double)p[i] * p[i];
  return sqrt(s);
}

/* A copy on the heap that is passed on. */
double normed(const float *x, int n) {
  float *t = malloc(n * sizeof *t);
  if (!t)
    abort();
  memcpy(t, x, n * sizeof *t);
  for (int i = 1; i < n; i++)
    t[i] += t[i - 1];
  double r = length(t, n) + length(t + n / 2, n - n / 2);
  free(t);
  return r;
}

/* The last values but one, as time steps keep them. */
void history(double *now, double *before, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double next[8] = {0};
    for (int i = 0; i < n && i < 8; i++)
      next[i] = 2 * now[i] - before[i] - 0.1 * now[i] * now[i];
    memcpy(before, now, (n < 8 ? n : 8) * sizeof(double));
    memcpy(now, next, (n < 8 ? n : 8) * sizeof(double));
  }
}

#ifdef CHECK
#include "adjoint.h"
#include <stdio.h>

static int differs(const char *what, double got, double right, double limit) {
  if (fabs(got - right) <= limit * (1 + fabs(right)))
    return 0;
  printf("%s: %.12g, not %.12g\n", what, got, right);
  return 1;
}

int main(void) {
  int failures = 0;
  float x[7], g[7] = {0};
  for (int i = 0; i < 7; i++)
    x[i] = (float)(0.5 + 0.25 * i);
  normed_adjoint(x, 7, g, 1);
  for (int i = 0; i < 7; i++) {
    const float h = 1.0f / 64, was = x[i];
    x[i] = was + h;
    const double up = normed(x, 7);
    x[i] = was - h;
    const double down = normed(x, 7);
    x[i] = was;
    failures += differs("normed", g[i], (up - down) / (2 * h), 1e-3);
  }
  double a[3] = {0.3, 0.7, -0.2}, b[3] = {0.1, 0.8, 0.4};
  for (int i = 0; i < 6; i++) {
    double sum[2];
    for (int side = 0; side < 2; side++) {
      double p[3], q[3];
      memcpy(p, a, sizeof p);
      memcpy(q, b, sizeof q);
      (i < 3 ? p : q)[i % 3] += side ? -1e-6 : 1e-6;
      history(p, q, 3, 5);
      sum[side] = p[0] + 2 * p[1] + 3 * p[2] - q[0];
    }
    double p[3], q[3], pa[3] = {1, 2, 3}, qa[3] = {-1, 0, 0};
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    history_adjoint(p, q, 3, 5, pa, qa);
    failures += differs("history", i < 3 ? pa[i] : qa[i - 3],
                        (sum[0] - sum[1]) / 2e-6, 1e-6);
  }
  return failures != 0;
}
#endif
