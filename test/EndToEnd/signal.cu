// A program that has the function raise() of <signal.h> beside the translation's
// raise::configure builds in both compilers and does what it says.
//
// RUN: %clang_raise rewrite %s -o %t.cpp -- 2> %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: %gxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.gcc
// RUN: %t.gcc
// RUN: %clangxx -std=c++17 -O1 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.clang
// RUN: %t.clang
#include <csignal>
#include <signal.h>

static volatile sig_atomic_t Caught = 0;
static void onSignal(int) { Caught = 1; }

// CHECK: raise_simt::dynamicShared<float>()
__global__ void reverse(float *x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
  signal(SIGINT, onSignal);
  raise(SIGINT);
  if (!Caught)
    return 1;
  signal(SIGTERM, onSignal);
  Caught = 0;
  std::raise(SIGTERM);
  if (!Caught)
    return 2;
  float *x;
  cudaMallocManaged(&x, 4 * sizeof(float));
  for (int i = 0; i < 4; ++i)
    x[i] = float(i);
  // CHECK: raise::configure(4 * sizeof(float)
  reverse<<<1, 4, 4 * sizeof(float)>>>(x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    if (x[i] != float(3 - i))
      return 3;
  return cudaGetLastError() != cudaSuccess;
}
