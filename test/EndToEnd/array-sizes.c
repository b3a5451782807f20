// An array of an iteration keeps the size that has a name.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2> %t.remarks
// RUN: FileCheck %s < %t.c
// RUN: %gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=2 %t | FileCheck --check-prefix=OUT %s
#include <stdio.h>

// CHECK-LABEL: void rows(
// CHECK: #pragma omp parallel for
// CHECK: float t[{{.*}}];
void rows(int n, int m, float *restrict y, const float *restrict x) {
  const int U = 8;
  for (int i = 0; i < n; i++) {
    float t[U];
    for (int k = 0; k < U; k++)
      t[k] = x[i * 8 + k];
    for (int j = 0; j < m; j++)
      for (int k = 0; k < U; k++)
        t[k] += x[j] * k;
    for (int k = 0; k < U; k++)
      y[i * 8 + k] = t[k];
  }
}

// OUT: 1 3 5 {{.*}} 39
int main(void) {
  float x[32], y[32];
  for (int i = 0; i < 32; i++)
    x[i] = i + 1;
  rows(4, 1, y, x);
  for (int i = 0; i < 32; i++)
    printf("%g ", y[i]);
  puts("");
}
