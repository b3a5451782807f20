// RUN: %raise_lift %s -- -O2 | FileCheck %s
struct Pair { float a, b; };
__global__ void bad(float *x) {
  extern __shared__ Pair pairs[];
  pairs[threadIdx.x].a = x[threadIdx.x];
}
// CHECK-LABEL: @bad
// CHECK: 'pairs' is dynamic shared memory of structures [CR1023]

// All such arrays are one.
__global__ void both(float *x) {
  extern __shared__ float part[];
  extern __shared__ int places[];
  part[threadIdx.x] = x[threadIdx.x];
  places[threadIdx.x] = 1;
}
// CHECK-LABEL: @both
// CHECK: 'places' is dynamic shared memory, which another array of another type shares [CR1023]

__global__ void good(float *x) {
  extern __shared__ float part[];
  part[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = part[1];
}
// CHECK-LABEL: @good
// CHECK: shared part: f32[];
// CHECK-NOT: shared
// CHECK-NOT: [CR
