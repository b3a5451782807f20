// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang-raise
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -fopenmp
// RUN: FileCheck %s < %t.c
// RUN: %clang -Wall -Wextra -Werror -O2 -fopenmp -c %t.c -o %t.o
// RUN: %gcc -Wall -Wextra -Werror -O2 -fopenmp -c %t.c -o %t.o
//
// What is emitted declares no name that a macro has.

#define b_at 3
#define a_end a_end_of(7)
#define s_2 nothing

float sums(float *c, float *d, const float *a, const float *b, int n) {
  float s = b_at;
  // CHECK: {{ }}a_end_2 = a_at
  // CHECK: {{ }}b_at_2 = (unsigned long long)b
  for (int i = 0; i < n; i++) {
    c[i] = a[i] + b[i];
    d[i] = a[i] - b[i];
  }
  return s;
}
