// What the threads of a block put together by trees, butterflies and ladders, in the spellings in which it is found:
// verified, built by both compilers, run on two threads and compared with plain loops.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/trees.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/trees.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/trees.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/trees.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/trees.cpp -o %t/san && %t/san
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

#define B 128

// By halves, under a loop.
__global__ void halves(float *out, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (int k = B / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-13]]:17: remark: kernel raised to a reduction: out[b] = Σ_t x[b,t]{{.*}}verification passed
// CHECK-LABEL: static void halves_range(
// CHECK: float sum = 0;
// CHECK-NEXT: #pragma omp simd reduction(+ : sum)
// CHECK-NEXT: for (int t = 0; t < 128; ++t)
// CHECK-NEXT: sum += x[b * 128 + t];
// CHECK-NEXT: out[b] = sum;

// Neighbours first, by the elements' numbers.
__global__ void neighbours(float *out, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned i = 2 * k * t;
    if (i < blockDim.x)
      s[i] += s[i + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-14]]:17: remark: kernel raised to a reduction: out[b] = Σ_t x[b,t]{{.*}}verification passed

// Neighbours first, by remainders, of the largest.
__global__ void largest(int *out, const int *x) {
  __shared__ int s[B];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * B + t];
  for (unsigned k = 1; k < B; k *= 2) {
    __syncthreads();
    if (t % (2 * k) == 0)
      s[t] = max(s[t], s[t + k]);
  }
  __syncthreads();
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-13]]:17: remark: kernel raised to a {{.*}}verification passed
// CHECK-LABEL: static void largest_range(
// CHECK: int largest = x[b * 128];
// CHECK-NEXT: for (int t = 1; t < 128; ++t)
// CHECK-NEXT: if (x[b * 128 + t] > largest)

// The last warp written out, the size a template's.
template <unsigned N> __global__ void unrolled(float *out, const float *x, unsigned n) {
  __shared__ float s[N];
  unsigned t = threadIdx.x, i = blockIdx.x * N * 2 + t;
  s[t] = (i < n ? x[i] : 0) + (i + N < n ? x[i + N] : 0);
  __syncthreads();
  if (N >= 256) {
    if (t < 128)
      s[t] += s[t + 128];
    __syncthreads();
  }
  if (N >= 128) {
    if (t < 64)
      s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    s[t] += s[t + 32];
    __syncwarp();
    for (unsigned k = 16; k > 0; k /= 2) {
      if (t < k)
        s[t] += s[t + k];
      __syncwarp();
    }
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-27]]:{{[0-9]+}}: remark: kernel raised to a reduction: {{.*}}verification passed
// CHECK-LABEL: static void unrolled_range_128(
// CHECK: float sum = 0;
// CHECK-NEXT: for (int t = 0; t < 128; ++t) {

// Warps, and then the warps' sums; each thread has its own part before.
__global__ void warps(float *out, const float *x, int n) {
  __shared__ float w[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    v += x[i];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  if (lane == 0)
    w[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? w[lane] : 0.0f;
  if (warp == 0)
    for (int o = 16; o > 0; o /= 2)
      v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}
// REMARK: [[#@LINE-18]]:17: remark: kernel raised to a reduction: {{.*}}verification passed
// CHECK-LABEL: static void warps_range(
// CHECK: float sum = 0.0f;
// CHECK-NEXT: for (int first = b * 128; first < n; first += 128 * (int)grid.x) {
// CHECK-NEXT: #pragma omp simd reduction(+ : sum)
// CHECK-NEXT: for (int i = first; i < (n - first < 128 ? n : first + 128); ++i)
// CHECK-NEXT: sum += x[i];
// CHECK-NEXT: }
// CHECK-NEXT: out[b] = sum;

// A ladder: running sums.
__global__ void ladder(float *y, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (int d = 1; d < B; d *= 2) {
    float v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    if (t >= d)
      s[t] += v;
    __syncthreads();
  }
  y[blockIdx.x * B + t] = s[t];
}
// REMARK: [[#@LINE-16]]:17: remark: kernel raised to a nest{{.*}}verification passed
// CHECK-LABEL: static void ladder_range(
// CHECK: float sum = s[0];
// CHECK-NEXT: for (int l = 1; l < 128; ++l) {
// CHECK-NEXT: sum += s[l];
// CHECK-NEXT: s[l] = sum;
// CHECK-NEXT: }

// Rows, each by a block: a tree in the middle, and loops in steps of the block.
__global__ void rows(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, row = blockIdx.x * n;
  float v = 0;
  for (int i = t; i < n; i += B)
    v += x[row + i] * x[row + i];
  s[t] = v;
  __syncthreads();
  for (int k = B / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  float all = s[0];
  for (int i = t; i < n; i += B)
    y[row + i] = x[row + i] / all;
}
// REMARK: [[#@LINE-17]]:17: remark: kernel raised to {{.*}}verification passed
// CHECK-LABEL: static void rows_range(
// CHECK: float all = 0;
// CHECK-NEXT: #pragma omp simd reduction(+ : all)
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK-NEXT: all += x[row + i] * x[row + i];
// CHECK: for (int i = 0; i < n; ++i)
// CHECK-NEXT: y[row + i] = x[row + i] / all;

// 100 threads: halves of it leave some elements out, and the sum does as well.
__global__ void some(float *out, const float *x) {
  __shared__ float s[100];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 100 + t];
  __syncthreads();
  for (int k = 100 / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// REMARK: [[#@LINE-13]]:17: remark: kernel raised to a nest{{.*}}verification passed
// CHECK-LABEL: static void some_range(
// CHECK: while (k > 0) {

int main() {
  const int n = 4 * B;
  static float x[2 * n], y[2 * n], out[8];
  static int xi[n], most[4];
  for (int i = 0; i < 2 * n; i++)
    x[i] = (i * 7 % 16) / 16.0f - 0.25f;
  for (int i = 0; i < n; i++)
    xi[i] = i * 7919 % 1009;
  int wrong = 0;
  const auto sum = [&](int from, int count) {
    float all = 0;
    for (int i = from; i < from + count && i < 2 * n; i++)
      all += x[i];
    return all;
  };
  halves<<<4, B>>>(out, x);
  neighbours<<<4, B>>>(out + 4, x);
  largest<<<4, B>>>(most, xi);
  for (int b = 0; b < 4; b++) {
    int top = 0;
    for (int i = 0; i < B; i++)
      top = max(top, xi[b * B + i]);
    wrong += out[b] != sum(b * B, B) || out[4 + b] != out[b] || most[b] != top;
  }
  unrolled<B><<<2, B>>>(out, x, n - 5);
  wrong += out[0] != sum(0, 2 * B) || out[1] != sum(2 * B, 2 * B - 5);
  warps<<<2, B>>>(out, x, n - 3);
  wrong += out[0] + out[1] != sum(0, n - 3);
  ladder<<<4, B>>>(y, x);
  for (int i = 0; i < 4 * B; i++)
    wrong += y[i] != sum(i / B * B, i % B + 1);
  rows<<<2, B>>>(y, x, 300);
  for (int r = 0; r < 2; r++) {
    float all = 0;
    for (int i = 0; i < 300; i++)
      all += x[r * 300 + i] * x[r * 300 + i];
    for (int i = 0; i < 300; i++)
      wrong += fabsf(y[r * 300 + i] - x[r * 300 + i] / all) > 1e-6f;
  }
  some<<<2, 100>>>(out, x);
  for (int b = 0; b < 2; b++) {
    float s[100];
    for (int i = 0; i < 100; i++)
      s[i] = x[b * 100 + i];
    for (int k = 50; k > 0; k /= 2)
      for (int i = 0; i < k; i++)
        s[i] += s[i + k];
    wrong += out[b] != s[0];
  }
  if (wrong)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
