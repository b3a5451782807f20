// Kernels over half: memory holds 16 bits, what is computed is float, rounded where the source rounds.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/half.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/half.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/half.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/half.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void affine(const __half *x, __half *y, __half a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __half v = x[i];
    y[i] = v * v + a;
  }
}
// An argument of the class is no scalar of C: the kernel is left.
// REMARK: [[#@LINE-8]]:17: remark: kernel not raised

__global__ void wide(const half *x, const half *b, half *y, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = __half2float(x[i]) + __half2float(b[i % 4]);
  y[i] = __float2half(v * scale);
}
// REMARK: [[#@LINE-7]]:17: remark: kernel raised
// CHECK-LABEL: static void wide_range(
// CHECK: y[i] = (__half)(v * scale);

// Each step rounds; comparisons are of what was rounded.
__global__ void steps(const half *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    half v = x[i] * x[i] + __hsub(x[i], __hneg(x[i]));
    v += x[i];
    if (v > x[i] && x[i] != __float2half(3.0f))
      v = __hmul(v, x[i]);
    y[i] = v / __float2half(3.0f);
  }
}
// REMARK: [[#@LINE-10]]:17: remark: kernel raised
// CHECK-LABEL: static void steps_range(
// CHECK: (float)(__half)

__global__ void rows(const half *x, half *y, int columns) {
  __shared__ float part[64];
  float sum = 0;
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    sum += (float)x[blockIdx.x * columns + j];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (int(threadIdx.x) < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = half(part[0]);
}
// REMARK: [[#@LINE-15]]:17: remark: kernel raised

static float rounded(float x) { return __half2float(__float2half(x)); }

int main() {
  const int n = 256;
  half *x, *y;
  cudaMallocManaged(&x, n * sizeof(half));
  cudaMallocManaged(&y, n * sizeof(half));
  float f[n];
  int bad = 0;
  for (int i = 0; i < n; i++) {
    f[i] = rounded(0.37f * i - 20);
    x[i] = __float2half(f[i]);
  }
  affine<<<2, 128>>>(x, y, __float2half(1.5f), n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    bad += __half2float(y[i]) != rounded(rounded(f[i] * f[i]) + 1.5f);
  wide<<<2, 128>>>(x, x, y, 0.3f, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    bad += __half2float(y[i]) != rounded((f[i] + f[i % 4]) * 0.3f);
  steps<<<2, 128>>>(x, y, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    float v = rounded(rounded(f[i] * f[i]) + rounded(f[i] + f[i]));
    v = rounded(v + f[i]);
    if (v > f[i] && f[i] != 3)
      v = rounded(v * f[i]);
    bad += __half2float(y[i]) != rounded(v / 3);
  }
  rows<<<4, 64>>>(x, y, 64);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; i++) {
    float part[64];
    for (int j = 0; j < 64; j++)
      part[j] = f[64 * i + j];
    for (int s = 32; s > 0; s /= 2)
      for (int t = 0; t < s; t++)
        part[t] += part[t + s];
    bad += __half2float(y[i]) != rounded(part[0]);
  }
  if (bad)
    printf("%d are wrong\n", bad);
  return bad != 0;
}
