// RUN: %raise_lift %s -- -O2 | FileCheck %s
static void note(float *x, ...) { *x = 0; }
void bad(float *x, int n) {
  for (int i = 0; i < n; i++)
    note(x, i);
}
// CHECK-LABEL: @bad
// CHECK: CR1025.c:5:5: calls note, which takes variable arguments [CR1025]
static void clear(float *x, int i) { x[i] = 0; }
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    clear(x, i);
}
// CHECK-LABEL: @good
// CHECK: x[i] = icast<f32>(0);
// CHECK-NOT: [CR
