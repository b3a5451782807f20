// Agreement on inputs that reach next to nothing of a kernel is no verification.
// RUN: %clang_raise rewrite --verify %s -o %t.cpp -- 2>&1 | FileCheck %s
// CHECK: verify-reaches.cu:[[@LINE+1]]:17: {{.*}}verification inconclusive (no input on which the original is defined was found to reach most of what it writes, as on line [[@LINE+4]]; last: {{.*}}overflow
__global__ void generate(float *__restrict u, int *__restrict seed, float *__restrict partial, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    seed[i] = (1103515245 * seed[i] + 12345) % 2147483647;
    seed[i] = (1103515245 * seed[i] + 12345) % 2147483647;
    u[i] = fabsf(seed[i] / 2147483647.0f);
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = 0;
}
