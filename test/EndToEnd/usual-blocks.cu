// Kernels that a file always launches in blocks of one size count by that number; others by what the launch says.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/blocks.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/blocks.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/blocks.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/blocks.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
#include <cuda_runtime.h>
#include <stdio.h>

#define SIDE 8

// By a variable that nothing changes.
__global__ void turned(const int *x, int *y) {
  __shared__ int s[SIDE][SIDE];
  s[threadIdx.y][threadIdx.x] = x[threadIdx.y * blockDim.x + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * blockDim.x + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void turned_range(
// CHECK: for (int ty = 0; ty < 8; ++ty)
// CHECK: for (int tx = 0; tx < 8; ++tx)

// By two sizes.
__global__ void reversed(const int *x, int *y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void reversed_range(
// CHECK: t < (int)block.x

// By a size that changes.
__global__ void shifted(const int *x, int *y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel raised
// CHECK-LABEL: static void shifted_range(
// CHECK: t < (int)block.x

// By whoever gets its name.
__global__ void doubled(const int *x, int *y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x] + s[0];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel raised
// CHECK-LABEL: static void doubled_range(
// CHECK: t < (int)block.x

template <class K> void launch(K kernel, int n, const int *x, int *y) { kernel<<<1, n>>>(x, y); }

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&y, 64 * sizeof(int));
  for (int i = 0; i < 64; i++)
    x[i] = i * i;
  int bad = 0;
  const dim3 side(SIDE, SIDE);
  turned<<<1, side>>>(x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    bad += y[i] != x[i % 8 * 8 + i / 8];
  for (int n = 0; n < 2; n++) {
    const int size = n ? 64 : 16;
    if (n)
      reversed<<<1, 64>>>(x, y);
    else
      reversed<<<1, 16>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < size; i++)
      bad += y[i] != x[size - 1 - i];
  }
  int threads = 32;
  threads *= 2;
  shifted<<<1, threads>>>(x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    bad += y[i] != x[(i + 1) % 64];
  launch(doubled, 64, x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    bad += y[i] != x[i] + x[0];
  if (bad)
    printf("%d are wrong\n", bad);
  return bad != 0;
}
