// Kernels whose threads race in larger blocks than they are launched with: the
// launch is tested.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/run && env OMP_NUM_THREADS=3 %t/run
#include <cstdio>

// REMARK: block-sizes.cu:[[#@LINE+4]]:17: remark: kernel raised {{.*}}verification passed
// CHECK: blockDim.y is at most
// CHECK-NEXT: 1, since two would race (block-sizes.cu:
// CHECK-LABEL: static void firsts_range(
__global__ void firsts(const float *x, float *y, int n) {
  __shared__ float s[128];
  s[threadIdx.x] = x[(blockIdx.y * blockDim.y + threadIdx.y) * n + blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.y * gridDim.x + blockIdx.x] = s[0] + s[1];
}

// REMARK: block-sizes.cu:[[#@LINE+4]]:17: remark: kernel raised {{.*}}verification passed
// CHECK: blockDim.x is at most 128,
// CHECK-NEXT: since two would race (block-sizes.cu:
// CHECK-LABEL: static void planes_range(
__global__ void planes(const float *x, float *y) {
  __shared__ float s[2048];
  const int c = threadIdx.y * 128 + threadIdx.x;
  for (int i = 0; i < 4; i++)
    s[i * 512 + c] = x[i * 512 + c];
  __syncthreads();
  y[c] = s[c * 4];
}

// The number that looks like the block's size is twice that.
// REMARK: block-sizes.cu:[[#@LINE+2]]:17: remark: kernel raised {{.*}}verification passed
// CHECK-LABEL: static void halves_range(
__global__ void halves(const float *x, float *y) {
  __shared__ float s[512];
  s[threadIdx.x] = x[blockIdx.x * 512 + threadIdx.x];
  s[threadIdx.x + 256] = x[blockIdx.x * 512 + threadIdx.x + 256];
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = s[511 - threadIdx.x];
}

// One that races in every block stays what it is.
// REMARK: block-sizes.cu:[[#@LINE+1]]:17: remark: kernel not raised: {{.*}}[CR1103
__global__ void races(const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x / 2] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x / 2];
}

int main(int argc, char **) {
  const int some = argc > 9 ? 1 : 64; // which the tool does not know
  float *x, *y;
  int bad = 0;
  cudaMallocManaged(&x, 2048 * sizeof(float));
  cudaMallocManaged(&y, 2048 * sizeof(float));
  for (int i = 0; i < 2048; ++i)
    x[i] = float(i * 7 % 101), y[i] = -1;
  firsts<<<dim3(4, 3), dim3(some / 2, argc > 9 ? 2 : 1)>>>(x, y, 128);
  for (int by = 0; by < 3; ++by)
    for (int bx = 0; bx < 4; ++bx)
      bad += y[by * 4 + bx] != x[by * 128 + bx * 32] + x[by * 128 + bx * 32 + 1];
  planes<<<1, dim3(2 * some, some / 16)>>>(x, y);
  for (int c = 0; c < 512; ++c)
    bad += y[c] != x[c * 4];
  halves<<<4, 4 * some>>>(x, y);
  for (int b = 0; b < 4; ++b)
    for (int t = 0; t < 256; ++t)
      bad += y[b * 256 + t] != x[b * 512 + 511 - t];
  races<<<1, some>>>(x, y);
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
