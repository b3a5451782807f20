// Each kernel has exactly one result, and so has each outermost loop elsewhere.
//
// RUN: %clang_raise explain %s --json=%t.json -- > %t.out
// RUN: %python %S/Inputs/results.py %s %t.json

template <typename T> __global__ void never(T *x, int n) { // results: CR1028
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
template <typename T> __device__ void helper(T *x, int n) {
  for (int i = 0; i < n; ++i) // results: CR1028
    x[i] = 0;
}
template <typename T> __global__ void once(T *x) { // results: none
  x[threadIdx.x] = 0;
}
__global__ void withLambda(float *x) { // results: none
  auto f = [=] {
    for (int i = 0; i < 3; ++i)
      x[i] = 0;
  };
  f();
}
__global__ void onlyDeclared(float *x);
void host(float *x, int n) {
  once<<<1, 32>>>(x);
  auto f = [=] {
    for (int i = 0; i < n; ++i) // results: CR1015
      x[i] = 0;
  };
  f();
}
