// A pointer of a kernel's that goes on to another buffer; and warps of a block
// that nothing keeps apart.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/kernels.cpp -- 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang_raise grad --function=scaled --function=racing --function=nested %s -o %t/adjoint.cpp --
// RUN: FileCheck %s < %t/adjoint.cpp
// RUN: %clangxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/clang.o
// RUN: %gxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/gcc.o
// RUN: %clangxx -std=c++17 -fopenmp -O2 -I%runtime -I%t -I%S/Inputs %S/Inputs/adjoint-warps-main.cpp %t/kernels.cpp %t/clang.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
// RUN: not --crash %t/run 2 2>&1 | FileCheck %s --check-prefix=UNFIT
// RUN: not %clang_raise grad --function=either --function=rejoined %s -- 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: FileCheck %s --check-prefix=RAISED < %t/kernels.cpp
// REMARK-COUNT-4: kernel raised
// REMARK-COUNT-2: kernel not raised: 'p' may point into 'x' or 'w'
// UNFIT: racing_adjoint: it was made for launches of which this holds: {{.*}}; a block is one warp, since two would race (adjoint-warps.cu:7

__device__ double warpSum(double v) {
  for (int m = 16; m > 0; m /= 2)
    v += __shfl_xor_sync(0xffffffff, v, m);
  return v;
}

// A row for each block: `p` is a place in x, and then one in y.
// CHECK: // The adjoint of scaled
// CHECK-NOT: race
// CHECK: void scaled_adjoint(
// CHECK: const double *p = x + row * c;
// CHECK: double *p{{.*}} = y + row * c;
__global__ void scaled(double *y, const double *x, int c) {
  __shared__ double part[32];
  int row = blockIdx.x, t = threadIdx.x;
  const double *p = x + row * c;
  double sum = 0;
  for (int i = t; i < c; i += blockDim.x)
    sum += p[i] * p[i];
  sum = warpSum(sum);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  double all = 0;
  for (int w = 0; w < blockDim.x / 32; ++w)
    all += part[w];
  for (int i = t; i < c; i += blockDim.x)
    y[row * c + i] = p[i] * all;
  __syncthreads();
  p = y + row * c;
  double more = 0;
  for (int i = t; i < c; i += blockDim.x)
    more += p[i];
  more = warpSum(more);
  if (t % 32 == 0)
    part[t / 32] = more;
  __syncthreads();
  all = 0;
  for (int w = 0; w < blockDim.x / 32; ++w)
    all += part[w];
  for (int i = t; i < c; i += blockDim.x)
    y[row * c + i] = p[i] / (1 + all * all);
}

// Warp 0 writes part[0] again while another may still have to read it.
// CHECK: // The adjoint of racing
// CHECK: // Tested, else the program ends: {{.*}}
// CHECK: // {{.*}}a block is one warp,
// CHECK: int /*rows*/
// CHECK: block.x <= 32
__global__ void racing(double *y, const double *x, int c, int rows) {
  __shared__ double part[32];
  int t = threadIdx.x;
  double sum = 0;
  for (int i = t; i < c; i += blockDim.x)
    sum += x[i] * x[i];
  sum = warpSum(sum);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  double first = part[0];
  double next = 0;
  for (int i = t; i < c; i += blockDim.x)
    next += x[i] * first;
  next = warpSum(next);
  if (t % 32 == 0)
    part[t / 32] = next;
  __syncthreads();
  if (t == 0)
    y[blockIdx.x] = part[0];
}

// The same, where each thread uses what it read. Other launches run as written.
// RAISED: void seen(dim3 grid, dim3 block,
// RAISED: block.x <= 32) {
// RAISED-NEXT: seen_range(
__global__ void seen(double *y, const double *x) {
  __shared__ double part[32];
  int t = threadIdx.x;
  double v = x[blockIdx.x * blockDim.x + t];
  if (t % 32 == 0)
    part[t / 32] = v;
  __syncthreads();
  double first = part[0];
  double next = warpSum(first * v);
  if (t % 32 == 0)
    part[t / 32] = next;
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = part[t / 32] + first;
}

// In a loop, and moved in between.
__global__ void nested(double *y, const double *x, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double *p = x + i;
      ++p;
      sum += *p;
      p = w;
      p += k;
      sum *= *p;
      p = x;
      sum += p[i] * p[i];
    }
    y[i] = sum;
  }
}

// Where it depends on a condition, what it points to is not known.
__global__ void either(double *y, const double *x, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // REFUSED: adjoint-warps.cu:[[#@LINE+1]]:5: error: {{.*}}'p' may point into 'x' or 'w'
    const double *p = x;
    if (i % 2)
      p = w;
    y[i] = p[i];
  }
}

// A jump may lead back, to before it.
__global__ void rejoined(double *y, const double *x, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i < n) {
    // REFUSED: adjoint-warps.cu:[[#@LINE+1]]:5: error: {{.*}}'p' may point into 'x' or 'w'
    const double *p = x;
  again:
    y[i] += p[i];
    p = w;
    if (++k < 2)
      goto again;
  }
}
