// A parameter that is only asked whether it is zero is so on half of the inputs; and where threads race on most, the search for others goes on.
// RUN: %clang_raise rewrite %s -o - --verify -- -O2 2>&1 >/dev/null | FileCheck %s
__global__ void turned(const float *x, float *y, int n, int rows, int back) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int columns = n / rows / rows;
  int to = i % rows * columns + i / rows % columns;
  if (back)
    y[i] = x[to];
  else
    y[to] = x[i];
}
// CHECK: verify-switches.cu:[[#@LINE-11]]:17: remark: kernel raised{{.*}}; verification passed ({{.*}}, inputs on which threads race left out
