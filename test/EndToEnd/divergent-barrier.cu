// A barrier that not all threads reach has no defined result to be equal to.
// RUN: not %clang_raise rewrite %s -o %t.cpp -- 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: not ls %t.cpp
// CHECK: divergent-barrier.cu:[[#@LINE+5]]:5: {{.*}}not all threads of a block reach this barrier{{.*}}CR1404
__global__ void half(float *x) {
  __shared__ float part[256];
  part[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 128) {
    __syncthreads();
    x[threadIdx.x] = part[threadIdx.x + 128];
  }
}
