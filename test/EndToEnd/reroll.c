// Loops that were unrolled by hand are written once, and sums into elements beside others of their buffer are sums.
// RUN: %clang_raise rewrite --verify --json=%t.json %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=TEXT %s < %t.c
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.json
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t -lm && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t -lm && %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t.strict.c -- -fopenmp -O2 2>&1 | FileCheck --check-prefix=STRICT %s
#include <math.h>

// CHECK: reroll.c:[[#@LINE+4]]:{{.*}}raised to a map: a[i] += f·sin(b[i]),
// TEXT: #pragma omp parallel for
// TEXT: a[i] += f * sin(b[i]);
void unrolled(double *restrict a, const double *restrict b, double f, int n) {
  for (int i = 0; i < n; i += 4) {
    a[i] += f * sin(b[i]);
    a[i + 1] += f * sin(b[i + 1]);
    a[i + 2] += f * sin(b[i + 2]);
    a[i + 3] += f * sin(b[i + 3]);
  }
}

// A sum of several terms is another rounding, which has to be allowed.
// CHECK: reroll.c:[[#@LINE+4]]:{{.*}}raised to a reduction: dot += Σ_i a[i]·b[i],
// STRICT: reroll.c:[[#@LINE+3]]:{{.*}}raised to a reduction: dot += Σ_i {{.*}}a[i+1]·b[i+1]
double pairs(const double *a, const double *b, int n) {
  double dot = 0;
  for (int i = 0; i < n - 1; i += 2)
    dot += a[i] * b[i] + a[i + 1] * b[i + 1];
  return dot;
}

// CHECK: reroll.c:[[#@LINE+2]]:{{.*}}raised to a reduction: a[n] += a[i],
void last(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[n] += a[i];
}

// VERIFIED-COUNT-3: "verification": "passed"

int main(void) {
  static double a[1001], b[1001], c[1001];
  for (int i = 0; i < 1001; i++) {
    a[i] = c[i] = i % 7;
    b[i] = i % 5;
  }
  unrolled(a, b, 2, 998);
  for (int i = 0; i < 1000; i++)
    if (fabs(a[i] - c[i] - 2 * sin(b[i])) > 1e-9)
      return 1;
  if (a[1000] != c[1000] || pairs(b, b, 999) != 5975)
    return 2;
  b[1000] = 0;
  last(b, 1000);
  return b[1000] != 2000;
}
