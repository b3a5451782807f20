// Notes in CUDA: a kernel that is off runs as written, what is assumed of one
// is named above its range function.
//
// RUN: %clang_raise rewrite %s -o %t.cpp --json=%t.json --verify -- -O2 2> %t.err
// RUN: FileCheck %s < %t.json
// RUN: FileCheck --check-prefix=TEXT %s < %t.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -I%runtime -c %t.cpp -o %t.o

// CHECK: "function": "shift"
// CHECK: "status": "raised"
// CHECK: "assumptions": [
// CHECK-NEXT: "by >= n"
// CHECK: "verification": "passed"
// TEXT: Assumed: by >= n.
// clang-raise: assume(by >= n)
__global__ void shift(float *a, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i + by];
}

// CHECK: "function": "as_written"
// CHECK: "status": "left"
// CHECK: "code": "CR1032"
// TEXT: 'clang-raise: off' on line [[#@LINE+1]]
// clang-raise: off
__global__ void as_written(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}
// clang-raise: on
