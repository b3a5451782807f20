// A loop that is the body of an `if` without braces: the test that the result adds must not take the author's `else`.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: FileCheck %s < %t.c
// RUN: %clangxx -x c -std=c11 -fopenmp -Wall -Wextra -Werror -c %t.c -o /dev/null
// RUN: %gxx -x c -std=c11 -fopenmp -Wall -Wextra -Werror -c %t.c -o /dev/null
// RUN: %clang_raise rewrite %t.c -o %t.again.c -- -fopenmp -O2 2>/dev/null
// RUN: diff %t.c %t.again.c

// CHECK: if (n > 3) {
// CHECK-NEXT: // clang-raise: unbraced:1
// CHECK: // clang-raise: end
// CHECK-NEXT: } else
// CHECK-NEXT: a[0] = 1;
void unbraced(float *a, const float *b, int n) {
  if (n > 3)
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  else
    a[0] = 1;
}
