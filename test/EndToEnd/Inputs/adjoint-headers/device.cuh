#ifndef DEVICE_CUH
#define DEVICE_CUH
// Device code, and what only one file of a program may define.
#include "plain.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define WARP 32
typedef double real;
constexpr real Half = 0.5;
enum Kind { Sum, Mean };
int launches = 0;

void report(const char *what) { printf("%s\n", what); }

__device__ real warpSum(real v) {
  for (int m = WARP / 2; m > 0; m /= 2)
    v += __shfl_xor_sync(0xffffffff, v, m);
  return v;
}
template <class T> __host__ __device__ T ceilDiv(T a, T b) {
  return (a + b - 1) / b;
}
__device__ inline real bend(real x) { return Half * x * x; }
struct Packed {
  real a[2];
  __device__ real first() const { return a[threadIdx.x % 2]; }
};
#endif
