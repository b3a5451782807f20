// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] ?: 1.0f;
}
// CHECK-LABEL: @bad
// CHECK: CR1024.c:4:12: this expression is not supported [CR1024]
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] != 0 ? x[i] : 1.0f;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
