// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang-raise
// RUN: %clang_raise rewrite %s -o %t.cpp --
// RUN: sed '/CHECK/d' %t.cpp | FileCheck %s
//
// Atomic updates of two iterations may meet: no sentence says that they do not.

// CHECK: // hist, {{.*}} No two iterations touch an element that one of
// CHECK-NEXT: them writes, but for updates that commute.
// CHECK: // count, {{.*}} Iterations meet only in updates that commute.
// CHECK-NOT: of them writes
__global__ void hist(const int *__restrict__ k, int *__restrict__ bins,
                     float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&bins[k[i]], 1);
    y[i] = 1;
  }
}
__global__ void count(const int *__restrict__ k, int *__restrict__ bins,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[k[i]], 1);
}
