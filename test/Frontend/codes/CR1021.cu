// RUN: %raise_lift %s -- -O2 | FileCheck %s
__global__ void bad(int *out, int *count, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) {
    int at = atomicAdd(count, 1);
    out[at] = x[i];
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1021.cu:5:14: the value that atomicAdd returns is used [CR1021]
__global__ void good(int *count, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0)
    atomicAdd(count, 1);
}
// CHECK-LABEL: @good
// CHECK: atomic count[0:i64] += 1;
// CHECK-NOT: [CR
