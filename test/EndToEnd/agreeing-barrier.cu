// A barrier under a condition that whoever launches the kernel makes the same
// for all threads of a block: the kernel keeps its body, and the executor looks
// at run time. Threads that have ended wait nowhere.
// RUN: %clang_raise rewrite %s -o %t.cpp -- 2>%t.err
// RUN: FileCheck --check-prefix=LEFT %s < %t.err
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -I%runtime %t.cpp -o %t.clang
// RUN: %t.clang 64 | FileCheck %s
// RUN: %gxx -std=c++17 -O1 -Wall -Wextra -Werror -fopenmp -I%runtime %t.cpp -o %t.gcc
// RUN: %t.gcc 64 | FileCheck %s
// RUN: not --crash %t.clang 40 2>&1 | FileCheck --check-prefix=DIVERGES %s
// CHECK: ended: 63.000000
// CHECK: strides: 2016.000000
// DIVERGES: divergent barrier in kernel 'strides'
#include <cstdio>
#include <cstdlib>

// LEFT: [[#@LINE+1]]:17: remark: kernel raised to a nest
__global__ void ended(float *y, const float *x, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[blockDim.x - 1 - threadIdx.x];
}

// LEFT: [[#@LINE+1]]:17: {{.*}}under a condition at line [[#@LINE+4]] that is not known {{.*}}[CR1402
__global__ void strides(float *y, const float *x, int n) {
  __shared__ float s[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    for (int k = 0; k < 32; k++)
      sum += s[k];
    __syncthreads();
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = s[31 - threadIdx.x];
}

int main(int, char **argv) {
  const int n = atoi(argv[1]);
  float *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&y, 64 * sizeof(float));
  for (int i = 0; i < 64; i++)
    x[i] = i;
  ended<<<1, 64>>>(y, x, 64);
  cudaDeviceSynchronize();
  printf("ended: %f\n", y[0]);
  strides<<<1, 32>>>(y, x, n);
  cudaDeviceSynchronize();
  printf("strides: %f\n", y[31]);
}
