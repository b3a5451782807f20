// Loops whose condition counts down.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2> %t.remarks
// RUN: FileCheck %s < %t.c
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang -O2 %s -o %t && %t > %t.original
// RUN: %clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -Wall -Wextra -Werror -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.clang
// RUN: %gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.clang %t.original
// RUN: diff %t.gcc %t.original
// RUN: %clang_raise grad %s --function=horner --verify --require-verified -o %t.adjoint.c -- -O2
// RUN: FileCheck --check-prefix=ADJOINT %s < %t.adjoint.c
#include <stddef.h>
#include <stdio.h>

// CHECK-LABEL: void twice(
// CHECK: for (int i = 0; i < n; ++i)
void twice(int n, double *restrict y, const double *restrict x) {
  for (int i = n; i-- > 0;)
    y[i] = x[i] * 2;
}

// CHECK-LABEL: int after(
// CHECK: // clang-raise: after:1
int after(int n, double *restrict y, const double *restrict x) {
  int i;
  for (i = n; i-- > 0;)
    y[i] += x[i];
  return i;
}

// A loop that leaves its step out where it goes on.
// CHECK-LABEL: void some(
// CHECK: // clang-raise: some:1
void some(int n, double *restrict y, const double *restrict x) {
  for (int i = n; i-- > 0;) {
    if (x[i] > 30)
      continue;
    y[i] -= x[i];
  }
}

// REMARK: countdown.c:[[#@LINE+2]]:3: remark: {{.*}}the loop's condition counts an unsigned variable down, past 0
void sizes(size_t n, double *restrict y, const double *restrict x) {
  for (size_t i = n; i-- > 0;)
    y[i] = x[i] * 2;
}

// ADJOINT-LABEL: void horner_adjoint(
// ADJOINT: for (int i = n - 1; i >= 0; --i)
double horner(int n, const double *x) {
  double s = 0;
  for (int i = n; i-- > 0;)
    s = s * x[0] + x[i];
  return s;
}

int main(void) {
  static double x[40], y[40];
  for (int i = 0; i < 40; ++i)
    x[i] = i * i % 37;
  for (int n = 0; n <= 40; n += 8) {
    twice(n, y, x);
    some(n, y, x);
    sizes(n / 2, y, x);
    printf("%d %d %g\n", after(n, y, x), after(-n, y, x), horner(n, x));
    for (int i = 0; i < 40; ++i)
      printf("%g ", y[i]);
  }
}
