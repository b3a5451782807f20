// Tiles in shared memory; verified, built by both compilers and compared. A tile without its second barrier.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/shared-tiles.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/shared-tiles.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/shared-tiles.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/shared-tiles.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/shared-tiles.cpp -o %t/san && %t/san
#include <cuda_runtime.h>
#include <stdio.h>

#define T 8

// A column more, against conflicts of banks; edges by conditions.
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[T][T + 1], bs[T][T + 1];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int m = 0; m < (n + T - 1) / T; m++) {
    int i = m * T + threadIdx.x, j = m * T + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < n && i < n ? a[row * n + i] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = col < n && j < n ? b[j * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
// REMARK: [[#@LINE-16]]:17: remark: kernel raised to a nest: {{.*}}verification passed
// CHECK-LABEL: static void product_range(
// CHECK: float as[8][9];

// What is stored to memory between the copy and its use may be the element.
__global__ void between(float *x, float *y) {
  __shared__ float t[T];
  t[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = 0;
  y[threadIdx.x] = t[threadIdx.x];
}
// REMARK: [[#@LINE-7]]:17: remark: kernel raised to a nest: t[{{.*}}verification passed
// CHECK-LABEL: static void between_range(
// CHECK: float t[8];

// In place: barriers hold threads apart, and a loop in some order would not.
__global__ void reversed(float *x) {
  __shared__ float t[T];
  t[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = t[T - 1 - threadIdx.x];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel raised to a nest: t[{{.*}}verification passed
// CHECK-LABEL: static void reversed_range(
// CHECK: float t[8];

// More than is copied: neighbours' elements are the block's work.
__global__ void worked(const float *x, float *y) {
  __shared__ float t[T];
  t[threadIdx.x] = x[threadIdx.x] / 3.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < T; k++)
    sum += t[k];
  y[threadIdx.x] = sum + t[threadIdx.x];
}
// REMARK: [[#@LINE-9]]:17: remark: kernel raised to a nest: t[{{.*}}verification passed
// CHECK-LABEL: static void worked_range(
// CHECK: float t[8] = {};

int main() {
  const int n = 21, blocks = (n + T - 1) / T;
  static float a[n * n], b[n * n], c[n * n], x[T], y[T];
  for (int i = 0; i < n * n; i++) {
    a[i] = i * 7 % 16 - 4;
    b[i] = i * 5 % 16 - 8;
  }
  int wrong = 0;
  product<<<dim3(blocks, blocks), dim3(T, T)>>>(a, b, c, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      wrong += c[i * n + j] != sum;
    }
  for (int i = 0; i < T; i++)
    x[i] = 3 * i;
  reversed<<<1, T>>>(x);
  for (int i = 0; i < T; i++)
    wrong += x[i] != 3 * (T - 1 - i);
  worked<<<1, T>>>(x, y);
  for (int i = 0; i < T; i++)
    wrong += y[i] != T * (T - 1) / 2 + (T - 1 - i);
  between<<<1, T>>>(x, y);
  for (int i = 0; i < T; i++)
    wrong += x[i] != 0 || y[i] != 3 * (T - 1 - i);
  if (wrong)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
