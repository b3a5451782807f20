// A kernel's name leads to what launches it: where that has another type than
// the source asks for, the file is refused.
// RUN: not %clang_raise rewrite %s -o %t.cpp -- -DWRONG 2>&1 | FileCheck %s
// RUN: %clang_raise rewrite %s -o %t.cpp --
// RUN: %gxx -std=c++17 -fopenmp -I%runtime %t.cpp -o %t.run && %t.run
__global__ void k(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += float(i);
}
__global__ void l(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += 1;
}
template <class F, class... A> void launches(F f, A... a) { f<<<1, 128>>>(a...); }
template <class F, class... A> void calls(F f, A &&...a) { f(a...); }

int main(int argc, char **) {
  float *y;
  cudaMallocManaged(&y, 400);
  for (int i = 0; i < 100; ++i)
    y[i] = 0;
  launches(k, y, 100);
  auto either = argc > 0 ? k : l;
  either<<<1, 128>>>(y, 100);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 0);
  cudaFuncSetCacheConfig((const void *)k, cudaFuncCachePreferL1);
#ifdef WRONG
  // CHECK: kernel-names.cu:[[@LINE+1]]:9: error: the kernel's name is used as a value here, which is not translated; launch it by its name [CR1502]
  calls(k, y, 100);
  // CHECK: kernel-names.cu:[[@LINE+1]]:32: error: the kernel's name is used as a value
  void (*kept)(float *, int) = k;
  kept<<<1, 2>>>(y, 1);
#endif
  int bad = 0;
  for (int i = 0; i < 100; ++i)
    bad += y[i] != float(2 * i);
  return bad;
}
