// Device code that the executor has to know of.
#pragma once
#include "names.h"
#include "shared.h" // found on the search path, not beside the output
__device__ __noinline__ inline real sumOfWarp(real v) {
  __shared__ real all[32];
  all[threadIdx.x] = v;
  __syncthreads();
  real sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += all[i];
  __syncthreads();
  return sum;
}
template <typename T> __device__ void halve(volatile T *s, int t) {
  s[t] = s[t] + s[t + 16];
  s[t] = s[t] + s[t + 8];
  s[t] = s[t] + s[t + 4];
  s[t] = s[t] + s[t + 2];
  s[t] = s[t] + s[t + 1];
}
