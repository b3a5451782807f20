// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only -Wall -Wextra -Werror %s
// The libraries whose headers the prelude has.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

struct Pair {
  float maximum, sum;
};
__device__ Pair join(Pair a, Pair b) { return {fmaxf(a.maximum, b.maximum), a.sum + b.sum}; }

__global__ void groups(float *x, int *n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float total = cg::reduce(warp, x[block.thread_rank()], cg::plus<float>{});
  float most = cg::reduce(warp, x[warp.meta_group_rank()], cg::greater<float>{});
  Pair both = cg::reduce(warp, Pair{total, most}, join);
  n[0] = cg::inclusive_scan(warp, n[warp.thread_rank()]) + warp.ballot(1);
  x[0] = warp.shfl_down(both.sum, 1) + CUDART_PI_F;
  warp.sync();
  block.sync();
}
__global__ void numbers(__half *h, __nv_bfloat16 *b, float *f, cuFloatComplex *z) {
  h[0] = __float2half(__half2float(h[1]) + 1.0f);
  h[1] = h[2] * h[3] + __hmax(h[4], h[5]);
  __half2 pair = __floats2half2_rn(1.0f, 2.0f);
  f[0] = __low2float(pair + pair) + static_cast<float>(b[0]) + __bfloat162float(b[1] * b[2]);
  z[0] = cuCmulf(z[1], make_cuFloatComplex(1.0f, cuCabsf(z[2])));
}
__global__ void chance(curandState *states, float *x, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
  curandState local = states[i];
  x[i] = curand_uniform(&local) + curand_normal(&local);
  states[i] = local;
}
void host(float *a, float *b, float *c) {
  cublasHandle_t handle;
  curandGenerator_t generator;
  const float one = 1;
  checkCudaErrors(cublasCreate(&handle));
  checkCudaErrors(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, a, 2, b, 2, &one, c, 2));
  checkCudaErrors(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  checkCudaErrors(curandGenerateUniform(generator, a, 4));
  getLastCudaError("host");
}
