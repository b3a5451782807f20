// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adjoints of kernels as kernels: what the file holds, and what has no such form.
// RUN: %clang_raise grad --target=cuda --function=square --function=total %s -o %t.cu -- -O2
// RUN: FileCheck %s < %t.cu
// RUN: %clang_raise grad --target=cuda --function=square --function=total %s -o %t.cu --check -- -O2
// RUN: FileCheck %s --check-prefix=HEADER < %t.h
// CHECK-NOT: raise/cuda.h
// CHECK: // Blocks of 256 threads for n points.
// CHECK-NEXT: static unsigned raise_blocks(size_t n) {
// CHECK-NOT: raise_tiles
__device__ float twice(float x) { return 2 * x; }
__global__ void square(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] + twice(x[i]);
}
// Launches in place, and such as do not cover the range, have the form of
// threads: what others may add to is updated atomically.
// CHECK-LABEL: static __global__ void square_adjoint_general_y(
// CHECK: int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK: atomicAdd(&x_adj[i],
// CHECK: // square_adjoint for any other launch, and where its arguments overlap.
// CHECK: square_adjoint_general_y<<<grid, block>>>(y, x, n, y_adj, x_adj);
// CHECK: // The adjoint of square
// CHECK: // All pointers are to the device's memory. The kernels run on the default
// CHECK-NEXT: // stream, which is not waited for.
// CHECK-LABEL: {{^}}void square_adjoint(dim3 grid, dim3 block, float *y, const float *x,
// CHECK: square_adjoint_general(grid, block, y, x, n, y_adj, x_adj);
// CHECK-NEXT: return;
// What a thread does in both sweeps stands in one kernel.
// CHECK: if (n > 0)
// CHECK-NEXT: square_adjoint_y<<<raise_blocks((size_t)n), 256>>>(y, x, n, y_adj, x_adj);
// HEADER: void square_adjoint(dim3 grid, dim3 block, float *y, const float *x, int n,
// HEADER-NEXT: float *y_adj, float *x_adj);

__global__ void total(float *s, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(s, x[i] * x[i]);
}
// CHECK-LABEL: {{^}}void total_adjoint(

// The other dialects are asked for as before.
// RUN: not %clang_raise grad --target=hip --function=total %s -- 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: target 'hip' is not available; the target is openmp, eigen or cuda
// RUN: printf 'void f(float *y) { y[0] *= 2; }\n' > %t-source.c
// RUN: not %clang_raise grad --target=cuda --function=f %t-source.c -- 2>&1 | FileCheck %s --check-prefix=C
// C: target 'cuda' needs C++11 or later, and '{{.*}}' is C; --target=openmp can be used for it

// A project's setting is for its gradients; its kernels go to the CPU.
// RUN: printf 'target: cuda\n' > %t.yaml
// RUN: %clang_raise rewrite --config=%t.yaml %s -o %t-rewritten.cpp --
// RUN: FileCheck %s --check-prefix=REWRITTEN < %t-rewritten.cpp
// REWRITTEN: #pragma omp parallel for

// What the kernels compute is not compared here.
// RUN: %clang_raise grad --target=cuda --verify --function=total %s -o %t-verified.cu -- 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: the adjoint of 'total': verification inconclusive ({{.*}}its kernels are for a GPU

// An array that grows has no place, on a device, before it is filled.
// RUN: not %clang_raise grad --target=cuda --function=search %s -o %t-left.cu -- 2>&1 | FileCheck %s --check-prefix=GROWS
// RUN: not ls %t-left.cu
// GROWS: grad-cuda.cu:[[@LINE+1]]:17: error: not written for a device: {{.*}}'s_tape', whose size is known at run time only [CR1813]
__global__ void search(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 1;
  for (int k = i; k < n && s < 100; k += 2)
    s = s * x[k];
  y[i] = s;
}
// RUN: not %clang_raise grad --target=cuda --split --function=halves %s -- 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: error: --split: not written for a device, which would have to keep what lies between the two [CR1813]
void halves(float *y, const float *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] / 2;
}
