// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of CUDA: the adjoints of a function that launches kernels, and of a kernel
// over its plain range, are like any other; that of threads, which add
// atomically, stays a loop.
//
// RUN: %clang_raise grad --target=eigen --function=square --function=all %s -o %t.cpp -- -O2
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 -I%runtime -c %t.cpp -o /dev/null
// CHECK: #include <raise/cuda.h>
// CHECK: #include <Eigen/Core>
__global__ void square(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
// CHECK-LABEL: {{^}}static void square_adjoint_general(
// CHECK: #pragma omp atomic
// CHECK-NEXT: x_adj[i] += 2 * x_old * y_adj_i;
// CHECK-LABEL: {{^}}void square_adjoint(
// CHECK: ys = xs.square();
// CHECK-NEXT: xs_adj += 2.0f * xs * ys_adj;
// CHECK-NEXT: ys_adj.setZero();
void all(float *y, const float *x, int n) {
  square<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK-LABEL: {{^}}void all_adjoint(
// CHECK: ys = xs.square();
// CHECK-NEXT: xs_adj += 2.0f * xs * ys_adj;
// CHECK-NEXT: ys_adj.setZero();
