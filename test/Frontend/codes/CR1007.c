// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, const int *k, int n) {
  for (int i = 0; i < n; i++)
    switch (k[i]) {
    case 0:
      x[i] = 1;
    case 1:
      x[i] += 2;
      break;
    }
}
// CHECK-LABEL: @bad
// CHECK: CR1007.c:4:5: a case falls through to the next [CR1007]
void good(float *x, const int *k, int n) {
  for (int i = 0; i < n; i++)
    switch (k[i]) {
    default:
      x[i] = 7;
      break;
    case 0:
    case 2:
      x[i] = 1;
      break;
    case 1:
      x[i] += 2;
    }
}
// CHECK-LABEL: @good
// CHECK: if (selector == 0 || selector == 2) {
// CHECK-NEXT: x[i] = icast<f32>(1);
// CHECK: if (selector == 1) {
// CHECK-NEXT: x[i] += icast<f32>(2);
// CHECK: x[i] = icast<f32>(7);
// CHECK-NOT: [CR
