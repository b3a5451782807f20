// Memory that is seen as more than one sort of numbers is left, with its reason, and runs as it is written.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/left.cpp -- -O2 2> %t/err
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -fno-strict-aliasing -w -I%runtime %t/left.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
#include <cuda_runtime.h>
#include <stdio.h>

// The bytes themselves, beside the floats that they make.
__global__ void themselves(const float *x, int *y) {
  extern __shared__ unsigned char raw[];
  float *a = (float *)raw;
  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = raw[threadIdx.x];
}
// REMARK: [[#@LINE-7]]:17: remark: kernel not raised: the bytes of 'raw' are used as they are, and as elements of type 'float' [CR1009,

// Half a float.
__global__ void shifted(const float *x, float *y, int n) {
  extern __shared__ unsigned char raw[];
  float *a = (float *)raw;
  float *b = (float *)(raw + 2 * n);
  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = b[threadIdx.x];
}
// REMARK: [[#@LINE-8]]:17: remark: kernel not raised: the bytes of 'raw' are used as they are, and as elements of type 'float' [CR1009,

// A count of bytes that may wrap.
__global__ void wraps(const float *x, float *y, unsigned n) {
  extern __shared__ unsigned char raw[];
  float *b = (float *)(raw + n * 4u);
  b[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = b[blockDim.x - 1 - threadIdx.x];
}
// REMARK: [[#@LINE-7]]:17: remark: kernel not raised: the bytes of 'raw' are used as they are, and as elements of type 'float' [CR1009,

// A count that is cut to a type that cannot hold it is not what it was.
__global__ void cut(const float *x, float *y) {
  extern __shared__ unsigned char raw[];
  float *a = (float *)raw;
  a[threadIdx.x] = x[threadIdx.x / 16];
  __syncthreads();
  y[threadIdx.x % 4] = *(float *)(raw + 128 + (signed char)(64 * (threadIdx.x % 4)));
}
// REMARK: [[#@LINE-7]]:17: remark: kernel not raised: the bytes of 'raw' are used as they are, and as elements of type 'float' [CR1009,

// Raised code could not name its type.
__global__ void unnamed(const float *x, float *y) {
  struct Local { float a; int b; };
  __shared__ Local s[4];
  s[threadIdx.x].a = x[threadIdx.x];
  s[threadIdx.x].b = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = s[3 - threadIdx.x].a + s[threadIdx.x].b;
}
// REMARK: [[#@LINE-8]]:17: remark: kernel not raised: array 's' has elements of a type that is declared in the kernel [CR1013,

// Two sorts.
__global__ void sorts(const float *x, int *y) {
  extern __shared__ unsigned char raw[];
  float *a = (float *)raw;
  int *b = (int *)raw;
  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = b[threadIdx.x];
}
// REMARK: [[#@LINE-8]]:17: remark: kernel not raised: 'unsigned char *' is converted to 'float *' [CR1009,

int main() {
  float x[4] = {1, 2, 3, 4}, back[4];
  int found[4];
  float *dx, *dy;
  int *di;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof x);
  cudaMalloc(&di, sizeof found);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  int bad = 0;
  themselves<<<1, 4, sizeof x>>>(dx, di);
  cudaMemcpy(found, di, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++)
    bad += found[i] != ((unsigned char *)x)[i];
  shifted<<<1, 4, 2 * sizeof x>>>(dx, dy, 0);
  wraps<<<1, 4, 2 * sizeof x>>>(dx, dy, 1);
  cudaMemcpy(back, dy, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++)
    bad += back[i] != x[3 - i];
  cut<<<1, 64, 64 * sizeof(float)>>>(dx, dy);
  cudaMemcpy(back, dy, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++)
    bad += back[i] != x[(2 + i) % 4];
  unnamed<<<1, 4>>>(dx, dy);
  cudaMemcpy(back, dy, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++)
    bad += back[i] != x[3 - i] + i;
  sorts<<<1, 4, sizeof x>>>(dx, di);
  return bad;
}
