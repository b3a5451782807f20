// Functions of numbers that only CUDA has are called by their names; atomics on
// elements of arrays of arrays, and on members.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=VERIFIED < %t/err
// VERIFIED-COUNT-4: kernel raised to {{.*}}verification passed
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/run && env OMP_NUM_THREADS=3 %t/run
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/out.cpp -o %t/run && env OMP_NUM_THREADS=3 %t/run
#include <cmath>
#include <cstdio>

// CHECK-LABEL: static void ints_range(
// CHECK: x[i] = __mul24(x[i], 3) + (int)__umul24(u[i], 5u) + __mulhi(x[i], 1 << 20);
// CHECK: u[i] = __brev(u[i]) ^ min(u[i], n);
__global__ void ints(int *__restrict__ x, unsigned *__restrict__ u, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = __mul24(x[i], 3) + (int)__umul24(u[i], 5u) + __mulhi(x[i], 1 << 20);
    u[i] = __brev(u[i]) ^ min(u[i], n);
  }
}

__global__ void floats(float *__restrict__ x, int *__restrict__ y, double *__restrict__ z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = __float2int_rd(x[i]) + (__float_as_int(x[i]) & 7) + __double2hiint(z[i]);
    z[i] = max(x[i], z[i]);
    x[i] = __saturatef(x[i]) + sinpif(x[i]) + __fadd_rz(x[i], 1.5f) + __fmaf_rn(x[i], 2, 1);
  }
}

// CHECK-LABEL: static void elements_range(
// CHECK: #pragma omp atomic
// CHECK-NEXT: w[i % 6][i % 4] += x[i];
__global__ void elements(float w[6][4], const float *x) {
  const int i = threadIdx.x;
  atomicAdd(&w[i % 6][i % 4], x[i]);
}

__global__ void members(const float *x, float *y) {
  __shared__ float2 sum;
  if (threadIdx.x == 0)
    sum = make_float2(0, 1);
  __syncthreads();
  atomicAdd(&sum.x, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum.x + sum.y;
}

int main() {
  const int n = 100;
  int *x, *y, bad = 0;
  unsigned *u;
  float *f, *s, *w;
  double *z;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  cudaMallocManaged(&u, n * sizeof *u);
  cudaMallocManaged(&f, n * sizeof *f);
  cudaMallocManaged(&s, n * sizeof *s);
  cudaMallocManaged(&w, 24 * sizeof *w);
  cudaMallocManaged(&z, n * sizeof *z);
  for (int i = 0; i < n; ++i)
    x[i] = i * 1000003, u[i] = unsigned(i) * 77777u, f[i] = float(i) / 8 - 3, z[i] = -0.5 * i;
  ints<<<1, 128>>>(x, u, n);
  floats<<<1, 128>>>(f, y, z, n);
  for (int i = 0; i < n; ++i) {
    const int v = i * 1000003, low = v << 8 >> 8;
    const unsigned t = unsigned(i) * 77777u;
    unsigned turned = 0;
    for (int b = 0; b < 32; ++b)
      turned |= (t >> b & 1u) << (31 - b);
    bad += x[i] != low * 3 + int((t & 0xffffffu) * 5u) + int((long long)v * (1 << 20) >> 32);
    bad += u[i] != (turned ^ (t < 100u ? t : 100u));
    const float g = float(i) / 8 - 3;
    int bits, high;
    const double d = -0.5 * i;
    memcpy(&bits, &g, 4);
    memcpy(&high, (const char *)&d + 4, 4);
    bad += y[i] != int(std::floor(g)) + (bits & 7) + high;
    bad += z[i] != std::fmax(double(g), d);
    const float want = (g > 0 ? g < 1 ? g : 1 : 0) + std::sin(3.14159265358979 * g) + (g + 1.5f) + (g * 2 + 1);
    bad += !(std::fabs(f[i] - want) < 1e-5f * (1 + std::fabs(want)));
  }
  for (int i = 0; i < n; ++i)
    f[i] = float(i), s[i] = 0;
  for (int i = 0; i < 24; ++i)
    w[i] = 0;
  elements<<<1, 96>>>((float(*)[4])w, f);
  members<<<4, 16>>>(f, s);
  float sums[24] = {};
  for (int i = 0; i < 96; ++i)
    sums[i % 6 * 4 + i % 4] += f[i];
  for (int i = 0; i < 24; ++i)
    bad += w[i] != sums[i];
  for (int b = 0; b < 4; ++b)
    bad += s[b] != float(b * 256 + 120 + 1);
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
