// Kernels whose threads exchange values in warps, as loops over warps and lanes: verified, built by both compilers, run on two
// threads; and exchanges that not all lanes reach, which the executor runs.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/warps.cpp --verify -- -O2 2> %t/err
// RUN: FileCheck %s < %t/warps.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/warps.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/warps.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/warps.cpp -o %t/san && %t/san
// REMARK-NOT: kernel not raised
// REMARK: kernel not raised: the threads of a warp wait for each other here, under a condition {{.*}}[CR1402
// REMARK-NOT: kernel not raised
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
namespace cg = cooperative_groups;

// A warp for each row, by cooperative groups.
__global__ void normalise(float *y, const float *x, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < columns; i += warp.size())
    sum += x[row * columns + i];
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  for (int i = warp.thread_rank(); i < columns; i += warp.size())
    y[row * columns + i] = x[row * columns + i] / sum;
}

__device__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__device__ float blockSum(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  v = warpSum(v);
  if (lane == 0)
    part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.0f;
  if (warp == 0)
    v = warpSum(v);
  return v;
}

// Through the warps of a block, with a shared array of a called function.
__global__ void total(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = blockSum(i < n ? x[i] : 0.0f);
  if (threadIdx.x == 0)
    y[blockIdx.x] = v;
}

__global__ void butterfly(int *y, const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
  for (int mask = 1; mask < 32; mask <<= 1)
    v += __shfl_xor_sync(0xffffffff, v, mask);
  y[i] = v;
}

// An inclusive scan, and one within eight lanes.
__global__ void scans(int *y, int *z, const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = x[i], w = x[i];
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d)
      v += before;
  }
  for (int d = 1; d < 8; d *= 2) {
    int before = __shfl_up_sync(0xffffffff, w, d, 8);
    if (lane % 8 >= d)
      w += before;
  }
  y[i] = v;
  z[i] = w;
}

__global__ void votes(unsigned *y, const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned ballot = __ballot_sync(0xffffffff, x[i] > 3);
  int any = __any_sync(0xffffffff, x[i] == 7), all = __all_sync(0xffffffff, x[i] >= 0);
  y[i] = ballot ^ (any * 2 + all) ^ __shfl_sync(0xffffffff, ballot, i);
}

// Tiles of eight; the first warp of a block alone.
__global__ void tiles(int *y, const int *x) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  __shared__ int most[64];
  int i = blockIdx.x * blockDim.x + block.thread_rank();
  most[block.thread_rank()] = cg::reduce(tile, x[i], cg::greater<int>{});
  block.sync();
  if (threadIdx.x < 32)
    most[threadIdx.x] += __shfl_sync(0xffffffff, most[threadIdx.x + 32], 31 - threadIdx.x);
  block.sync();
  y[i] = most[block.thread_rank()] + tile.meta_group_rank();
}

// Seventeen lanes of a warp.
__global__ void some(int *y, const int *x, int lanes) {
  int v = x[threadIdx.x];
  if ((int)threadIdx.x < lanes) {
    unsigned mask = (1u << lanes) - 1;
    int other = __shfl_sync(mask, v, (threadIdx.x + 1) % lanes);
    y[threadIdx.x] = v + other;
  }
}

// CHECK-LABEL: void normalise_range(
// CHECK: for (int warp = 0; warp < {{.*}}block.x / 32
// CHECK: for (int lane = 0; lane < 32; ++lane)
// CHECK-LABEL: void some(

static int failures = 0;
static void check(const char *what, bool right) {
  if (!right) {
    printf("%s is wrong\n", what);
    ++failures;
  }
}

int main() {
  const int n = 256;
  static float x[n], y[n];
  static int a[n], b[n], c[n];
  static unsigned u[n];
  for (int i = 0; i < n; i++) {
    x[i] = (float)(i % 13 + 1);
    a[i] = i * 7 % 11;
  }

  normalise<<<2, 64>>>(y, x, 3, 50);
  bool right = true;
  for (int r = 0; r < 3; r++) {
    float sum = 0;
    for (int i = 0; i < 50; i++)
      sum += x[r * 50 + i];
    for (int i = 0; i < 50; i++)
      right &= fabsf(y[r * 50 + i] - x[r * 50 + i] / sum) < 1e-6f;
  }
  check("normalise", right && y[150] == 0);

  for (int size : {32, 64, 128}) {
    total<<<n / size, size>>>(y, x, n - 5);
    right = true;
    for (int k = 0; k < n / size; k++) {
      float sum = 0;
      for (int i = k * size; i < (k + 1) * size && i < n - 5; i++)
        sum += x[i];
      right &= fabsf(y[k] - sum) < 1e-3f;
    }
    check("total", right);
  }

  butterfly<<<2, 128>>>(b, a);
  right = true;
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int l = 0; l < 32; l++)
      sum += a[i / 32 * 32 + l];
    right &= b[i] == sum;
  }
  check("butterfly", right);

  scans<<<4, 64>>>(b, c, a);
  right = true;
  for (int i = 0, whole = 0, part = 0; i < n; i++) {
    whole = i % 32 == 0 ? a[i] : whole + a[i];
    part = i % 8 == 0 ? a[i] : part + a[i];
    right &= b[i] == whole && c[i] == part;
  }
  check("scans", right);

  votes<<<4, 64>>>(u, a);
  right = true;
  for (int i = 0; i < n; i++) {
    unsigned ballot = 0, any = 0;
    for (int l = 0; l < 32; l++) {
      ballot |= (unsigned)(a[i / 32 * 32 + l] > 3) << l;
      any |= a[i / 32 * 32 + l] == 7;
    }
    right &= u[i] == (ballot ^ (any * 2 + 1) ^ ballot);
  }
  check("votes", right);

  tiles<<<4, 64>>>(b, a);
  right = true;
  for (int k = 0; k < 4; k++) {
    int most[64];
    for (int i = 0; i < 64; i++) {
      most[i] = 0;
      for (int l = 0; l < 8; l++)
        most[i] = a[k * 64 + i / 8 * 8 + l] > most[i] ? a[k * 64 + i / 8 * 8 + l] : most[i];
    }
    int other[32];
    for (int i = 0; i < 32; i++)
      other[i] = most[63 - i];
    for (int i = 0; i < 64; i++)
      right &= b[k * 64 + i] == (i < 32 ? most[i] + other[i] : most[i]) + i / 8;
  }
  check("tiles", right);

  some<<<1, 32>>>(b, a, 17);
  right = true;
  for (int i = 0; i < 17; i++)
    right &= b[i] == a[i] + a[(i + 1) % 17];
  check("some", right);
  return failures;
}
