// Threads that update one element without an atomic race: they would lose updates, and have no sum.
// RUN: %clang_raise rewrite %s -o - -- -O2 2>&1 >%t.cpp | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.cpp
// CHECK: [[#@LINE+3]]:17: remark: kernel not raised: two iterations of 'i' write one element, 'c[0]' [CR1103
// TEXT: Runs as written on the reference executor: two iterations of
#include <cuda_runtime.h>
__global__ void lost(int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    *c += 1;
}
// CHECK: [[#@LINE+1]]:17: remark: kernel not raised: the iterations of 'i' share their elements: each reads 'c[0]' and writes it [CR1101
__global__ void sum(float *c, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[0] = c[0] + x[i];
}
// CHECK: [[#@LINE+1]]:17: remark: kernel raised to a reduction: c[i] += x[i·4+k]
__global__ void own(float *c, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 4; ++k)
      c[i] += x[i * 4 + k];
}
// CHECK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void counted(int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(c, 1);
}
