// REQUIRES: clang-raise
// From a CUDA file to verdicts: inputs of kernels are found although nothing says how long their buffers are.
//
// RUN: %clang_raise rewrite --verify %s -o %t.cpp -- 2>&1 | FileCheck %s

// Whole columns of a matrix: the extent is a product of parameters.
// CHECK: chain.cu:[[#@LINE+1]]:17: remark: kernel raised to {{.*}}verification passed ({{[0-9]+}} inputs, 1, 2 and 4 threads, three thread orders
__global__ void scaleColumns(float *a, const float *s, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols)
    a[i] *= s[i % cols];
}

// Threads race where two indices are equal: there nothing is defined, and such inputs are left out.
// CHECK: chain.cu:[[#@LINE+1]]:17: remark: kernel raised to {{.*}}verification passed ({{.*}}inputs on which threads race left out
__global__ void scatter(float *y, const float *x, const int *idx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[idx[i]] = x[i];
}

// CHECK: chain.cu:[[#@LINE+1]]:17: remark: kernel raised to {{.*}}verification passed
__global__ void histogram(int *h, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&h[x[i]], 1);
}
