// RUN: %raise_lift %s -- -O2 | FileCheck %s
// A pointer of device code that a statement of its own block sends to another
// buffer is a new one from there on.

// CHECK-LABEL: kernel @anew(
// CHECK: cursor p: x = icast<i64>(i);
// CHECK: let a: f32 = x[p];
// CHECK: cursor p.1: y = icast<i64>(i);
// CHECK: p.1 += 1:i64;
// CHECK: y[p.1] = a;
__global__ void anew(float *y, float *x) {
  int i = threadIdx.x;
  float *p = x + i;
  float a = *p;
  p = y + i;
  ++p;
  *p = a;
}

// Set in the declaring block, and only then.
// CHECK-LABEL: kernel @later(
// CHECK: cursor p: x
// CHECK: cursor p.1: y
__global__ void later(float *y, float *x, int n) {
  float *p;
  p = x;
  float a = p[threadIdx.x];
  p = y;
  p[threadIdx.x] = a;
}

// In what a condition guards, or a loop repeats, it is one of two.
// CHECK-LABEL: kernel @guarded(
// CHECK: opaque {{.*}}"'p' may point into 'x' or 'y'"
__global__ void guarded(float *y, float *x, int n) {
  float *p = x;
  if (n > 3)
    p = y;
  p[threadIdx.x] = 0;
}
// CHECK-LABEL: kernel @repeated(
// CHECK: opaque {{.*}}"'p' may point into 'x' or 'y'"
__global__ void repeated(float *y, float *x, int n) {
  float *p = x;
  for (int i = 0; i < n; ++i) {
    p[i] = 0;
    p = y;
  }
}

// Nor is it followed where a new value is one of two.
// CHECK-LABEL: kernel @within(
// CHECK: opaque {{.*}}"'p' may point into
__global__ void within(float *y, float *x, float *z, int n) {
  float *p = x;
  p[0] = 1;
  p = y;
  if (n > 3)
    p = z;
  p[threadIdx.x] = 0;
}
