// RUN: %raise_lift %s -- -O2 | FileCheck %s
union bits {
  float f;
  unsigned u;
};
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    union bits b;
    b.f = x[i];
    b.u &= 0x7fffffffu;
    x[i] = b.f;
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1012.c:8:5: 'b' has type 'union bits', which is not supported [CR1012]
struct pair {
  float re, im;
};
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    struct pair b;
    b.re = x[i];
    b.im = b.re * 2;
    x[i] = b.im;
  }
}
// CHECK-LABEL: @good
// CHECK: b_re = x[i];
// CHECK: b_im = b_re * icast<f32>(2);
// CHECK: x[i] = b_im;
// CHECK-NOT: [CR
