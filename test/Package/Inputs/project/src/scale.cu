#include "kernels.h"
#include "local.h"
#include <cuda_runtime.h>

__global__ void scale_kernel(double *y, const double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + OFFSET;
}

void scale(double *y, const double *x, double a, int n) {
  scale_kernel<<<(n + 255) / 256, 256>>>(y, x, a, n);
  cudaDeviceSynchronize();
}
