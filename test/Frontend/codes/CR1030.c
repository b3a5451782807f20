// RUN: %raise_lift %s -- -O2 -fopenmp | FileCheck %s
void bad(float *x, const float *y, int n) {
  float t;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    t = y[i];
    x[i] = t * t;
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1030.c:4:1: 'omp parallel for' claims that iterations are independent, but they share 't', which the loop writes [CR1030]
void good(float *x, const float *y, int n) {
  float t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    t = y[i];
    x[i] = t * t;
  }
}
// CHECK-LABEL: @good
// CHECK: claimed for
// CHECK-NEXT: let t.1: f32;
// CHECK-NOT: [CR
