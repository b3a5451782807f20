// Device code that would do something else, or nothing that compiles, is refused with its place.
// RUN: %clang_raise rewrite %s -o %t.good.cpp -- -I%S/Inputs 2> %t.err
// RUN: %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -Wno-unused-template -I%runtime -I%S/Inputs -fsyntax-only %t.good.cpp
// RUN: rm -f %t.cpp
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_VOLATILE 2>&1 | FileCheck %s --check-prefix=VOLATILE
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_TEMPLATE 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_MEMORY 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_LAUNCH 2>&1 | FileCheck %s --check-prefix=LAUNCH
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_HERE 2>&1 | FileCheck %s --check-prefix=HERE
// RUN: test ! -e %t.cpp
#include "device.cuh"

// VOLATILE: device.cuh:5:57: error: the volatile access stands in the body of a macro, {{.*}} [CR1503]
// TEMPLATE: device.cuh:7:61: error: inline assembly of a device {{.*}} [CR1507]
// MEMORY: device.cuh:10:3: error: the shared variable stands in the body of a macro, {{.*}} [CR1503]
// LAUNCH: device.cuh:15:49: error: a part of the launch stands in the body of a macro, {{.*}} [CR1503]

__global__ void sum(int *x) {
#if defined(BAD_VOLATILE) || defined(BAD_MEMORY)
  reduce(x, threadIdx.x);
#elif defined(BAD_TEMPLATE)
  reduce<volatile int>(x, threadIdx.x);
#endif
  x[threadIdx.x] += 1;
}

void run(int *x) {
#ifdef BAD_LAUNCH
  start(sum, x);
#else
  sum<<<1, 32>>>(x);
#endif
}

#ifdef BAD_HERE
// HERE-DAG: refused-device.cu:[[#@LINE+1]]:1: error: what depends on __CUDA_ARCH__ would be what the host gets, on which the result runs [CR1508]
#ifdef __CUDA_ARCH__
#define LANE threadIdx.x
#else
#define LANE 0
#endif
__host__ __device__ int lane() {
// HERE-DAG: refused-device.cu:[[#@LINE+1]]:1: error: what depends on __CUDA_ARCH__
#if __CUDA_ARCH__ >= 300
  return threadIdx.x;
#else
  return LANE;
#endif
}
// HERE-DAG: refused-device.cu:[[#@LINE+1]]:1: error: what depends on __CUDA_ARCH__
#if defined(STEP) || \
    __CUDA_ARCH__ > 0
#define ON_DEVICE
#endif
__device__ unsigned id() {
  unsigned v;
  // HERE-DAG: refused-device.cu:[[#@LINE+1]]:3: error: inline assembly of a device has no counterpart in the host runtime [CR1507]
  asm("mov.u32 %0, %laneid;" : "=r"(v));
  return v;
}
#define BUFFER(n) __shared__ int n[32]
__global__ void shares(int *x) {
  // HERE-DAG: refused-device.cu:[[#@LINE+1]]:3: error: the shared variable stands in the body of a macro
  BUFFER(s);
  // HERE-DAG: refused-device.cu:[[#@LINE+1]]:25: error: 'raw' is dynamic shared memory of more than one dimension
  extern __shared__ int raw[][8];
  // HERE-DAG: refused-device.cu:[[#@LINE+1]]:35: error: 'z' is shared memory of a type that is declared with it
  __shared__ struct { int a, b; } z;
  z.a = s[threadIdx.x] = raw[0][threadIdx.x] = x[threadIdx.x] + lane() + id();
}
#else
// The host's code may ask, and for a number all may outside of functions.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define STEP 2
#endif
int answer() {
#ifdef __CUDA_ARCH__
  return 0;
#else
  return STEP;
#endif
}
// A template of the host's that launches.
template <typename T> void runAll(T *x) { sum<<<1, 32>>>(x); }
void all(int *x) { runAll(x); }
#endif
