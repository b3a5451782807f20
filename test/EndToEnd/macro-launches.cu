// Launches in macros: of a header, with and without arguments, of templates, in macros of macros, with shared memory.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/made.cpp --verify -- -O2 -I%S/Inputs 2> %t/err
// RUN: FileCheck %s < %t/made.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -I%S/Inputs %t/made.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime -I%S/Inputs %t/made.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// CHECK: #define RUN(kernel, ...) kernel(2, 32 __VA_OPT__(, ) __VA_ARGS__)
// CHECK: #define RUN_WITH(kernel, grid, block, bytes, stream, args...)
// CHECK-NEXT: (raise::configure((bytes) + 4, stream), kernel((grid), dim3(block, 1), args))
// CHECK: #define CASE(N)
// CHECK: many<N>(1, 32, p)
// CHECK: #define PLAIN none(3, 32)
// CHECK: #define NEVER(k) k<<<1, 1>>>()
// CHECK: #define START(f, d) f(1, 32, d)
#include "macro-launches.h"
#include <cuda_runtime.h>

__device__ int Count;
__global__ void none() { atomicAdd(&Count, 1); }
__global__ void one(int *p) { atomicAdd(p, 1); }
__global__ void sum(int *p, int k) {
  extern __shared__ int part[];
  part[threadIdx.x] = k;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (unsigned i = 0; i < blockDim.x; ++i)
      all += part[i];
    atomicAdd(p, all);
  }
}
template <int N> __global__ void many(int *p) { atomicAdd(p, N); }

#define CASE(N)                                                                \
  case N:                                                                      \
    many<N><<<1, 32>>>(p);                                                     \
    break;
static void pick(int n, int *p) {
  switch (n) {
    CASE(1)
    CASE(2)
    CASE(4)
  }
}
#define PLAIN none<<<3, 32>>>()
#define NEVER(k) k<<<1, 1>>>()
#define START(f, d) f<<<1, 32>>>(d)
template <typename F> void start(F f, int *d) { START(f, d); }

int main() {
  int *p;
  cudaMalloc((void **)&p, 4);
  cudaMemset(p, 0, 4);
  RUN(none);
  RUN(one, p);
  PLAIN;
  if (p)
    TWICE(one, p);
  RUN_WITH(sum, 2, 16, 16 * sizeof(int), 0, p, 3);
  pick(4, p);
  start(one, p);
  int value = 0, count = 0;
  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, Count, 4);
  return value == 64 * 3 + 2 * 16 * 3 + 4 * 32 + 32 && count == 64 + 96 ? 0 : 1;
}
