// What a block's threads share and what each has of its own, in kernels with barriers: scalars, arrays, tables, pointers,
// dynamic shared memory, names that the launcher has; and what the block reads while some thread writes it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/data.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/data.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/data.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/data.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

int a[2] = {1000, 1000}; // no kernel's

// A thread's own array, at an index that is the same for all; the file has one of its name.
__global__ void own(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int a[2];
  a[0] = t & 3;
  a[1] = n;
  s[t] = x[t];
  __syncthreads();
  int m = a[0];
  y[t] = s[blockDim.x - 1 - t] + m + a[1];
}
// REMARK: [[#@LINE-11]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void own_range(
// CHECK: int a_of[1024][2];

// One that starts with what the threads have made; and a table, which is the block's.
__global__ void starts(const int *x, int *y, int n) {
  __shared__ int s[64];
  const int table[3] = {4, 1, 2};
  int t = threadIdx.x;
  s[t] = x[t] + n;
  __syncthreads();
  const int w[2] = {s[0], s[blockDim.x - 1]};
  int d = table[1] + table[n & 1];
  __syncthreads();
  s[t] = d;
  __syncthreads();
  y[t] = w[t & 1] + s[blockDim.x - 1 - t];
}
// REMARK: [[#@LINE-13]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void starts_range(
// CHECK: table[3] = {4, 1, 2};
// CHECK: w_of[t][0] = s[0];

// Scalars that are shared, and names of the launcher's.
__global__ void names(const int *x, int *y) {
  __shared__ int grid[64];
  __shared__ int block, count;
  int t = threadIdx.x;
  if (t == 0) {
    block = 3;
    count = 0;
  }
  grid[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  if (grid[t] > 5)
    atomicAdd(&count, 1);
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = grid[blockDim.x - 1 - t] * block + count;
}
// REMARK: [[#@LINE-15]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void names_range(
// CHECK: int own_grid[64];
// CHECK-NEXT: int own_block;
// CHECK-NEXT: int count;

// A pointer of each thread's, and a range that shared memory says.
__global__ void reach(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  const int *p = x + threadIdx.x;
  s[t] = *p & 7;
  __syncthreads();
  int sum = 0;
  for (int j = 0; j < s[0]; j++)
    sum += s[j] + p[j];
  y[t] = sum;
}
// REMARK: [[#@LINE-11]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void reach_range(

// The launch says how much memory is shared.
__global__ void dynamic(const float *x, float *y, float by = 2.0f) {
  extern __shared__ float part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float *sines = part, *cosines = part + blockDim.x;
  sincosf(x[i], &sines[t], &cosines[t]);
  __syncthreads();
  y[i] = sines[blockDim.x - 1 - t] + by * cosines[t];
}
// REMARK: [[#@LINE-8]]:17: remark: kernel raised to a nest: {{.*}}; verification passed
// CHECK-LABEL: static void dynamic_range(
// CHECK: float part[58112];
// CHECK: static void dynamic_thread(const float *x, float *y, float by) {
// CHECK: void dynamic(dim3 grid, dim3 block, const float *x, float *y, float by = 2.0f) {

// All threads read what the first one writes, with no barrier between.
__global__ void once(int *y) {
  __shared__ int c[1];
  c[0] = 64;
  __syncthreads();
  int u = c[0];
  if (threadIdx.x == 0)
    c[0] = 0;
  y[threadIdx.x] = u;
}
// REMARK: [[#@LINE-9]]:17: remark: kernel not raised: {{.*}} [CR1101

// A barrier is missing, whatever the size of a block.
__global__ void mirrored(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  y[t] = s[(int)blockDim.x - 1 - t];
}
// REMARK: [[#@LINE-6]]:17: remark: kernel not raised: {{.*}} [CR1101

// A scan in place.
__global__ void inplace(int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int j = 1; j < 64; j *= 2) {
    if (t >= j)
      s[t] += s[t - j];
    __syncthreads();
  }
  y[t] = s[t];
}
// REMARK: [[#@LINE-12]]:17: remark: kernel not raised: {{.*}} [CR11

// More than a stack holds.
__global__ void large(int *y, int n) {
  int t = threadIdx.x;
  long long big[2000];
  for (int i = 0; i < 2000; i++)
    big[i] = i * t;
  __syncthreads();
  y[t] = (int)big[n];
}
// REMARK: [[#@LINE-8]]:17: remark: kernel not raised: {{.*}}'big_of' among it, that is too much for a stack [CR1402

// One counter for all loops, which each piece sets before it reads it.
__global__ void counters(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[64];
  int i, j, t = threadIdx.x, sum = 0;
  for (j = 0; j < 2; ++j)
    for (i = 0; i < n; i += 64)
      sum += x[(t + i + j) & 255];
  s[t] = sum;
  __syncthreads();
  if (t < 2)
    for (i = 0; i < 64; ++i)
      y[blockIdx.x * 2 + t] += s[i];
}
// REMARK: [[#@LINE-12]]:17: remark: kernel raised to a nest:
// CHECK-LABEL: static void counters_range(
// CHECK-NOT: i_of

// What hangs on a variable of one piece is no other piece's.
__global__ void hangs(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[64];
  int r, t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  r = s[63 - t];
  int twice = r + r;
  y[t] = twice;
  __syncthreads();
  s[t] = n;
  __syncthreads();
  y[t] += twice + s[63 - t];
}
// CHECK-LABEL: static void hangs_range(

// Here the second piece reads what the first one left.
__global__ void counted(const int *x, int *y, int n) {
  __shared__ int s[64];
  int i, t = threadIdx.x;
  for (i = 0; i < n && x[i] != t; ++i)
    ;
  s[t] = i;
  __syncthreads();
  if (t > 2)
    i = 1;
  y[t] = i * s[63 - t];
}
// CHECK-LABEL: static void counted_range(
// CHECK: int i_of[1024];

int main(int argc, char **) {
  const int some = argc > 9 ? 1 : 64; // which the tool does not know
  int *x, *y, bad = 0;
  float *u, *v;
  cudaMallocManaged(&x, 256 * sizeof(int));
  cudaMallocManaged(&y, 256 * sizeof(int));
  cudaMallocManaged(&u, 256 * sizeof(float));
  cudaMallocManaged(&v, 256 * sizeof(float));
  for (int i = 0; i < 256; i++)
    x[i] = i * 7 % 31, u[i] = 0.1f * (float)i;
  own<<<1, some>>>(x, y, 9);
  for (int t = 0; t < 64; t++)
    bad += y[t] != x[63 - t] + (t & 3) + 9;
  starts<<<1, 64>>>(x, y, 9);
  for (int t = 0; t < 64; t++)
    bad += y[t] != (t & 1 ? x[63] : x[0]) + 9 + 2;
  names<<<2, 32>>>(x, y);
  for (int b = 0; b < 2; b++) {
    int count = 0;
    for (int t = 0; t < 32; t++)
      count += x[b * 32 + t] > 5;
    for (int t = 0; t < 32; t++)
      bad += y[b * 32 + t] != x[b * 32 + 31 - t] * 3 + count;
  }
  x[0] = 5;
  reach<<<1, 64>>>(x, y);
  for (int t = 0; t < 64; t++) {
    int sum = 0;
    for (int j = 0; j < 5; j++)
      sum += (x[j] & 7) + x[t + j];
    bad += y[t] != sum;
  }
  dynamic<<<2, 64, 2 * 64 * sizeof(float)>>>(u, v);
  for (int i = 0; i < 128; i++)
    bad += fabsf(v[i] - (sinf(u[i / 64 * 64 + 63 - i % 64]) + 2 * cosf(u[i]))) > 1e-6f;
  for (int i = 0; i < 256; i++)
    x[i] = i * 7 % 31;
  y[0] = y[1] = 0;
  counters<<<1, 64>>>(x, y, 130);
  int all = 0;
  for (int t = 0; t < 64; t++)
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 130; i += 64)
        all += x[(t + i + j) & 255];
  bad += y[0] != all || y[1] != all;
  hangs<<<1, 64>>>(x, y, 9);
  for (int t = 0; t < 64; t++)
    bad += y[t] != 4 * x[63 - t] + 9;
  counted<<<1, some>>>(x, y, 40);
  const auto first = [&](int t) {
    int i = 0;
    while (i < 40 && x[i] != t)
      ++i;
    return i;
  };
  for (int t = 0; t < 64; t++)
    bad += y[t] != (t > 2 ? 1 : first(t)) * first(63 - t);
  large<<<1, some / 8>>>(y, 100);
  bad += y[7] != 700 || a[0] != 1000;
  cudaFree(x), cudaFree(y), cudaFree(u), cudaFree(v);
  printf("%d wrong\n", bad);
  return bad != 0;
}
