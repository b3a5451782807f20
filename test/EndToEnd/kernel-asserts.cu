// What a kernel asserts of its launch is a test of it: where it does not hold,
// the kernel runs as written, and ends the program.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/run && %t/run 64
// RUN: not --crash %t/run 32
#include <cassert>
#include <cstdio>
#include <cstdlib>

// REMARK: kernel-asserts.cu:[[@LINE+3]]:17: remark: kernel raised {{.*}}verification passed
// CHECK: Called where what it asserts holds,
// CHECK-LABEL: static void turned_range(
__global__ void turned(float *__restrict__ y, const float *__restrict__ x, int n) {
  const int warp = 32;
  assert(blockDim.x == 2 * warp);
  assert(n % 2 == 0);
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[63 - threadIdx.x] + n;
}
// CHECK: if (block.x ==

// What it asserts of a thread is not known before.
// REMARK: kernel-asserts.cu:[[@LINE+1]]:17: remark: kernel not raised: 'assert(x[i] > 0)' is not proved to hold
__global__ void checked(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(x[i] > 0);
    y[i] = x[i];
  }
}

int main(int, char **argv) {
  const int threads = atoi(argv[1]);
  float *x, *y;
  int bad = 0;
  cudaMallocManaged(&x, 256 * sizeof(float));
  cudaMallocManaged(&y, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i)
    x[i] = float(i + 1);
  turned<<<256 / threads, threads>>>(y, x, 256);
  for (int i = 0; i < 256; ++i)
    bad += y[i] != x[i / 64 * 64 + 63 - i % 64] + 256;
  checked<<<4, 64>>>(y, x, 256);
  std::printf("%d wrong\n", bad);
  return bad;
}
