// What the headers of a processor's instructions declare again is what C's headers declared.
// RUN: %clang_raise explain %s -- -O2 -march=x86-64-v4 2>&1 | FileCheck %s
#include <immintrin.h>
#include <random>
__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 1;
}
// CHECK: native-headers.cu:5:17: remark: kernel raised
