// Launches of a kernel in a namespace, from inside and outside.
// RUN: %clang_raise rewrite --target=cuda %s -o %t.cu -- -std=c++17 2> %t.err
// RUN: FileCheck %s --check-prefix=LEFT < %t.err
// RUN: FileCheck %s < %t.cu
// RUN: %if nvcc %{ nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t.cu -o %t.o %}
// RUN: %clang_raise rewrite %t.cu -o %t-host.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -fopenmp -I%runtime -c %t-host.cpp -o %t-host.o
namespace p {
__global__ void rows(float *__restrict__ out, const float *__restrict__ in, int count, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count)
    return;
  float s = 0;
  for (int c = 0; c < width; ++c)
    s += in[r * width + c];
  out[r] = s; } // and more
void inside(float *o, const float *i, int n, int w) {
  // CHECK: {{^}}  rows_launch(1, 64, 0, 0, o, i, n, w);
  rows<<<1, 64>>>(o, i, n, w);
}
}
void outside(float *o, const float *i, int n, int w) {
  // CHECK: {{^}}  ::p::rows_launch(1, 64, 0, 0, o, i, n, w);
  p::rows<<<1, 64>>>(o, i, n, w);
}
// LEFT: device-launches.cu:[[@LINE+1]]:17: {{.*}}what launches it has a 'same' of its own
__global__ void same(float *__restrict__ out, const float *__restrict__ in, int same, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= same)
    return;
  float s = 0;
  for (int c = 0; c < width; ++c)
    s += in[r * width + c];
  out[r] = s;
}
using p::rows;
void used(float *o, const float *i, int n, int w) {
  // CHECK: {{^}}  ::p::rows_launch(n / 64 + 1, 64, 0, 0, o, i, n, w);
  rows<<<n / 64 + 1, 64>>>(o, i, n, w);
}
namespace q {
__global__ void sums(float *__restrict__ out, const float *__restrict__ in, int count, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count)
    return;
  float s = 0;
  for (int c = 0; c < width; ++c)
    s += in[r * width + c];
  out[r] = s; } }
// CHECK: {{^}}static void sums_launch(
void last(float *o, const float *i, int n, int w) {
  same<<<1, 64>>>(o, i, n, w);
  // CHECK: {{^}}  ::q::sums_launch(
  q::sums<<<1, 64>>>(o, i, n, w);
}
