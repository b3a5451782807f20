// Headers of the project's with device code are translated in the place of their `#include`: kernels, a kernel that is only
// declared, launches, shared memory, volatile accesses, fragments; once each, also where `#pragma once` says so.
// RUN: rm -rf %t && mkdir -p %t/out && printf 'enum { Shift = 5 };\n' > %t/out/shared.h
// RUN: %clang_raise rewrite %s -o %t/out/headers.cpp --verify --json=%t/r.json -- -O2 -I%S/Inputs/cuda-headers/search 2> %t/err
// RUN: FileCheck %s < %t/out/headers.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -I%S/Inputs/cuda-headers/search %t/out/headers.cpp -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime -I%S/Inputs/cuda-headers/search %t/out/headers.cpp -o %t/clang && %t/clang
//
// The text is the same on every run.
// RUN: %clang_raise rewrite %s -o %t/out/again.cpp -- -O2 -I%S/Inputs/cuda-headers/search 2> /dev/null && cmp %t/out/headers.cpp %t/out/again.cpp
//
// Only a directive can be replaced.
// RUN: %python %S/../Driver/Inputs/status.py 1 %clang_raise rewrite %s -o %t/none.cpp -- -O2 -I%S/Inputs/cuda-headers/search -include %S/Inputs/cuda-headers/local/kernels.cuh 2>&1 | FileCheck %s --check-prefix=COMMAND
// RUN: test ! -e %t/none.cpp
// COMMAND: kernels.cuh:1:1: error: no file of the project's has the #include of this one, {{.*}} [CR1502]

// REMARK-DAG: Inputs/cuda-headers/local/kernels.cuh:7:17: remark: kernel raised to a map: x[i] *= a,  0 ≤ i < n; verification passed
// REMARK-DAG: Inputs/cuda-headers/local/quarter.inc:5:45

// CHECK: #include <raise/simt.h>
// CHECK-NEXT: #include <type_traits>
// CHECK-NEXT: #define __CUDACC__ 1
#define KERNELS "Inputs/cuda-headers/local/kernels.cuh"
#include KERNELS // not "plain.h", and no <other>
#include "Inputs/cuda-headers/local/again.h"
#include "Inputs/cuda-headers/local/plain.h"
#include "Inputs/cuda-headers/local/device.cuh"
#include <cuda_runtime.h>
// CHECK: #define KERNELS
// CHECK-NEXT: // From Inputs/cuda-headers/local/kernels.cuh:
// CHECK-NEXT: #ifndef KERNELS_CUH
// CHECK-NEXT: # define KERNELS_CUH
// CHECK-NEXT: // From device.cuh:
// CHECK-NEXT: // Device code that the executor has to know of.
// CHECK-NEXT: #include "{{.*}}Inputs/cuda-headers/local/names.h"
// CHECK-NEXT: #include "{{.*}}Inputs/cuda-headers/search/shared.h" // found
// CHECK-NEXT: __device__ inline real sumOfWarp(real v) {
// CHECK-NEXT: auto &all = RAISE_SHARED(real[32]);
// CHECK: raise_simt::volatileStore(s[t], raise_simt::volatileLoad(s[t]) +
// CHECK: // End of device.cuh.
// CHECK-NEXT: // sums
// CHECK-NEXT: #include <cstdio>
// CHECK: static void scale_range(real *x, real a, int n) {
// CHECK: void sum(dim3 grid, dim3 block, const real *x, real *y);
// CHECK: if (i < n)   x[i] = v;
// CHECK: fill((n + 31) / 32, 32, x, v, n);
// CHECK: // End of Inputs/cuda-headers/local/kernels.cuh.
// CHECK-NEXT: // not "plain.h", and no <other>
// CHECK-NEXT: // From Inputs/cuda-headers/local/again.h:
// CHECK-NOT: device.cuh
// CHECK: inline int answer() { return 7; }
// CHECK-NEXT: // End of
// CHECK-NEXT: #include "{{.*}}Inputs/cuda-headers/local/plain.h"
// CHECK-NOT: device.cuh
// CHECK: #include <cuda_runtime.h>

__global__ void sum(const real *x, real *y) {
  __shared__ real s[64];
  s[threadIdx.x + 32] = 0;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16)
    halve(s, threadIdx.x);
  __syncthreads();
  y[threadIdx.x] = sumOfWarp(x[threadIdx.x]) + s[0];
}

#ifdef __CUDACC__
template <typename T> static __global__ void add(T *y) {
  const T by[] = {
#include "Inputs/cuda-headers/local/numbers.inc"
  };
  y[threadIdx.x] += by[threadIdx.x % 2];
}
#endif

__global__ void quarter(int *y) {
#include "Inputs/cuda-headers/local/quarter.inc"
}

// CHECK: template <typename T> static void add_thread(T *y) {
// CHECK: #include "{{.*}}Inputs/cuda-headers/local/numbers.inc"
// CHECK: template <typename T> static void add(dim3 grid, dim3 block, T *y) {

int main() {
  const int n = 100;
  real *d, *y, h[n], s[32];
  int *q, r[32];
  cudaMalloc(&d, n * sizeof(real));
  cudaMalloc(&y, sizeof s);
  cudaMalloc(&q, sizeof r);
  fillAll(d, real(2), n);
  scale<<<4, 32>>>(d, 3, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  sum<<<1, 32>>>(d, y);
  cudaMemcpy(s, y, sizeof s, cudaMemcpyDeviceToHost);
  quarter<<<1, 32>>>(q);
  add<<<1, 32>>>(q);
  cudaMemcpy(r, q, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g %g %g %d\n", h[0], h[99], s[31], r[31]);
  const bool Right = h[0] == 6 && h[99] == 6 && s[31] == 384 && r[31] == 26 &&
                     answer() == 7 && Shift == 3;
  return Right ? 0 : 1;
}
