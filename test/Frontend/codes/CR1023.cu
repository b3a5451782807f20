// RUN: %raise_lift %s -- -O2 | FileCheck %s
__global__ void bad(float *x) {
  extern __shared__ float part[];
  part[threadIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: @bad
// CHECK: 'part' is dynamic shared memory [CR1023]
__global__ void good(float *x) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
