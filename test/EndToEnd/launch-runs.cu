// Launches one behind the other, over the same threads: one loop where each thread uses what it made itself.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/runs.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/runs.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/runs.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/runs.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/runs.cpp -o %t/san && env ASAN_OPTIONS=detect_leaks=0 %t/san
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(float *t, const float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] = by * x[i];
}
__global__ void shift(float *y, const float *__restrict__ t, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = t[i] + by;
}
__global__ void blur(float *y, const float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    y[i] = t[i - 1] + t[i] + t[i + 1];
}
__global__ void back(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += y[i];
}

// CHECK-LABEL: static void scale_shift_range(
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK: t[i] = {{.*}}by * x[i]
// CHECK: y[i] = {{.*}} + by_2;
// CHECK: // scale, then shift, over the same threads
// CHECK: static void scale_shift(dim3 grid, dim3 block, float *t, const float *x,
// CHECK: scale_shift_range(t, x, by, n, y, by_2);
// CHECK: scale(grid, block, t, x, by, n);
// CHECK-NEXT: shift(grid, block, y, t, by_2, n);
// CHECK: static void both(
// CHECK: scale_shift({{.*}}, block, t, x, 2.0f, n, y, 1.0f);
static void both(float *y, float *t, float *x, int n) {
  int block = 64;
  scale<<<(n + block - 1) / block, block>>>(t, x, 2.0f, n);
  shift<<<(n + block - 1) / block, block>>>(y, t, 1.0f, n);
}

// A thread of the second uses what others of the first made.
// CHECK: static void neighbours(
// CHECK: scale(n / 64, 64, t, x, 3.0f, n);
// CHECK-NEXT: blur(n / 64, 64, y, t, n);
static void neighbours(float *y, float *t, float *x, int n) {
  scale<<<n / 64, 64>>>(t, x, 3.0f, n);
  blur<<<n / 64, 64>>>(y, t, n);
}

// Other threads; what is evaluated may change; something stands between.
// CHECK: static void apart(
// CHECK: scale(n / 64, 64, t, x, 3.0f, n);
// CHECK-NEXT: shift(n / 32, 32, y, t, 1.0f, n);
// CHECK-NEXT: scale(n / 64, 64, t, x, 2.0f, n);
// CHECK-NEXT: cudaDeviceSynchronize();
// CHECK-NEXT: shift(n / 64, 64, y, t, *by, n);
static void apart(float *y, float *t, float *x, const float *by, int n) {
  scale<<<n / 64, 64>>>(t, x, 3.0f, n);
  shift<<<n / 32, 32>>>(y, t, 1.0f, n);
  scale<<<n / 64, 64>>>(t, x, 2.0f, n);
  cudaDeviceSynchronize();
  shift<<<n / 64, 64>>>(y, t, *by, n);
}

// Three of them, one array read and written, under a condition.
// CHECK: static void scale_shift_back(
// CHECK: // Three of them
// CHECK: static void three(
// CHECK: scale_shift_back(n / 64, 64, t, x, 2.0f, n, y, 1.0f)
static void three(float *y, float *t, float *x, int n) {
  if (n > 0) {
    scale<<<n / 64, 64>>>(t, x, 2.0f, n);
    shift<<<n / 64, 64>>>(y, t, 1.0f, n);
    back<<<n / 64, 64>>>(x, y, n);
  }
}

// A variable that both kernels name is one; a name of the first would hide what the second uses.
__device__ float bias = 7;
__global__ void setBias(float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] += 1;
  if (i == n - 1)
    bias = 3;
}
__global__ void addBias(float *y, const float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = t[i] + bias;
}
__global__ void hides(float *t, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float by = x[i];
    t[i] = by * by;
  }
}
// CHECK: static void globals(
// CHECK: setBias(n / 64, 64, t, n);
// CHECK-NEXT: addBias(n / 64, 64, y, t, n);
static void globals(float *y, float *t, int n) {
  setBias<<<n / 64, 64>>>(t, n);
  addBias<<<n / 64, 64>>>(y, t, n);
}
// CHECK: static void hidden(
// CHECK: hides(n / 64, 64, t, x, n);
// CHECK-NEXT: shift(n / 64, 64, y, t, 0.5f, n);
static void hidden(float *y, float *t, const float *x, int n) {
  hides<<<n / 64, 64>>>(t, x, n);
  shift<<<n / 64, 64>>>(y, t, 0.5f, n);
}

// The same pair again calls what is there.
// CHECK-NOT: static void scale_shift_2
// CHECK: static void again(
// CHECK: scale_shift(n / 64, 64, y, x, 4.0f, n, t, 2.0f);
static void again(float *y, float *t, float *x, int n) {
  scale<<<n / 64, 64>>>(y, x, 4.0f, n);
  shift<<<n / 64, 64>>>(t, y, 2.0f, n);
}

static int Bad;
static void expect(const char *what, int i, float is, float want) {
  if (is == want)
    return;
  printf("%s %d: %g, not %g\n", what, i, is, want);
  ++Bad;
}
int main() {
  const int n = 4096;
  float *x, *t, *y, *by;
  cudaMallocManaged(&x, 2 * n * sizeof *x);
  cudaMallocManaged(&t, n * sizeof *t);
  cudaMallocManaged(&y, n * sizeof *y);
  cudaMallocManaged(&by, sizeof *by);
  *by = 5;
  const auto start = [&] {
    for (int i = 0; i < 2 * n; ++i)
      x[i] = i;
  };
  start();
  both(y, t, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("both", i, y[i] + t[i], 4.0f * i + 1);
  // Arrays that overlap: the second launch comes after all of the first.
  start();
  both(x + 1, t, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("overlap", i, x[i + 1], 2.0f * i + 1);
  start();
  neighbours(y, t, x, n);
  cudaDeviceSynchronize();
  for (int i = 1; i < n - 1; ++i)
    expect("neighbours", i, y[i], 9.0f * i);
  apart(y, t, x, by, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("apart", i, y[i], 2.0f * i + 5);
  three(y, t, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("three", i, x[i], 3.0f * i + 1);
  for (int i = 0; i < n; ++i)
    t[i] = i;
  globals(y, t, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("globals", i, y[i], i + 1.0f + 3);
  start();
  hidden(y, t, x, 1024);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1024; ++i)
    expect("hidden", i, y[i], (float)i * i + 0.5f);
  start();
  again(y, t, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("again", i, t[i], 4.0f * i + 2);
  // A launch that CUDA would not make.
  both(y, t, x, 0);
  if (cudaGetLastError() == cudaSuccess) {
    puts("an empty grid was launched");
    ++Bad;
  }
  return Bad != 0;
}
