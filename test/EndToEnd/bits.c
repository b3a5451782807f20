// What compilers count in the bits of a number is a value like others.
// RUN: %clang_raise rewrite %s -o %t.c --verify -- -std=c11 -O2 -fopenmp 2> %t.err
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not="not raised" < %t.err
// RUN: FileCheck %s < %t.c
// RUN: gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.gcc.o
// REMARK: raised to a reduction: s += Σ_i popcount(x[i]),  0 ≤ i < n; verification passed
// REMARK: raised to a map: {{.*}}; verification passed

// CHECK: reduction(+ : s)
// CHECK: s += __builtin_popcount(x[i]);
int weight(const unsigned *x, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += __builtin_popcount(x[i]);
  return s;
}
// CHECK: __builtin_clzll(x[i] | 1) + __builtin_ctz((unsigned int)x[i] | 8)
void ends(int *restrict y, const unsigned long *restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = __builtin_clzl(x[i] | 1) + __builtin_ctz((unsigned)x[i] | 8);
}
