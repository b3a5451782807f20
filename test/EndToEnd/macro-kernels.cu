// Names of macros in emitted kernels: one that means something else at another
// place, or is defined inside of the kernel, is no name for a constant. And what
// a source says to the compiler that reads it, not to the one that builds it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=VERIFIED < %t/err
// RUN: %gxx -std=c++17 -O1 -fopenmp -I%runtime %t/out.cpp -o %t/run && %t/run
// RUN: %clangxx -std=c++17 -O1 -fopenmp -I%runtime %t/out.cpp -o %t/run && %t/run
#include <cstdio>

// CHECK: #include <raise/simt.h>
// CHECK-NEXT: #undef _OPENMP
#ifdef _OPENMP
typedef struct {
  float x, y;
} float2;
static int built() { return 1; }
#else
static int built() { return 0; }
#endif

#define SAME 5
#define STEP 1
// VERIFIED: macro-kernels.cu:[[@LINE+3]]:17: {{.*}}verification passed
// CHECK-LABEL: static void inside_range(
// CHECK: y[i] = y[i] * 2 + 5 + INT_MAX % 1000;
__global__ void inside(int *y, int n) {
#undef STEP
#define STEP 2
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] * STEP + SAME + INT_MAX % 1000;
}
#undef STEP
#define STEP 3
__device__ int scaled(int x) { return x * STEP; }
#undef STEP
#define STEP 4
// VERIFIED: macro-kernels.cu:[[@LINE+2]]:17: {{.*}}verification passed
// CHECK-LABEL: static void called_range(
__global__ void called(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = scaled(y[i]) + STEP;
}
// Nor is one that is made of such, or of a variable.
static const int base = 100;
#define NESTED STEP
#define OFFSET base
// CHECK-LABEL: static void nested_range(
// CHECK: const int base = 7;
// CHECK: y[i] = y[i] + 4 + base;
__global__ void nested(int *y, int n) {
  const int base = 7;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] + NESTED + OFFSET;
}
#undef STEP
#define STEP 50
#undef SAME
#define SAME 5 // again

// The value of a volatile assignment.
__global__ void shifted(int *y) {
  __shared__ volatile int s[64];
  int t = s[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0)
    t += s[threadIdx.x - 1];
  y[threadIdx.x] = t;
}

int main() {
  int y[64], *on_device, bad = built();
  for (int i = 0; i < 64; ++i)
    y[i] = i;
  cudaMalloc(&on_device, sizeof y);
  cudaMemcpy(on_device, y, sizeof y, cudaMemcpyHostToDevice);
  inside<<<1, 64>>>(on_device, 64);
  called<<<1, 64>>>(on_device, 64);
  nested<<<1, 64>>>(on_device, 64);
  shifted<<<1, 64>>>(on_device);
  cudaMemcpy(y, on_device, sizeof y, cudaMemcpyDeviceToHost);
  const auto want = [](int i) { return (i * 2 + 5 + 647) * 3 + 4 + 11 + 0 * base; };
  for (int i = 0; i < 64; ++i)
    bad += y[i] != want(i) + (i ? want(i - 1) : 0);
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
