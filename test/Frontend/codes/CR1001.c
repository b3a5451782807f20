// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, volatile int *flag, int n) {
  for (int i = 0; i < n; i++)
    x[i] = *flag;
}
// CHECK-LABEL: @bad
// CHECK: opaque "x[i] = *flag" "CR1001"
// CHECK: CR1001.c:4:12: a volatile object is read [CR1001]
void good(float *x, int *flag, int n) {
  for (int i = 0; i < n; i++)
    x[i] = *flag;
}
// CHECK-LABEL: @good
// CHECK: x[i] = icast<f32>(flag[0:i64]);
// CHECK-NOT: [CR
