// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      throw i;
    x[i] += 1;
  }
}
// CHECK-LABEL: @bad
// CHECK: opaque "throw i" "CR1003"
// CHECK: CR1003.cpp:5:7: an exception is thrown [CR1003]
void caught(float *x, int n) {
  for (int i = 0; i < n; i++) {
    try {
      x[i] += 1;
    } catch (...) {
    }
  }
}
// CHECK-LABEL: @caught
// CHECK: CR1003.cpp:14:5: an exception may be caught here [CR1003]
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      return;
    x[i] += 1;
  }
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
