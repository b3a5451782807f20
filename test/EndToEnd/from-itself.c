// Loops that go on from what their variable holds, written with `for` and with `while`: raised, and what they leave in
// that variable is used afterwards.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
#include <stdlib.h>

// CHECK: from-itself.c:[[#@LINE+2]]:{{.*}}raised to a map; verification passed
int onwards(int *a, int k, int n) {
  for (; k < n; k++)
    a[k] = 2 * k;
  return k;
}

// CHECK: from-itself.c:[[#@LINE+3]]:{{.*}}raised to a map; verification passed
double twice(double *a, const double *b, int n) {
  int i = 0;
  while (i < n) {
    a[i] = b[i] * 2;
    i++;
  }
  return a[0] + i;
}

// CHECK: from-itself.c:[[#@LINE+2]]:{{.*}}raised to a map; verification passed
int rest(int *a, int k, int n, int m, int r) {
  while (k < n && k < m) {
    a[k] = r;
    k += 1;
  }
  return k;
}

// A step in the middle, and one that a `continue` passes by.
// CHECK: from-itself.c:[[#@LINE+2]]:{{.*}}how often the while loop runs is not known before it [CR1201
int between(double *a, const double *b, int k, int n) {
  while (k < n) {
    if (b[k] > 3) {
      k += 2;
      continue;
    }
    a[k] = b[k];
    k++;
  }
  return k;
}

// What is in the way is said as of a `for`.
// CHECK: from-itself.c:[[#@LINE+5]]:{{.*}}the store to 's->a[k]' may change 's->n' (where the member 's->a' leads is not followed), which the loop's bound uses [CR1201
struct range {
  int n, *a;
};
int last(struct range *s, int k) {
  while (k < s->n) {
    s->a[k] = k;
    k++;
  }
  return k;
}

int main(void) {
  enum { N = 300000 };
  int *a = calloc(N, sizeof(int)), bad = 0;
  double *x = calloc(N, sizeof(double)), *y = calloc(N, sizeof(double));
  for (int i = 0; i < N; i++)
    x[i] = i % 7;
  bad |= onwards(a, 5, N) != N || a[4] != 0 || a[5] != 10 || a[N - 1] != 2 * (N - 1);
  bad |= onwards(a, N, 3) != N;
  bad |= twice(y, x, N) != N || y[6] != 12 || y[N - 1] != 2 * ((N - 1) % 7);
  bad |= rest(a, 7, N, 250000, -1) != 250000 || a[6] != 12 || a[7] != -1 || a[249999] != -1 || a[250000] != 500000;
  bad |= between(y, x, 0, N) != N;
  struct range s = {N, a};
  bad |= last(&s, 1) != N || a[N - 1] != N - 1;
  free(a);
  free(x);
  free(y);
  return bad;
}
