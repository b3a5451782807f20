// Threads that raise a flag store the same value to one element: at once, by atomic writes.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/flags.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/flags.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/flags.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void any(const int *x, bool *found, int *marks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 90) {
    marks[i] = x[i];
    *found = true;
  }
}
// REMARK: [[#@LINE-7]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void any_range(
// CHECK: #pragma omp parallel for
// CHECK: marks[i] = x[i];
// CHECK-NEXT: #pragma omp atomic write
// CHECK-NEXT: found[0] = true;

// At an element that memory names.
__global__ void reach(const int *edges, int *seen, int round, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n) {
    int to = edges[e];
    seen[to] = round;
  }
}
// REMARK: [[#@LINE-7]]:17: remark: kernel raised{{.*}}
// CHECK-LABEL: static void reach_range(
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp atomic write
// CHECK-NEXT: seen[to] = round;

// Of different values any may stay: threads that store them one after the other are an order that CUDA allows.
__global__ void last(const int *x, int *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 90)
    *which = i;
}
// REMARK: [[#@LINE-5]]:17: remark: kernel raised
// CHECK-LABEL: static void last_range(
// CHECK-NOT: #pragma
// CHECK: which[0] = i;

int main() {
  const int n = 300000;
  int *x, *marks, *edges, *seen, *which;
  bool *found;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&marks, n * sizeof(int));
  cudaMallocManaged(&edges, n * sizeof(int));
  cudaMallocManaged(&seen, 100 * sizeof(int));
  cudaMallocManaged(&which, sizeof(int));
  cudaMallocManaged(&found, sizeof(bool));
  for (int i = 0; i < n; i++) {
    x[i] = i % 97;
    marks[i] = 0;
    edges[i] = (i * 7) % 50 * 2;
  }
  for (int i = 0; i < 100; i++)
    seen[i] = 0;
  *found = false;
  any<<<(n + 255) / 256, 256>>>(x, found, marks, 90);
  cudaDeviceSynchronize();
  int bad = *found;
  any<<<(n + 255) / 256, 256>>>(x, found, marks, n);
  reach<<<(n + 255) / 256, 256>>>(edges, seen, 3, n);
  last<<<1, 128>>>(x, which, 92);
  cudaDeviceSynchronize();
  bad += !*found;
  for (int i = 0; i < n; i++)
    bad += marks[i] != (x[i] > 90 ? x[i] : 0);
  for (int i = 0; i < 100; i++)
    bad += seen[i] != (i % 2 ? 0 : 3);
  bad += *which != 91;
  if (bad)
    printf("%d are wrong\n", bad);
  return bad != 0;
}
