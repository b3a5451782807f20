// RUN: %raise_lift %s -- -O2 | FileCheck %s
__global__ void bad(float *x) {
  float v = x[threadIdx.x];
  v += __shfl_down_sync(0xffffffffu, v, 16);
  x[threadIdx.x] = v;
}
// CHECK-LABEL: @bad
// CHECK: CR1022.cu:4:8: calls __shfl_down_sync, which has no raised form [CR1022]
__global__ void good(float *x) {
  __shared__ float part[32];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] += part[threadIdx.x ^ 16];
}
// CHECK-LABEL: @good
// CHECK: grid.x for
// CHECK: shared part: f32[32:i64];
// CHECK: block.z for
// CHECK: barrier;
// CHECK-NOT: [CR
