// An unsigned literal that the source converts to int is no literal of an int: `7u` divides unsigned. Kernels with barriers compute indices
// in int where they can, and the literals among them.
// RUN: %clang_raise rewrite %s -o %t.cpp -- 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.run
// RUN: %t.run
// RUN: FileCheck %s < %t.cpp
#include <cstdio>
constexpr unsigned N = 7;
#define M 7u
enum : unsigned { E = 7 };

// REMARK: remark: kernel raised to
// CHECK-LABEL: static void divide_range(
// CHECK-NOT: / 7u
// CHECK-LABEL: static void divide_thread(
__global__ void divide(int *y, const int *x, int n) {
  __shared__ int m[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  m[t] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) {
    y[4 * i] = m[t] / (int)7u;
    y[4 * i + 1] = m[t] / (int)N;
    y[4 * i + 2] = m[t] % (int)M;
    y[4 * i + 3] = m[t] < (int)E;
  }
}

int main() {
  int x[128], y[512], *dx, *dy, bad = 0;
  for (int i = 0; i < 128; i++)
    x[i] = i - 100;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  divide<<<1, 128>>>(dy, dx, 128);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; i++) {
    const int seven = 7;
    bad += y[4 * i] != x[i] / seven || y[4 * i + 1] != x[i] / seven ||
           y[4 * i + 2] != x[i] % seven || y[4 * i + 3] != (x[i] < seven);
  }
  if (bad)
    printf("%d wrong\n", bad);
  return bad != 0;
}
