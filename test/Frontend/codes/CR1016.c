// RUN: %raise_lift %s -- -O2 | FileCheck %s
long bad(const float *a, const float *b, int n) {
  long d = 0;
  for (int i = 0; i < n; i++)
    d += b - a;
  return d;
}
// CHECK-LABEL: @bad
// CHECK: CR1016.c:5:10: a difference of two pointers [CR1016]
static void halve(float *v) { *v = *v / 2; }
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    float v = x[i];
    halve(&v);
    x[i] = v;
  }
}
// CHECK-LABEL: @good
// CHECK: let v: f32 = x[i];
// CHECK-NEXT: v = v / icast<f32>(2);
// CHECK-NEXT: x[i] = v;
// CHECK-NOT: [CR
