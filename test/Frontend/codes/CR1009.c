// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  int *bits = (int *)x;
  for (int i = 0; i < n; i++)
    bits[i] &= 0x7fffffff;
}
// CHECK-LABEL: @bad
// CHECK: CR1009.c:3:15: 'float *' is converted to 'int *' [CR1009]
void good(float *x, int n) {
  const float *same = (const float *)x;
  for (int i = 0; i < n; i++)
    x[i] = same[i] < 0 ? -same[i] : same[i];
}
// CHECK-LABEL: @good
// CHECK: cursor same: x = 0:i64;
// CHECK-NOT: [CR
void constant(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int i = 0; i < n; i++)
    ((float *)x)[i] = 0;
}
// CHECK: CR1009.c:[[#@LINE-2]]:5: 'x', whose elements are declared to be constant, is written through a cast [CR1009]
