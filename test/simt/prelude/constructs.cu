// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clangxx %prelude_flags -std=c++11 -fsyntax-only -Wall -Wextra -Werror %s
// What real CUDA sources use, without a toolkit.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define BLOCK 256

__constant__ float Weights[9];
__device__ int Counter;
struct __align__(16) Particle {
  float4 position;
  double mass;
};

__device__ __forceinline__ float square(float x) { return x * x; }
__host__ __device__ static inline int divUp(int a, int b) { return (a + b - 1) / b; }
__device__ __noinline__ float slow(float x) { return x; }

template <class T, int N> __global__ void __launch_bounds__(BLOCK, 2) kernel(T *__restrict__ y, const T *__restrict__ x, int n) {
  __shared__ T part[N];
  extern __shared__ char dynamic[];
  T *more = reinterpret_cast<T *>(dynamic);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t % N] = i < n ? x[i] : T(0);
  more[t] = __ldg(&x[min(i, n - 1)]);
  __syncthreads();
#pragma unroll
  for (int s = N / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  T v = part[t];
  for (int d = warpSize / 2; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (t == 0)
    atomicAdd(y, v + std::max(T(1), x[0]));
  if (__syncthreads_count(t > 3) > 5 && __ballot_sync(0xffffffff, t & 1))
    atomicMax(&Counter, t);
  assert(i >= 0);
  printf("%d %f %u\n", i, static_cast<double>(v), gridDim.y);
}

__global__ void functions(float *f, double *d, unsigned *u, Particle *p, volatile int *flag) {
  f[0] = sqrtf(f[1]) + __expf(f[2]) + fmaxf(f[3], rsqrtf(f[4])) + powf(f[5], 2.0f) + square(slow(f[6])) + __sinf(f[7]);
  d[0] = sqrt(d[1]) + exp(d[2]) + max(d[3], 1.0) + fabs(d[4]) + std::sqrt(d[5]) + isnan(d[6]) + rsqrt(d[7]);
  u[0] = __popc(u[1]) + __clz(static_cast<int>(u[2])) + __umulhi(u[3], u[4]) + max(u[5], 3) + __float_as_int(f[0]);
  float s, c;
  sincosf(f[8], &s, &c);
  __sincosf(f[9], &s, &c);
  p->position = make_float4(s, c, Weights[threadIdx.y], sinpif(0.5f));
  p->mass = __dadd_rn(1.0, __int2double_rn(3));
  while (*flag == 0)
    __threadfence();
  if (atomicCAS(&u[6], 0u, 1u) == 0 && atomicExch(&f[3], 1.0f) == 0)
    atomicInc(&u[7], 100u);
  __syncwarp();
  u[8] = __activemask() + static_cast<unsigned>(clock64());
  f[1] = tanhf(f[1]) + erff(f[2]) + normcdff(f[3]) + __fdividef(1.0f, 3.0f) + fminf(INFINITY, float(M_PI));
}

static void check(cudaError_t error) {
  if (error != cudaSuccess)
    std::printf("%s\n", cudaGetErrorString(error));
}

int host(int n) {
  float *x, *y, values[9] = {};
  cudaStream_t stream;
  cudaEvent_t start, stop;
  std::vector<float> v(static_cast<size_t>(std::max(n, 1)));
  check(cudaMalloc(&x, n * sizeof(float)));
  check(cudaMalloc((void **)&y, n * sizeof(float)));
  check(cudaMemcpy(x, v.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpyToSymbol(Weights, values, sizeof values));
  check(cudaStreamCreate(&stream));
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  check(cudaEventRecord(start));
  dim3 grid(divUp(n, BLOCK)), block = BLOCK;
  kernel<float, BLOCK><<<grid, block, BLOCK * sizeof(float), stream>>>(y, x, n);
  kernel<float, 64><<<divUp(n, 64), 64, 64 * sizeof(float)>>>(y, x, n);
  functions<<<1, dim3(8, 8)>>>(x, nullptr, nullptr, nullptr, nullptr);
  check(cudaFuncSetAttribute(kernel<float, 64>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  check(cudaGetLastError());
  check(cudaEventRecord(stop, stream));
  check(cudaEventSynchronize(stop));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start, stop));
  check(cudaDeviceSynchronize());
  cudaDeviceProp prop;
  check(cudaGetDeviceProperties(&prop, 0));
  check(cudaFree(x));
  return prop.multiProcessorCount + max(n, 3) + min(1.0f, ms) + (cudaFree(y) == cudaSuccess);
}
