// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    _Complex float z = x[i];
    x[i] = __real__(z * z);
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1014.c:4:5: 'z' has type '_Complex float', which is not supported [CR1014]
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    float z = x[i];
    x[i] = z * z;
  }
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
