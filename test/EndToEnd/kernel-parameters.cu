// Kernels whose parameters the IR does not have run as written (see object-parameters.cu for those that it has); volatile accesses in templates and in member functions
// are the executor's, as anywhere else in device code.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -O2 2> %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %clang_raise explain %s --json=%t.json -- -O2 2> /dev/null
// RUN: grep "\"function\": \"scaled\"" %t.json
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.gcc && %t.gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.clang && %t.clang

struct Scale {
  int by, plus;
  Scale(int by, int plus) : by(by), plus(plus) {}
  Scale(const Scale &s) : by(s.by), plus(s.plus) {} // a copy is more than its bytes
};
// REMARK: kernel-parameters.cu:[[#@LINE+2]]:{{.*}}kernel not raised
// CHECK: void scaled(dim3 grid, dim3 block, int *x, Scale s)
__global__ void scaled(int *x, Scale s) {
  x[threadIdx.x] = threadIdx.x * s.by + s.plus;
}
__global__ void pair(int *x, int2 v) { x[threadIdx.x] += v.x - v.y; }
__global__ void anything(void *x) { static_cast<int *>(x)[threadIdx.x] += 1; }
__global__ void rows(int **x) { x[0][threadIdx.x] += x[1][threadIdx.x]; }

// CHECK: raise_simt::volatileStore(s[t], raise_simt::volatileLoad(s[t]) +
// CHECK-NEXT: raise_simt::volatileLoad(s[t + 32]));
template <typename T> __device__ void lastWarp(volatile T *s, int t) {
  s[t] = s[t] + s[t + 32];
  s[t] = s[t] + s[t + 16];
  s[t] = s[t] + s[t + 8];
  s[t] = s[t] + s[t + 4];
  s[t] = s[t] + s[t + 2];
  s[t] = s[t] + s[t + 1];
}
template <typename T> __global__ void sum(const T *x, T *y) {
  __shared__ T s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32)
    lastWarp<T>(s, t);
  if (t == 0)
    *y = s[0];
}

// CHECK: while (!raise_simt::volatileLoad(*at))
struct Flag {
  volatile int *at;
  __device__ void wait() const {
    while (!*at)
      ;
  }
};
__global__ void waits(int *x) {
  __shared__ int go;
  if (threadIdx.x == 0)
    go = 0;
  __syncthreads();
  Flag f = {&go};
  if (threadIdx.x == 31)
    *f.at = 1;
  f.wait();
  x[threadIdx.x] = threadIdx.x;
}

int main() {
  int x[64], y[64];
  scaled<<<1, 64>>>(x, Scale(3, 1));
  pair<<<1, 64>>>(x, make_int2(7, 5));
  anything<<<1, 64>>>(x);
  for (int i = 0; i < 64; ++i) {
    if (x[i] != 3 * i + 4)
      return 1;
    y[i] = 2 * i;
  }
  int *both[] = {x, y}, total = 0;
  rows<<<1, 64>>>(both);
  for (int i = 0; i < 64; ++i)
    if (x[i] != 5 * i + 4)
      return 2;
  sum<int><<<1, 64>>>(x, &total);
  if (total != 5 * 63 * 32 + 4 * 64)
    return 3;
  waits<<<1, 32>>>(y);
  return y[31] == 31 ? 0 : 4;
}
