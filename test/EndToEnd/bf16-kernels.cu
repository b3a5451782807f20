// Kernels over bfloat16 are raised, with the conversions that they have; what
// their threads compute as written is the same, bit for bit.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/out.cpp -- 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/gcc && env OMP_NUM_THREADS=3 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/clang && env OMP_NUM_THREADS=3 %t/clang
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
typedef __nv_bfloat16 floatX;

// REMARK: bf16-kernels.cu:[[@LINE+3]]:17: remark: kernel raised to
// CHECK-LABEL: static void bend_range(
// CHECK: y[i] = (floatX)
__global__ void bend(floatX *__restrict__ y, const floatX *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = (float)x[i];
    float cube = 0.044715f * v * v * v;
    y[i] = (floatX)(0.5f * v * (1.0f + tanhf(0.7978f * (v + cube))));
  }
}

// Sums round where the source rounds.
// REMARK: bf16-kernels.cu:[[@LINE+1]]:17: remark: kernel raised to
__global__ void add(floatX *__restrict__ y, const floatX *__restrict__ a, const floatX *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a[i] + b[i];
    y[i] += (floatX)0.125f;
  }
}

// REMARK: bf16-kernels.cu:[[@LINE+1]]:17: remark: kernel raised to
__global__ void rows(float *__restrict__ y, const floatX *__restrict__ x, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < w; ++j)
    sum += (float)x[i * w + j];
  y[i] = sum;
}

static bool same(floatX a, floatX b) { return memcmp(&a, &b, sizeof a) == 0; }

int main() {
  const int n = 640, w = 8;
  floatX *x, *b, *y;
  float *sums;
  int bad = 0;
  cudaMallocManaged(&x, n * sizeof(floatX));
  cudaMallocManaged(&b, n * sizeof(floatX));
  cudaMallocManaged(&y, n * sizeof(floatX));
  cudaMallocManaged(&sums, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    x[i] = __float2bfloat16(float(i * 37 % 101) / 7 - 6);
    b[i] = __float2bfloat16(float(i * 13 % 17) / 3);
  }
  bend<<<(n + 63) / 64, 64>>>(y, x, n);
  for (int i = 0; i < n; ++i) {
    const float v = __bfloat162float(x[i]), cube = 0.044715f * v * v * v;
    bad += !same(y[i], __float2bfloat16(0.5f * v * (1.0f + tanhf(0.7978f * (v + cube)))));
  }
  add<<<(n + 63) / 64, 64>>>(y, x, b, n);
  for (int i = 0; i < n; ++i) {
    const floatX sum = __float2bfloat16(__bfloat162float(x[i]) + __bfloat162float(b[i]));
    bad += !same(y[i], __float2bfloat16(__bfloat162float(sum) + 0.125f));
  }
  rows<<<2, 64>>>(sums, x, n / w, w);
  for (int i = 0; i < n / w; ++i) {
    float sum = 0;
    for (int j = 0; j < w; ++j)
      sum += __bfloat162float(x[i * w + j]);
    bad += !(sums[i] - sum < 1e-3f && sum - sums[i] < 1e-3f);
  }
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
