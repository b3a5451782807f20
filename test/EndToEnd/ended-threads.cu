// Threads that return before others wait for each other: the others' pieces
// leave them out, and are raised.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/gcc && env OMP_NUM_THREADS=3 %t/gcc
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -I%runtime %t/out.cpp -o %t/asan && env OMP_NUM_THREADS=2 %t/asan
#include <cstdio>
#include <cstdlib>

// REMARK: ended-threads.cu:[[#@LINE+6]]:17: remark: kernel raised {{.*}}verification passed
// CHECK-LABEL: static void guarded_range(
// CHECK: if (i < n)
// CHECK-NEXT: s[t] = x[i];
// CHECK: if (i < n)
// CHECK-NEXT: y[i] = s[t] + s[0];
__global__ void guarded(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x] + s[0];
}

// What only a thread that goes on may read, and loops that all of these run.
// REMARK: ended-threads.cu:[[#@LINE+1]]:17: remark: kernel raised {{.*}}verification passed
__global__ void tiles(const float *__restrict__ x, float *__restrict__ y, int n, int w) {
  __shared__ float s[64];
  int i = threadIdx.x, b = blockIdx.x, k, j;
  if (i >= w)
    return;
  float sum = x[b * w + i], first = x[b * w];
  for (k = 0; k < n; k += 64) {
    s[i] = k + i < n ? x[k + i] : 0;
    __syncthreads();
    for (j = 0; j < w; ++j)
      sum += s[j] * first;
    __syncthreads();
  }
  y[b * w + i] = sum;
}

// Decided by memory, and once more on the way.
// REMARK: ended-threads.cu:[[#@LINE+2]]:17: remark: kernel raised {{.*}}verification passed
// CHECK: bool ended_of[1024];
__global__ void flags(const float *__restrict__ x, float *__restrict__ y, const int *__restrict__ flag) {
  __shared__ float s[64];
  int i = threadIdx.x;
  if (flag[i] == 0) {
    y[i] = -1;
    return;
  }
  float f = x[i] * flag[i];
  s[i] = f;
  __syncthreads();
  if (i > 40)
    return;
  float g = s[i] * f;
  __syncthreads();
  y[i] = g + flag[i];
}

// A tree of those that are left.
// REMARK: ended-threads.cu:[[#@LINE+1]]:17: remark: kernel raised
__global__ void tree(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = x[t];
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    if (t < step && t + step < n)
      s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = s[0];
}

// What those that end set before is no one else's.
__global__ void leaving(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, c = 3;
  if (t >= n) {
    c = 5;
    y[t] = float(c);
    return;
  }
  s[t] = x[t];
  __syncthreads();
  y[t] = s[t] + float(c);
}

// REMARK: ended-threads.cu:[[#@LINE+1]]:17: remark: kernel not raised: {{.*}}[CR1402
__global__ void endless(const float *__restrict__ x, float *__restrict__ y, int n, int w) {
  __shared__ float s[64];
  int i = threadIdx.x;
  if (i >= w)
    return;
  for (int k = 0; k < n; k += w) {
    s[i] = x[k + i];
    __syncthreads();
    y[k + i] = s[0];
    __syncthreads();
  }
}

int main(int argc, char **) {
  const int some = argc > 9 ? 1 : 64; // which the tool does not know
  const int n = 150, m = 192;
  float *x, *y;
  int *flag, bad = 0;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, m * sizeof(float));
  cudaMallocManaged(&flag, 64 * sizeof(int));
  for (int i = 0; i < n; ++i)
    x[i] = float(i * 7 % 31);
  for (int i = 0; i < 64; ++i)
    flag[i] = i % 3;
  const auto clear = [&] {
    for (int i = 0; i < m; ++i)
      y[i] = -7;
  };
  clear();
  guarded<<<3, some>>>(x, y, n);
  for (int i = 0; i < m; ++i)
    bad += y[i] != (i < n ? x[i] + x[i / 64 * 64] : -7);
  clear();
  const int w = 50;
  tiles<<<3, some>>>(x, y, n, w);
  for (int i = 0; i < m; ++i) {
    float want = -7;
    if (i < 3 * w) {
      want = x[i];
      for (int k = 0; k < n; k += 64)
        for (int j = 0; j < w; ++j)
          want += (k + j < n ? x[k + j] : 0) * x[i / w * w];
    }
    bad += y[i] != want;
  }
  clear();
  flags<<<1, some>>>(x, y, flag);
  for (int i = 0; i < 64; ++i) {
    const float f = x[i] * float(flag[i]);
    bad += y[i] != (flag[i] == 0 ? -1 : i > 40 ? -7 : f * f + float(flag[i]));
  }
  clear();
  tree<<<1, some>>>(x, y, 37);
  float all = 0;
  for (int i = 0; i < 37; ++i)
    all += x[i];
  bad += y[0] != all;
  clear();
  leaving<<<1, some>>>(x, y, 40);
  for (int i = 0; i < 64; ++i)
    bad += y[i] != (i < 40 ? x[i] + 3 : 5);
  clear();
  endless<<<1, some>>>(x, y, n, 50);
  for (int i = 0; i < n; ++i)
    bad += y[i] != x[i / 50 * 50];
  cudaFree(x), cudaFree(y), cudaFree(flag);
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
