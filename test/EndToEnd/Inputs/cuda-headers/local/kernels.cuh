#ifndef KERNELS_CUH
# define KERNELS_CUH
# pragma once
#include "device.cuh" // sums
#include <cstdio>

__global__ void scale(real *x, real a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= a;
}

__global__ void sum(const real *x, real *y);

template <typename T> __global__ void fill(T *x, T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)   x[i] = v;
}

template <typename T> void fillAll(T *x, T v, int n) {
  fill<<<(n + 31) / 32, 32>>>(x, v, n);
}
#endif
