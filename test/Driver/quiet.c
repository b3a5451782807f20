// --quiet leaves out remarks, and nothing else.

// RUN: %clang_raise rewrite --quiet %s -o %t.c -- -fopenmp 2> %t.said
// RUN: not grep . %t.said
// RUN: %clang_raise rewrite %s -- -fopenmp | cmp - %t.c
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: raised to
// RUN: not %clang_raise rewrite --quiet --check %s -- -fopenmp 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR-NOT: remark:
// ERROR: error: is not what would be written
// RUN: not %clang_raise explain --quiet %s -- 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: option '--quiet' does not apply to explain

void twice(float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[j * n + i] = 2 * b[j * n + i];
}
