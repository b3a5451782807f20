// What memory that a block shares is made of: structures of one sort of numbers or of several, bytes that are seen as numbers,
// one memory that is seen as structures and as their numbers, arrays in structures.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/layouts.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/layouts.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/layouts.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/layouts.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

// Structures of floats alone, which nothing sees as floats.
__global__ void quads(const float4 *x, float *y) {
  extern __shared__ float4 q[];
  int t = threadIdx.x;
  q[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  float4 other = q[blockDim.x - 1 - t];
  y[blockIdx.x * blockDim.x + t] = other.x + 2 * other.y + 3 * other.z + 4 * q[t].w;
}
// REMARK: [[#@LINE-8]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void quads_range(
// CHECK: float4 q[14528];

// Of several sorts: they stay structures.
struct Mixed {
  int id;
  double weight;
};
__global__ void mixed(const int *ids, const double *w, double *y) {
  extern __shared__ Mixed m[];
  int t = threadIdx.x;
  m[t].id = ids[t];
  m[t].weight = w[t];
  __syncthreads();
  y[t] = m[blockDim.x - 1 - t].id * m[t].weight;
}
// REMARK: [[#@LINE-8]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void mixed_range(
// CHECK: Mixed m[14528];

// Bytes, of which the second half begins at a multiple of a float's size.
__global__ void bytes(const float *x, float *y, int n) {
  extern __shared__ unsigned char raw[];
  float *a = (float *)raw;
  float *b = reinterpret_cast<float *>(raw + n * sizeof(float));
  float *c = (float *)&raw[2 * n * sizeof(float)];
  int after = 3 * blockDim.x * sizeof(float);
  float *d = (float *)(raw + after);
  int t = threadIdx.x;
  d[t] = 7;
  if (t < n) {
    a[t] = x[t];
    b[t] = 2 * x[t];
    c[t] = 3 * x[t];
  }
  __syncthreads();
  if (t < n)
    y[t] = a[n - 1 - t] + 10 * b[t] + 100 * c[n - 1 - t] + d[t] - 7;
}
// REMARK: [[#@LINE-18]]:17: remark: kernel raised
// CHECK-LABEL: static void bytes_range(
// CHECK: float raw[

// One memory as structures first, and then as their numbers.
__global__ void both(const float4 *x, float *y) {
  __shared__ float4 s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  float *flat = (float *)s;
  y[t] = flat[t] + flat[2 * 64 + t];
}
// REMARK: [[#@LINE-8]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void both_range(
// CHECK: float s[256];

// Arrays in structures, in structures.
struct Pair {
  float re, im;
};
struct Matrix {
  Pair e[2][3];
};
struct Site {
  int n;
  Matrix link[2];
};
__global__ void members(const Site *in, Site *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i].n = in[i].n;
  for (int l = 0; l < 2; l++)
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 3; c++) {
        out[i].link[l].e[r][c].re = in[i].link[1 - l].e[r][2 - c].im;
        out[i].link[l].e[r][c].im = in[i].link[l].e[r][c].re + in[i].n;
      }
}
// REMARK: [[#@LINE-12]]:17: remark: kernel raised
// CHECK-LABEL: static void members_range(
// CHECK: out[i].link[l].e[r][c].re = in[i].link[1 - l].e[r][2 - c].im;

// A block's own.
struct Row {
  int sum;
  int v[4];
};
__global__ void rows(const int *x, int *y) {
  __shared__ Row s[64];
  int t = threadIdx.x;
  s[t].sum = 0;
  for (int k = 0; k < 4; k++)
    s[t].v[k] = x[4 * t + k];
  __syncthreads();
  for (int k = 0; k < 4; k++)
    s[t].sum += s[blockDim.x - 1 - t].v[k];
  y[t] = s[t].sum;
}
// REMARK: [[#@LINE-11]]:17: remark: kernel raised{{.*}}; verification passed
// CHECK-LABEL: static void rows_range(
// CHECK: s_v[64][4];

// A loop that steps by what is known when it starts only.
__global__ void strides(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0;
  while (i < n) {
    sum += x[i];
    i += step;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// REMARK: [[#@LINE-9]]:17: remark: kernel raised
// REMARK-NOT: kernel raised in part

template <class T> T *copied(const T *from, size_t n) {
  T *p;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

static int differs(const char *what, const float *at, const float *expected, int n) {
  float found[256];
  cudaMemcpy(found, at, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (found[i] != expected[i])
      return printf("%s[%d] = %g, not %g\n", what, i, found[i], expected[i]);
  return 0;
}

int main() {
  const int n = 64;
  float4 quad[n];
  float x[4 * n], expected[4 * n];
  for (int i = 0; i < 4 * n; i++)
    x[i] = float((i * 7) % 31);
  memcpy(quad, x, sizeof quad);
  float4 *q = copied(quad, n);
  float *dx = copied(x, 4 * n), *y = copied(x, 4 * n);
  int bad = 0;

  quads<<<2, 32, 32 * sizeof(float4)>>>(q, y);
  for (int i = 0; i < n; i++) {
    const float4 o = quad[(i / 32) * 32 + 31 - i % 32];
    expected[i] = o.x + 2 * o.y + 3 * o.z + 4 * quad[i].w;
  }
  bad += differs("quads", y, expected, n);

  int ids[n];
  double w[n], sums[n];
  for (int i = 0; i < n; i++) {
    ids[i] = i % 5;
    w[i] = 0.5 * i;
  }
  int *dids = copied(ids, n);
  double *dw = copied(w, n), *dsums = copied(w, n);
  mixed<<<1, n, n * sizeof(Mixed)>>>(dids, dw, dsums);
  cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (sums[i] != ids[n - 1 - i] * w[i])
      bad += printf("mixed[%d] = %g\n", i, sums[i]);

  for (int m = 1; m <= n; m += 21) {
    bytes<<<1, n, 4 * n * sizeof(float)>>>(dx, y, m);
    for (int i = 0; i < m; i++)
      expected[i] = x[m - 1 - i] + 20 * x[i] + 300 * x[m - 1 - i];
    bad += differs("bytes", y, expected, m);
  }

  both<<<1, n>>>(q, y);
  for (int i = 0; i < n; i++)
    expected[i] = x[i] + x[128 + i];
  bad += differs("both", y, expected, n);

  Site in[5], out[5];
  for (int i = 0; i < 5; i++) {
    in[i].n = i;
    for (int k = 0; k < 24; k++)
      ((float *)in[i].link)[k] = float(i * 24 + k);
  }
  Site *din = copied(in, 5), *dout = copied(in, 5);
  members<<<1, 32>>>(din, dout, 5);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 5; i++)
    for (int l = 0; l < 2; l++)
      for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
          if (out[i].link[l].e[r][c].re != in[i].link[1 - l].e[r][2 - c].im ||
              out[i].link[l].e[r][c].im != in[i].link[l].e[r][c].re + i)
            bad += printf("members[%d]\n", i);

  int numbers[4 * n], found[n];
  for (int i = 0; i < 4 * n; i++)
    numbers[i] = i * i;
  int *dn = copied(numbers, 4 * n), *df = copied(numbers, n);
  rows<<<1, n>>>(dn, df);
  cudaMemcpy(found, df, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = 0; k < 4; k++)
      sum += numbers[4 * (n - 1 - i) + k];
    if (found[i] != sum)
      bad += printf("rows[%d] = %d\n", i, found[i]);
  }

  strides<<<2, 8>>>(dx, y, 4 * n);
  for (int i = 0; i < 16; i++) {
    expected[i] = 0;
    for (int k = i; k < 4 * n; k += 16)
      expected[i] += x[k];
  }
  bad += differs("strides", y, expected, 16);
  return bad != 0;
}
