// Why a kernel or a loop of a CUDA file keeps its text; beside each the same code
// without the cause.
//
// RUN: %clang_raise explain %s --json=%t.json -- > %t.out
// RUN: %python %S/Inputs/results.py %s %t.json
//
// A kernel that was not selected runs as written, and the translation says why:
// RUN: %clang_raise rewrite %s -o %t.cpp --function=returns_at_the_end --json=%t.one.json -- 2> %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: FileCheck %s --check-prefix=ONE < %t.one.json
// RUN: %clang_raise rewrite %s -o %t.all.cpp -- 2> %t.err
// RUN: FileCheck %s --check-prefix=ALL < %t.all.cpp
// ONE: "function": "returns_at_the_end"
// ONE-NOT: "function":

__global__ void returns_in_a_loop(float *y, const float *x, int n) { // results: CR1403
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    if (x[k] == x[i])
      return;
  y[i] = 1;
}
__global__ void returns_at_the_end(float *y, const float *x, int n) { // results: none
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i];
}

// CHECK: executor: it was not {{selected}} for raising
// CHECK-NEXT: (kernel-reasons.cu:{{[0-9]+}}) {{\[}}CR1711].
// CHECK: static void {{unselected}}_thread(
// CHECK-NOT: void {{unselected}}_range(
// ALL-NOT: executor: it was not {{selected}}
// ALL: static void {{unselected}}_range(
// ALL-NOT: executor: it was not {{selected}}
__global__ void unselected(float *y, int n) { // results: none
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 1;
}

void host(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: CR1710
    x[i] = 0;
}
__device__ void helper(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: CR1710
    x[i] = 0;
}
__global__ void with_helper(float *x, int m, int n) { // results: none
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    helper(x + i * n, n);
}
