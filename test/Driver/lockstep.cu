// Kernels that rely on the lanes of a warp running in step are refused, not run: what a barrier, a wait of the warp or a volatile access keeps
// apart is not meant, nor are threads of several warps.
// RUN: rm -f %t.cpp
// RUN: not %clang_raise rewrite %s -o %t.cpp -- 2>&1 | FileCheck %s
// RUN: test ! -e %t.cpp
// RUN: %clang_raise rewrite %s -o %t.cpp -- -DWAITS 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: %gxx -std=c++17 -O2 -fopenmp -DWAITS -I%runtime %t.cpp -o %t.run
// RUN: %t.run
// WAITS-NOT: CR1405
#include <cstdio>
#ifdef WAITS
#define STEP __syncwarp()
#else
#define STEP
#endif

// CHECK: lockstep.cu:[[#@LINE+5]]:3: error: thread 1 writes 's[1]', which thread 0 reads, and no barrier stands in between: the lanes of a warp are taken to run in step [CR1405]
__global__ void rotate(int *y, const int *x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  const int next = (t + 1) % 32;
  s[t] = x[t];
  STEP;
  y[t] = s[next];
}

// The tail of a tree, after the barriers that its other steps have.
// CHECK: lockstep.cu:[[#@LINE+10]]:7: error: thread {{.*}}: the lanes of a warp are taken to run in step [CR1405]
__global__ void tree(int *y, const int *x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32)
    for (int d = 32; d > 0; d /= 2) {
      const int other = s[t + d];
      STEP;
      s[t] += other;
      STEP;
    }
  if (t == 0)
    *y = s[0];
}

// Behind a test that hangs on a parameter, in pointers, in blocks of any height.
// CHECK: lockstep.cu:[[#@LINE+9]]:3: error: thread {{.*}}: the lanes of a warp are taken to run in step [CR1405]
__global__ void exchange(float *y, const float *x, unsigned n) {
  __shared__ float part[4 * 33];
  const unsigned t = threadIdx.x, group = t & 7;
  const unsigned i = blockIdx.x * 32 + t;
  if (i - group + 7 >= n)
    return;
  float *mine = &part[threadIdx.y * 33 + t];
  float *all = &part[threadIdx.y * 33 + t - group];
  *mine = x[i];
  STEP;
  for (int k = 0; k < 8; k++)
    y[8 * i + k] = all[k];
}

// Threads of two warps race: that is no matter of steps, and it is left.
// WAITS: lockstep.cu:[[#@LINE+1]]:17: remark: kernel not raised: thread 0 writes 'tile[0]', which {{.*}} reads, and no barrier stands in between [CR1101
__global__ void open(float *y, const float *x, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n / 64; k++) {
    tile[threadIdx.x] = x[k * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

// Each thread has an element of its own.
__global__ void own(float *y, const float *x) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[threadIdx.x] * 2;
}

int main(int argc, char **) {
  const int rows = argc; // which the tool does not know
  int *x, *y;
  float *a, *b;
  cudaMallocManaged(&x, 64 * sizeof *x);
  cudaMallocManaged(&y, 64 * sizeof *y);
  cudaMallocManaged(&a, 64 * sizeof *a);
  cudaMallocManaged(&b, 512 * sizeof *b);
  for (int i = 0; i < 64; i++) {
    x[i] = i;
    a[i] = 64 - i;
  }
  rotate<<<1, 32>>>(y, x);
  cudaDeviceSynchronize();
  int bad = y[0] != 1 || y[31] != 0;
  tree<<<1, 64>>>(y, x);
  cudaDeviceSynchronize();
  bad += y[0] != 63 * 32;
  exchange<<<2, dim3(32, rows)>>>(b, a, 64);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 8; k++)
      bad += b[8 * i + k] != a[i / 8 * 8 + k];
  open<<<1, 64>>>(b, a, 64);
  own<<<1, 32>>>(b, a);
  cudaDeviceSynchronize();
  bad += b[31] != 66;
  printf("%d wrong\n", bad);
  return bad != 0;
}
