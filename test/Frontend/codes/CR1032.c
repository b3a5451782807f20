// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *a, int n) {
  // clang-raise: off
  for (int i = 0; i < n; i++)
    a[i] = 0;
  // clang-raise: on
}
// CHECK-LABEL: @bad
// CHECK: CR1032.c:4:3: 'clang-raise: off' on line 3 has it left as it is [CR1032]
void good(float *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
