// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
#pragma STDC FENV_ACCESS ON
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 3;
}
// CHECK-LABEL: @bad
// CHECK: the floating-point environment is accessed here [CR1018]
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 3;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
