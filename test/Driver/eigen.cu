// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose plain form is an expression of Eigen, and one whose is none.
//
// RUN: %clang_raise rewrite %s --target=eigen --verify --require-verified -o %t.cpp --json=%t.json -- -O2
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: grep '"verification": "passed"' %t.json | count 3
// RUN: %clangxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 -I%runtime -c %t.cpp -o /dev/null
// RUN: %gxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 -I%runtime -c %t.cpp -o /dev/null
// CHECK: #include <raise/simt.h>
// CHECK-NEXT: #include <Eigen/Core>
__global__ void square(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
// CHECK: static void square_range(float *y, const float *x, int n) {
// CHECK-NEXT: if (n > 0) {
// CHECK-NEXT:   Eigen::Map<const Eigen::ArrayXf> xs(x, n);
// CHECK-NEXT:   Eigen::Map<Eigen::ArrayXf> ys(y, n);
// CHECK-NEXT:   ys = xs.square();
// CHECK-NEXT: }
__global__ void add(float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a;
}
// CHECK: ys += a;
__global__ void gather(float *y, const float *x, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[k[i]];
}
// CHECK: static void gather_range
// CHECK: y[i] = x[k[i]];
void all(float *y, const float *x, const int *k, int n) {
  square<<<(n + 255) / 256, 256>>>(y, x, n);
  add<<<(n + 255) / 256, 256>>>(y, 2.0f, n);
  gather<<<(n + 255) / 256, 256>>>(y, x, k, n);
}
