// Adjoints of kernels: made, linked with the translated source, run at several
// launches and thread counts, and compared with differences of the source.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/kernels.cpp --
// RUN: %clang_raise grad --function=square --function=sumsq --function=many --function=matmul --function=vectors --function=stride --function=leaves --function=histogram --function=optional --function=pool %s -o %t/adjoint.cpp --
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -I%runtime -I%t -c %t/adjoint.cpp -o %t/adjoint.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -I%runtime -I%t -c %t/adjoint.cpp -o %t/adjoint-gcc.o
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -I%runtime -I%t %S/Inputs/adjoint-kernels-main.cpp %t/kernels.cpp %t/adjoint.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -I%runtime -I%t %S/Inputs/adjoint-kernels-main.cpp %t/kernels.cpp %t/adjoint-gcc.o -o %t/run-gcc
// RUN: env OMP_NUM_THREADS=3 %t/run-gcc
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -I%runtime -I%t %S/Inputs/adjoint-kernels-main.cpp %t/kernels.cpp %t/adjoint.cpp -o %t/asan && %t/asan
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %S/Inputs/adjoint-kernels-main.cpp -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/kernels.cpp -o %t/race2.o
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/eager.yaml
// RUN: %clang_raise grad --config=%t/eager.yaml --function=square --function=sumsq --function=many --function=matmul --function=vectors --function=stride --function=leaves --function=histogram --function=optional --function=pool %s -o %t/eager.cpp --
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/eager.cpp -o %t/race3.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o %t/race3.o -o %t/race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
// RUN: FileCheck %s --check-prefix=TEXT < %t/adjoint.cpp
// Over the plain range of a launch the sweeps are loops in which each iteration
// has its elements to itself. Elsewhere a thread's two sweeps stand in one
// iteration, and what others may add to is updated atomically.
// TEXT: // square_adjoint for any other launch, and where its arguments overlap, thread
// TEXT-NEXT: // by thread.
// TEXT-LABEL: {{^}}static void square_adjoint_general(
// TEXT: #pragma omp parallel for
// TEXT: #pragma omp atomic
// TEXT-NEXT: x_adj[i] += 2 * x_old * y_adj_i;
// TEXT: // Assumed, as CUDA does: no thread reads what another one writes, but by
// TEXT-NEXT: // atomics.
// TEXT-LABEL: {{^}}void square_adjoint(dim3 grid, dim3 block, double *y, const double *x,
// TEXT: for (int i = 0; i < n; ++i)
// TEXT-NOT: tape
// TEXT: y[i] = x[i] * x[i];
// TEXT-NOT: atomic
// TEXT: x_adj[i] += 2 * x[i] * y_adj_i;
// TEXT: {{^}}}
// TEXT-LABEL: {{^}}void many_adjoint(
// TEXT-LABEL: {{^}}void matmul_adjoint(
// TEXT-NOT: atomic
// TEXT-NOT: tape
// TEXT: A_adj_tile[row][k] += C_adj[(row_tile + row) * n + col] *
// TEXT-NOT: atomic
// TEXT-NOT: tape
// TEXT: B_adj[k * n + col] = B_adj_block[col - col_block][k - k_strip];
// TEXT: {{^}}}
// RUN: not %clang_raise grad --function=cast %s -o %t/none.cpp -- 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not ls %t/none.cpp
#include <cuda_runtime.h>

__global__ void square(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] * x[i];
}

__global__ void sumsq(double *s, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(s, x[i] * x[i]);
}

__global__ void many(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double t = 1;
  for (int k = 0; k < 10000; ++k)
    t = t * 0.999 + x[(i + k) % n] * x[i];
  y[i] = t;
}

__global__ void matmul(double *C, const double *A, const double *B, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    const double *a = A + row * n;
    double s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k] * B[k * n + col];
    C[row * n + col] = s;
  }
}

__global__ void vectors(float4 *y, const float4 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    v.x = v.x * v.y;
    v.z *= v.w;
    y[i] = v;
  }
}

__global__ void stride(double *y, const double *x, double a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] += a * x[i] * x[i];
}

__global__ void leaves(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < n; ++k) {
    if (x[(i + k) % n] < 0.6)
      return;
    s += x[k] * x[i % n];
  }
  if (i < n)
    y[i] = s;
}

__global__ void histogram(double *h, const double *w, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&h[at[i]], exp(w[i]));
}

__global__ void optional(double *y, const double *x, const double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] * (b ? b[i] : 1);
}

__global__ void pool(double *y, const double *x, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double best = -1e30;
  for (int k = -width; k <= width; ++k) {
    int at = i + k;
    double v = at >= 0 && at < n ? x[at] : -1e30;
    best = v > best ? v : best;
  }
  y[i] = best;
}

__global__ void cast(float *y, const float *x) {
  // CAST: adjoint-kernels.cu:[[#@LINE+1]]:{{.*}}'const float *' is converted to 'const int2 *'{{.*}}[CR1801]
  int2 v = reinterpret_cast<const int2 *>(x)[threadIdx.x];
  y[threadIdx.x] = x[threadIdx.x] * v.y;
}
