// A template kernel that two sources launch, with and without the same
// arguments.
#pragma once
template <typename T> __global__ void shift(T *x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}
