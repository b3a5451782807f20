// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measure.cu differentiates: kernels as they are written first, with one
// thread for each row, element or sum.

/// Rows with mean 0 and variance 1, scaled and shifted by column.
__global__ void norm(float *y, float *mean, float *scale, const float *x,
                     const float *weight, const float *bias, int rows,
                     int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < columns; ++c)
    sum += x[r * columns + c];
  const float m = sum / columns;
  float squares = 0;
  for (int c = 0; c < columns; ++c)
    squares += (x[r * columns + c] - m) * (x[r * columns + c] - m);
  const float s = 1 / sqrtf(squares / columns + 1e-5f);
  for (int c = 0; c < columns; ++c)
    y[r * columns + c] = s * (x[r * columns + c] - m) * weight[c] + bias[c];
  mean[r] = m;
  scale[r] = s;
}

/// x times a smooth step.
__global__ void gelu(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 0.5f * x[i] *
           (1 + tanhf(0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

__global__ void product(float *c, const float *a, const float *b, int n, int m,
                        int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < m) {
    float sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[i * k + l] * b[l * m + j];
    c[i * m + j] = sum;
  }
}

/// The adjoint of `factor` is one sum over all elements.
__global__ void squares(float *y, const float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * x[i] * x[i];
}
