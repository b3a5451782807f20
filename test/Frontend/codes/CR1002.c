// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    __asm__ volatile("" ::: "memory");
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1002.c:5:5: inline assembly [CR1002]
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = 0;
  }
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
