// Raised kernels that the translated file cannot hold in raised form run on the
// reference executor, and the results say so.
//
// RUN: %clang_raise rewrite %s -o %t.cpp --json=%t.json -- 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=TEXT < %t.cpp
// RUN: %clangxx -std=c++17 -fopenmp -I%runtime -fsyntax-only %t.cpp

__global__ void named(float *grid, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    grid[i] = 0;
}
// CHECK: [[#@LINE-5]]:17: remark: not rewritten: {{.*}}'grid'{{.*}} [CR1715
// JSON: "function": "named"
// JSON: "rewritten": false
// TEXT-NOT: void {{named}}_range

// An instantiation whose argument has no name in front of the template.
template <typename T> __global__ void generic(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i].at = 0;
}
void run(int n) {
  struct Local {
    float at;
  } x[32];
  generic<<<1, 32>>>(x, n);
}
// CHECK: [[#@LINE-11]]:39: remark: not rewritten: it stands in a template whose argument for 'T' has no name {{.*}} [CR1704
// JSON: "function": "generic"
// JSON: "rewritten": false
// TEXT-NOT: void {{generic}}_range
// TEXT: reference executor: it {{stands}} in a template

__global__ void plain(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}
// JSON: "function": "plain"
// JSON: "rewritten": true
// TEXT: void {{plain}}_range
