// Kernels of which threads share rows, beside those as written: made, translated
// for the CPU, and compared with the source translated for it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --target=cuda %s -o %t/device.cu -- -std=c++17 2> %t/remarks
// RUN: FileCheck %s < %t/device.cu
// RUN: FileCheck %s --check-prefix=LEFT < %t/remarks
// RUN: cp %s %t/in-place.cu
// RUN: %clang_raise rewrite --target=cuda --in-place %t/in-place.cu -- -std=c++17
// RUN: diff %t/device.cu %t/in-place.cu
// RUN: %clang_raise rewrite --target=cuda --in-place --check %t/in-place.cu -- -std=c++17
// RUN: %if nvcc %{ nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t/device.cu -o %t/device.o %}
// RUN: %clang_raise rewrite %t/device.cu -o %t/device.cpp -- -std=c++17
// RUN: %clang_raise rewrite %s -o %t/plain.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -I%runtime %t/device.cpp -o %t/device
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -I%runtime %t/plain.cpp -o %t/plain
// RUN: env OMP_NUM_THREADS=1 %t/plain > %t/expected && env OMP_NUM_THREADS=3 %t/device > %t/got
// RUN: diff %t/expected %t/got
#include <cstdio>

// One thread for a row goes through memory a line at a time.
// CHECK-LABEL: __global__ void scale_rows(
__global__ void scale_rows(float *__restrict__ out, const float *__restrict__ in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < width; ++c)
    sum += in[r * width + c];
  for (int c = 0; c < width; ++c)
    out[r * width + c] = in[r * width + c] * sum;
}
// CHECK: {{^}}// clang-raise: scale_rows:1
// CHECK: scale_rows_range_out(float *out, const float *__restrict__ in,
// CHECK: const size_t point = blockIdx.x;
// CHECK: {{^}}static void scale_rows_range(cudaStream_t stream, float *__restrict out,
// CHECK: scale_rows_range_out<<<raise_rows((size_t)rows), 128, 0, stream>>>(
// CHECK: {{^}}static void scale_rows_launch(dim3 grid, dim3 block, size_t bytes,
// CHECK: if (raise_can_launch(grid, block, bytes) &&
// CHECK: scale_rows_range(stream, out, in, rows, width);
// CHECK: else
// CHECK-NEXT: scale_rows<<<grid, block, bytes, stream>>>(out, in, rows, width);

// The largest of a row, by all threads of a block.
// CHECK-LABEL: __global__ void largest_rows(
__global__ void largest_rows(float *__restrict__ out, const float *__restrict__ in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float most = 0;
  for (int c = 0; c < width; ++c)
    most = fmaxf(most, fabsf(in[r * width + c]));
  for (int c = 0; c < width; ++c)
    out[r * width + c] = in[r * width + c] / most;
}
// CHECK: largest_rows_range_out(
// CHECK: most = raise_block_max(most);

// LEFT: rewrite-device-kernels.cu:[[@LINE+1]]:17: {{.*}}not written for a device: a thread for each point is what it has [CR1813
__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
// CHECK-NOT: twice_launch

// Within a row, what is written may be what is read next.
// LEFT: rewrite-device-kernels.cu:[[@LINE+1]]:17: {{.*}}not written for a device: part of it would be run by one thread or one block
__global__ void ordered_rows(float *out, const float *in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < width; ++c)
    sum += in[r * width + c];
  for (int c = 0; c < width; ++c)
    out[r * width + c] = in[r * width + c] * sum;
}

// The range of one whose blocks share tiles is told the launch.
// CHECK: static void turn_range(cudaStream_t stream, dim3 grid, dim3 block,
// CHECK: turn_range(stream, grid, block, y, x, w, h);
__global__ void turn(float *y, const float *x, int w, int h) {
  __shared__ float tile[16][17];
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  if (i < w && j < h)
    tile[threadIdx.y][threadIdx.x] = x[j * w + i];
  __syncthreads();
  i = blockIdx.y * 16 + threadIdx.x;
  j = blockIdx.x * 16 + threadIdx.y;
  if (i < h && j < w)
    y[j * h + i] = tile[threadIdx.x][threadIdx.y];
}

// LEFT: rewrite-device-kernels.cu:[[@LINE+1]]:17: {{.*}}not written for a device: nothing behind it in this file launches it
__global__ void unused_rows(float *out, const float *in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < width; ++c)
    sum += in[r * width + c];
  out[r] = sum;
}

static void show(const char *what, const float *x, int n) {
  std::printf("%s:", what);
  for (int i = 0; i < n; ++i)
    std::printf(" %.6g", x[i]);
  std::printf("\n");
}

int main() {
  const int rows = 7, width = 150, n = rows * width;
  float host[n], *in, *out;
  for (int i = 0; i < n; ++i)
    host[i] = float(i * 37 % 101) - 50;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const auto reset = [&] {
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
  };
  const auto read = [&](const char *what) {
    float got[n];
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaStreamSynchronize(stream);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    show(what, got, n);
  };
  reset();
  // CHECK: scale_rows_launch((rows + 63) / 64, 64, 0, 0, out, in, rows, width);
  scale_rows<<<(rows + 63) / 64, 64>>>(out, in, rows, width);
  read("covered");
  reset();
  // CHECK: scale_rows_launch(1, 4, 0, stream, out, in, rows, width);
  scale_rows<<<1, 4, 0, stream>>>(out, in, rows, width); // four rows only
  read("four rows");
  reset();
  scale_rows<<<1, 2048>>>(out, in, rows, width); // is no launch
  read("too many threads");
  reset();
  largest_rows<<<1, 32>>>(out, in, rows, width);
  read("largest");
  ordered_rows<<<1, 32>>>(out, in, rows, width);
  read("ordered");
  twice<<<5, 256>>>(out, n);
  read("doubled");
  reset();
  turn<<<dim3(10, 1), dim3(16, 16)>>>(out, in, width, rows);
  read("turned");
  cudaFree(in);
  cudaFree(out);
  return 0;
}
