// RUN: %raise_lift %s -- -O2 -fopenmp | FileCheck %s
void bad(float *x, int n) {
#pragma omp task
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-LABEL: @bad
// CHECK: CR1020.c:3:1: 'omp task' is not followed [CR1020]
void good(float *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-LABEL: @good
// CHECK: claimed for
// CHECK-NOT: [CR
