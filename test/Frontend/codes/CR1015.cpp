// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = [k = 2 * i](float v) { return v + k; }(x[i]);
}
// CHECK-LABEL: @bad
// CHECK: CR1015.cpp:4:12: a lambda [CR1015]
static float plus(float v, int i) { return v + i; }
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = plus(x[i], i);
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
