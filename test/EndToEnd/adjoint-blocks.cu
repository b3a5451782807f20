// Derivatives of kernels whose threads exchange values: through shared memory,
// within warps, by cooperative groups.
//
// RUN: rm -rf %t && mkdir -p %t && printf 'machine:\n  parallel-work: 1\n' > %t/eager.yaml
// RUN: %clang_raise rewrite %s -o %t/kernels.cpp --
// RUN: %clang_raise grad --function=tree --function=rows --function=attend --function=tile --function=share --function=ring --function=cube --verify --require-verified %s -o %t/adjoint.cpp -- 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --mode=forward --function=tree --function=rows --function=attend --function=tile --function=share --function=ring --function=cube --verify --require-verified %s -o %t/tangent.cpp -- 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: FileCheck %s < %t/adjoint.cpp
// RUN: %clangxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/clang.o
// RUN: %gxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/gcc.o
// RUN: %clangxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/tangent.cpp -o %t/tangent.o
// RUN: %clangxx -std=c++17 -fopenmp -O2 -I%runtime -I%t %S/Inputs/adjoint-blocks-main.cpp %t/kernels.cpp %t/clang.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
// RUN: not --crash %t/run 2d 2>&1 | FileCheck %s --check-prefix=UNFIT
// RUN: not --crash %t/run large 2>&1 | FileCheck %s --check-prefix=UNFIT
// RUN: %clang_raise grad --config=%t/eager.yaml --function=tree --function=rows --function=attend --function=tile --function=share --function=ring --function=cube %s -o %t/eager.cpp --
// RUN: %clangxx -std=c++17 -fopenmp -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -I%runtime -I%t %S/Inputs/adjoint-blocks-main.cpp %t/kernels.cpp %t/eager.cpp -o %t/asan && env OMP_NUM_THREADS=2 %t/asan
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %S/Inputs/adjoint-blocks-main.cpp -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/kernels.cpp -o %t/race2.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/eager.cpp -o %t/race3.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o %t/race3.o -o %t/race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
// RUN: not %clang_raise grad --function=crossed --function=partly %s -- 2>&1 | FileCheck %s --check-prefix=REFUSED
// VERIFIED-COUNT-7: verification passed
// VERIFIED-NOT: error
// UNFIT: tree_adjoint: it was made for launches of which this holds: the launch is one-dimensional; a thread's index fits an int; a block has at most 1024 threads
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A tree over the threads of a block, of a size known when it runs.
// CHECK: // The adjoint of tree
// CHECK: // Assumed, as CUDA does: no block reads what another one writes, but by
// CHECK: // Tested, else the program ends: the launch is one-dimensional; a thread's
// CHECK: void tree_adjoint(dim3 grid, dim3 block, const float *x, float *out, int n,
// CHECK: if (!(grid.y == 1 &&
// CHECK-NEXT: {{.*}}2147483647 &&
// CHECK-NEXT: block.x <= 1024 && block.y <= 1024 && block.z <= 1024 &&
// CHECK-NEXT: (long long)block.x * block.y * block.z <= 1024))
// CHECK-NEXT: raise::unfit("tree_adjoint",
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (int b = 0; b < (int)grid.x; ++b)
__global__ void tree(const float *x, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] * x[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// Each block a row: its mean, then its variance, then the row again.
__global__ void rows(double *y, const double *x, const double *w, int c) {
  __shared__ double s[128];
  int t = threadIdx.x;
  const double *row = x + blockIdx.x * c;
  double sum = 0;
  for (int k = t; k < c; k += blockDim.x)
    sum += row[k];
  s[t] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  double mean = s[0] / c;
  __syncthreads();
  double squares = 0;
  for (int k = t; k < c; k += blockDim.x)
    squares += (row[k] - mean) * (row[k] - mean);
  s[t] = squares;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  double scale = 1.0 / sqrt(s[0] / c + 1e-5);
  for (int k = t; k < c; k += blockDim.x)
    y[blockIdx.x * c + k] = w[k] * (row[k] - mean) * scale;
}

// Each warp a row of 32: what is largest, and the sum of what is left of it.
__global__ void attend(double *y, const double *x) {
  int lane = threadIdx.x % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  double most = v;
  for (int k = 16; k > 0; k /= 2)
    most = fmax(most, __shfl_xor_sync(0xffffffff, most, k));
  double e = exp(v - most);
  double sum = e;
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, k);
  sum = __shfl_sync(0xffffffff, sum, 0);
  y[i] = e / sum + lane;
}

// A product of matrices by tiles.
__global__ void tile(double *c, const double *a, const double *b, int n) {
  __shared__ double as[8][8], bs[8][8];
  int ty = threadIdx.y, tx = threadIdx.x;
  int i = blockIdx.y * 8 + ty, j = blockIdx.x * 8 + tx;
  double sum = 0;
  for (int k = 0; k < n; k += 8) {
    as[ty][tx] = i < n && k + tx < n ? a[i * n + k + tx] : 0;
    bs[ty][tx] = j < n && k + ty < n ? b[(k + ty) * n + j] : 0;
    __syncthreads();
    for (int m = 0; m < 8; m++)
      sum += as[ty][m] * bs[m][tx];
    __syncthreads();
  }
  if (i < n && j < n)
    c[i * n + j] = sum;
}

// A sum within each warp, then over all of them.
// CHECK: void share_adjoint(
// CHECK: block.x % 32 == 0
__global__ void share(double *out, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0;
  for (int k = 16; k > 0; k /= 2)
    v += __shfl_xor_sync(0xffffffff, v, k);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, v);
}

// What a neighbour holds, twice.
__global__ void ring(double *y, const double *x, int steps) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
    double next = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = sin(next) * s[t];
  }
  y[blockIdx.x * blockDim.x + t] = s[t];
}

// By a group.
__global__ void cube(double *out, const double *x) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ double s[64];
  s[block.thread_rank()] = x[threadIdx.x] * x[threadIdx.x] * x[threadIdx.x];
  block.sync();
  if (block.thread_rank() == 0)
    for (unsigned k = 0; k < blockDim.x; ++k)
      atomicAdd(out, s[k]);
}

// REFUSED: adjoint-blocks.cu:[[#@LINE+4]]:{{.*}}error: iteration t reads 's[t + 1]', which iteration t + 1 writes later (distance 1) [CR1102]
__global__ void crossed(double *out, const double *x) {
  __shared__ double s[64];
  s[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = s[threadIdx.x + 1];
}

// REFUSED: adjoint-blocks.cu:[[#@LINE+5]]:{{.*}}error: the threads of a block wait for each other or share memory, and their work could not be cut at the barriers: {{.*}} [CR1801]
__global__ void partly(double *out, const double *x) {
  __shared__ double s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (x[threadIdx.x] > 0)
    __syncthreads();
  out[threadIdx.x] = s[0];
}
