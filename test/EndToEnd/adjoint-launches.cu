// Adjoints of host functions that launch kernels: made, linked with the
// translated source, and compared with differences of it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/launches.cpp --
// RUN: %clang_raise grad --function=sumsquare --function=steps --function=total --function=rows --function=some --function=wide --function=negative %s -o %t/adjoint.cpp --
// RUN: %clang_raise grad --verify --function=sumsquare %s -o %t/verified.cpp --
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -I%runtime -I%t %S/Inputs/adjoint-launches-main.cpp -x c++ %t/launches.cpp %t/adjoint.cpp -o %t/run
// RUN: env OMP_NUM_THREADS=4 %t/run
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -I%runtime -I%t -c %t/adjoint.cpp -o %t/adjoint-gcc.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %S/Inputs/adjoint-launches-main.cpp -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/launches.cpp -o %t/race2.o
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/eager.yaml
// RUN: %clang_raise grad --config=%t/eager.yaml --function=sumsquare --function=steps --function=total --function=rows --function=some --function=wide --function=negative %s -o %t/eager.cpp --
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -I%runtime -I%t -c %t/eager.cpp -o %t/race3.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o %t/race3.o -o %t/race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
// RUN: FileCheck %s --check-prefix=TEXT < %t/adjoint.cpp
// TEXT: // Assumed: CUDA accepts the launches, or there are no threads, and its calls
// TEXT-NEXT: // succeed.
// TEXT-NEXT: // Assumed, as CUDA does: no thread reads what another one writes, but by
// TEXT-NEXT: // atomics.
// TEXT-LABEL: {{^}}void sumsquare_adjoint(const double *x, int n, double *x_adj,
// TEXT-NOT: block
// TEXT: for (int i = 0; i < n; ++i)
// TEXT: dx_adj[i] = sq_adj(dx[i], dy_adj[i]);
// RUN: not %clang_raise grad --function=shares --function=streams --function=odd --function=frees --function=pitch --function=codes %s -o %t/none.cpp -- 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not ls %t/none.cpp
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t err_ = (call);                                                 \
    if (err_ != cudaSuccess) {                                                 \
      fprintf(stderr, "%s\n", cudaGetErrorString(err_));                       \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define ENSURE(ans) ensure((ans), __FILE__, __LINE__)

inline void ensure(cudaError_t code, const char *file, int line) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%s %s:%d\n", cudaGetErrorString(code), file, line);
    exit(1);
  }
}

inline int blocksFor(int n, int threads) { return (n + threads - 1) / threads; }
__device__ double sq(double v) { return v * v; }

__global__ void square(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = sq(x[i]);
}

__global__ void heat(double *v, const double *u, double a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < w - 1 && j < h - 1)
    v[j * w + i] = u[j * w + i] + a * (u[j * w + i - 1] * u[j * w + i + 1] + u[(j - 1) * w + i] + u[(j + 1) * w + i]);
}

__global__ void cubes(double *s, const double *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(s, x[i] * x[i] * x[i]);
}

// Each thread has its own n and y.
__global__ void ends(double *y, const double *x, int n) {
  int at = blockIdx.x * 2;
  n -= at;
  y += at;
  if (n > 0)
    y[0] = x[at] * 3 * y[0];
}

__global__ void tree(double *y, const double *x) {
  __shared__ double s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}

double sumsquare(const double *x, int n) {
  double *dx, *dy;
  CHECK(cudaMalloc(&dx, n * sizeof(double)));
  ENSURE(cudaMalloc((void **)&dy, n * sizeof(double)));
  cudaError_t err = cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  if (err != cudaSuccess)
    return -1;
  const int threads = 128;
  square<<<blocksFor(n, threads), threads>>>(dx, dy, n);
  err = cudaGetLastError();
  if (err != cudaSuccess)
    return -1;
  CHECK(cudaDeviceSynchronize());
  std::vector<double> y(n);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  ENSURE(cudaFree(dy));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i];
  return sum;
}

void steps(double *u, double *v, double a, int w, int h, int times) {
  dim3 block(8, 4), grid((w + 7) / 8, (h + 3) / 4);
  for (int t = 0; t < times; ++t) {
    heat<<<grid, block>>>(v, u, a, w, h);
    heat<<<dim3((w + 7) / 8, (h + 3) / 4), dim3(8, 4)>>>(u, v, a, w, h);
  }
}

void total(const double *x, double *s, int n) {
  cudaMemset(s, 0, sizeof(double));
  cubes<<<2, 16>>>(s, x, n);
}

void rows(double *y, const double *x, int n, int blocks) { ends<<<blocks, 1>>>(y, x, n); }
void some(const double *x, double *y, int n) { square<<<n / 16, 16>>>(x, y, n); }
void wide(const double *x, double *y, unsigned n) { square<<<(n + 63) / 64, 64>>>(x, y, n); }

__global__ void unsignedSquare(const double *x, double *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
void negative(const double *x, double *y, int n) { unsignedSquare<<<(n + 255) / 256, 256>>>(x, y, n); }

// REFUSED: adjoint-launches.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: launches tree (line {{[0-9]+}}): the threads of a block share 's', and what they exchange is not differentiated [CR1801]
void shares(double *y, const double *x) { tree<<<1, 64>>>(y, x); }
// REFUSED: adjoint-launches.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: the launch is in a stream of its own, whose order among the others is not followed [CR1801]
void streams(double *y, const double *x, int n, cudaStream_t s) { square<<<(n + 63) / 64, 64, 0, s>>>(x, y, n); }
void odd(double *y, const double *x, int n, size_t bytes) {
  double *d;
  // REFUSED: adjoint-launches.cu:[[#@LINE+1]]:3: error: not differentiated: the size 'bytes' is not seen to be a multiple of the size of 'double' [CR1801]
  cudaMalloc(&d, bytes);
  square<<<(n + 63) / 64, 64>>>(x, d, n);
  square<<<(n + 63) / 64, 64>>>(d, y, n);
}
void frees(double *y, double *x, int n) {
  square<<<(n + 63) / 64, 64>>>(x, y, n);
  // REFUSED: adjoint-launches.cu:[[#@LINE+1]]:3: error: not differentiated: calls cudaFree on memory that the function did not allocate [CR1801]
  cudaFree(x);
}
void pitch(double *y, double *x, int n) {
  double *d;
  size_t p;
  // REFUSED: adjoint-launches.cu:[[#@LINE+1]]:3: error: not differentiated: calls cudaMallocPitch, {{.*}} [CR1801]
  cudaMallocPitch(&d, &p, n * sizeof(double), 4);
  y[0] = x[0];
}
void codes(double *y, const double *x, int n) {
  cudaError_t err = cudaSuccess;
  if (n < 0)
    // REFUSED: adjoint-launches.cu:[[#@LINE+1]]:5: error: not differentiated: an error code that is not what CUDA's runtime returns [CR1801]
    err = cudaErrorInvalidValue;
  if (err == cudaSuccess)
    y[0] = x[0];
}
