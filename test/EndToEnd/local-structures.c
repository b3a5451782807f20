// A structure that is declared before the loop has no variables for its members, and is not left without a use.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off %s -o %t.before && %t.before > %t.out.before
// RUN: clang-19 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.c -o %t.clang && %t.clang > %t.out.clang
// RUN: gcc -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc > %t.out.gcc
// RUN: diff %t.out.before %t.out.clang && diff %t.out.before %t.out.gcc
#include <stdio.h>

enum { N = 1000000 };
struct P {
  double x, y;
};
struct Q {
  struct P in;
  int k;
};
static struct P A[N];

// CHECK: {{^}}__attribute__((noinline)) void whole(
// CHECK: {{^ *}}#pragma omp parallel
// CHECK: {{^ *}}(void)t;
__attribute__((noinline)) void whole(struct P *a) {
  struct P t;
  for (int i = 0; i < N; i++) {
    t = a[i];
    a[i].x = t.y;
  }
}
__attribute__((noinline)) void members(struct P *a, int n) {
  struct Q t;
  if (n > 1)
    for (int i = 0; i < n; i++) {
      t.k = i % 5;
      t.in.x = a[i].x * t.k;
      a[i].y = t.in.x + t.k;
    }
  else
    a[0].x = 1;
}
__attribute__((noinline)) double after(struct P *a, int n) {
  struct P t = {1, 2};
  for (int i = 0; i < n; i++)
    a[i].x += t.y;
  t.x = 3;
  return t.x + t.y;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    A[i].x = i % 7;
    A[i].y = i % 5;
  }
  whole(A);
  members(A, N);
  double r = after(A, N), s = 0;
  for (int i = 0; i < N; i++)
    s = s * .9 + A[i].x + 2 * A[i].y;
  printf("%a %a\n", r, s);
  return 0;
}
