// The result needs C99: under an older standard nothing is rewritten.
//
// RUN: %clang_raise rewrite %s -o %t.c -- -std=gnu89 -fopenmp 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
// RUN: %clang_raise rewrite %s -o %t.c -- -std=gnu99 -fopenmp 2> %t.err
// RUN: FileCheck %s --check-prefix=C99 < %t.c
// C99: {{^}}  // clang-raise: zero:1
// CHECK: not rewritten: the C standard of the compile command is older than C99, which the result needs [CR1706
void zero(float *x, int n) {
  int i;
  for (i = 0; i < n; ++i)
    x[i] = 0;
}
