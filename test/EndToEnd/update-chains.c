// A sum that one expression updates several times.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=TEXT %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -DN=300000 %t.c -o %t && %t > %t.raised
// RUN: clang-19 -O2 -Wall -Wextra -DN=300000 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
#include <stdio.h>
#ifndef N
#define N 10
#endif
double a[N], b[N];

// CHECK: update-chains.c:[[#@LINE+5]]:{{.*}}raised to a
// TEXT: for (int i = 0; i < (int)((n + 1LL) / 2 * 2); ++i)
// TEXT-NEXT: s += a[i] * b[i];
double dot(int n) {
  double s = 0;
  for (int i = 0; i < n; i += 2)
    s = s + a[i] * b[i] + a[i + 1] * b[i + 1];
  return s;
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
  }
  printf("%.17g\n", dot(N)); // of small integers: exact in any order
  return 0;
}
