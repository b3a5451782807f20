// Variables of templates are named with their arguments.
// RUN: %clang_raise rewrite %s -o %t.cpp -- 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.run
// RUN: %t.run
#include <cstdio>
template <class T, int N> __constant__ T mask[N];
enum Mode { Plain, Doubled };
template <Mode M> __constant__ float factor;

// REMARK: [[#@LINE+2]]:36: remark: kernel raised to a map
// CHECK: y[i] = x[i] * mask<float, 4>[i & 3];
template <class T> __global__ void weigh(T *y, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * mask<T, 4>[i & 3];
}

// REMARK: [[#@LINE+1]]:35: remark: kernel not raised: {{.*}}cannot be named here
template <Mode M> __global__ void scale(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] *= factor<M>;
}

int main() {
  float m[4] = {1, 2, 3, 4}, h[64], two = 2, *x, *y;
  for (int i = 0; i < 64; ++i)
    h[i] = i;
  cudaMemcpyToSymbol(mask<float, 4>, m, sizeof m);
  cudaMemcpyToSymbol(factor<Doubled>, &two, sizeof two);
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  weigh<<<1, 64>>>(y, x, 64);
  scale<Doubled><<<1, 64>>>(y, 64);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 64; ++i)
    bad += h[i] != 2 * i * m[i & 3];
  if (bad)
    printf("%d wrong\n", bad);
  return bad != 0;
}
