// A CUDA kernel and its launch.
__global__ void square_kernel(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}

void square(float *y, const float *x, int n) {
  square_kernel<<<(n + 255) / 256, 256>>>(y, x, n);
}
