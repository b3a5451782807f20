// Kernels whose threads share arrays and wait for each other, as loops over blocks and threads: verified, built by both
// compilers, run on two threads; and kernels that race.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/barriers.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/barriers.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/barriers.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/barriers.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/barriers.cpp -o %t/san && %t/san
#include <cuda_runtime.h>
#include <stdio.h>

#define RADIUS 3
#define BLOCK 64

// A halo: whether two threads meet hangs on the size of the block.
__global__ void stencil(const int *in, int *out) {
  __shared__ int part[BLOCK + 2 * RADIUS];
  int g = threadIdx.x + blockIdx.x * blockDim.x;
  int l = threadIdx.x + RADIUS;
  part[l] = in[g];
  if (threadIdx.x < RADIUS) {
    part[l - RADIUS] = g < RADIUS ? 0 : in[g - RADIUS];
    part[l + BLOCK] = in[g + BLOCK];
  }
  __syncthreads();
  int sum = 0;
  for (int o = -RADIUS; o <= RADIUS; o++)
    sum += part[l + o];
  out[g] = sum;
}
// REMARK: [[#@LINE-15]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void stencil_range(
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (int b = 0; b < (int)grid.x; ++b) {
// CHECK-NEXT: int part[70];
// CHECK: for (int t = 0; t < (int)block.x; ++t) {
// CHECK-NEXT: int g = t + b * (int)block.x;
// CHECK: for (int t = 0; t < (int)block.x; ++t) {
// CHECK: void stencil(dim3 grid
// CHECK: block.x <= 64LL

// A tree in shared memory.
__global__ void total(const float *x, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-14]]:17: remark: kernel raised to a reduction{{.*}}; verification passed
// CHECK-LABEL: static void total_range(
// CHECK: float sum = 0;
// CHECK-NEXT: for (int t = 0; t < 256; ++t) {
// CHECK-NEXT: int i = b * 256 + t;
// CHECK-NEXT: sum += i < n ? x[i] : 0.0f;
// CHECK-NEXT: }
// CHECK-NEXT: out[b] = sum;

#define T 8
// Tiles, and a sum that lives on from one barrier to the next.
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (int m = 0; m < n / T; m++) {
    as[ty][tx] = a[row * n + m * T + tx];
    bs[ty][tx] = b[(m * T + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// REMARK: [[#@LINE-15]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void product_range(
// CHECK: float sum_of[8][8];

// Hillis and Steele.
__global__ void scan(const int *x, int *y) {
  __shared__ int a[BLOCK];
  int t = threadIdx.x;
  a[t] = x[blockIdx.x * BLOCK + t];
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    int v = 0;
    if (t >= d)
      v = a[t - d];
    __syncthreads();
    a[t] += v;
    __syncthreads();
  }
  y[blockIdx.x * BLOCK + t] = a[t];
}
// REMARK: [[#@LINE-15]]:17: remark: kernel raised to a nest{{.*}}; verification passed
// CHECK-LABEL: static void scan_range(

// All threads leave a loop together.
__global__ void until(const int *x, int *y, int n) {
  __shared__ int s[BLOCK];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    s[t] = x[k * BLOCK + t];
    __syncthreads();
    if (s[0] < 0)
      break;
    sum += s[BLOCK - 1 - t];
    __syncthreads();
  }
  y[t] = sum;
}
// REMARK: [[#@LINE-13]]:17: remark: kernel raised to a {{.*}}; verification passed

// Within a warp, as old code does it: a thread reads what another writes.
__global__ void warp(float *y, const float *x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0)
    y[0] = s[0];
}
// REMARK: [[#@LINE-16]]:17: remark: kernel not raised: {{.*}}'s[t + 1]'{{.*}}[CR1102

// The next iteration writes what a slow thread has not read yet.
__global__ void behind(float *y, const float *x, int n) {
  __shared__ float s[2 * BLOCK];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    s[t] = x[k * BLOCK + t];
    s[t + blockDim.x] = 1;
    __syncthreads();
    y[k * BLOCK + t] = s[t] + s[(t + 1) % BLOCK] + s[t ? t - 1 : 0] + s[t + 1];
  }
}
// REMARK: [[#@LINE-10]]:17: remark: kernel not raised: {{.*}}[CR1101

int main(int argc, char **) {
  const int some = argc > 9 ? 1 : 64; // which the tool does not know
  const int n = 1000, blocks = 16;
  int *in, *out, bad = 0;
  float *x, *y;
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 2048 * sizeof(int));
  cudaMallocManaged(&x, 4096 * sizeof(float));
  cudaMallocManaged(&y, 4096 * sizeof(float));
  for (int i = 0; i < 4096; i++)
    x[i] = i % 7;
  for (int i = 0; i < 2048; i++)
    in[i] = i % 13;
  stencil<<<blocks, some>>>(in, out);
  for (int i = 0; i < blocks * BLOCK; i++) {
    int sum = 0;
    for (int o = -RADIUS; o <= RADIUS; o++)
      sum += i + o < 0 ? 0 : in[i + o];
    bad += out[i] != sum;
  }
  total<<<4, 256>>>(x, y, n);
  for (int b = 0; b < 4; b++) {
    float sum = 0;
    for (int i = b * 256; i < (b + 1) * 256 && i < n; i++)
      sum += x[i];
    bad += y[b] != sum;
  }
  product<<<dim3(3, 3), dim3(T, T)>>>(x, x + 1000, y, 24);
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 24; j++) {
      float sum = 0;
      for (int k = 0; k < 24; k++)
        sum += x[i * 24 + k] * x[1000 + k * 24 + j];
      bad += y[i * 24 + j] != sum;
    }
  scan<<<blocks, BLOCK>>>(in, out);
  for (int b = 0; b < blocks; b++)
    for (int i = 0, sum = 0; i < BLOCK; i++)
      bad += out[b * BLOCK + i] != (sum += in[b * BLOCK + i]);
  in[3 * BLOCK] = -1;
  until<<<1, BLOCK>>>(in, out, 8);
  for (int t = 0; t < BLOCK; t++)
    bad += out[t] != in[BLOCK - 1 - t] + in[2 * BLOCK - 1 - t] + in[3 * BLOCK - 1 - t];
  cudaFree(in), cudaFree(out), cudaFree(x), cudaFree(y);
  printf("%d wrong\n", bad);
  return bad != 0;
}
