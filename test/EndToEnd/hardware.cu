// What a GPU was seen to do where CUDA's documents say little: NaN as an integer, __hne of NaN, shuffles by more than a warp, cospi near a half.
// RUN: %clang_raise rewrite %s -o %t.cpp -- 2> %t.remarks
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.run
// RUN: %t.run
// RUN: sed 's/block.x == 32/block.x == 31/' %t.cpp > %t.executor.cpp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -I%runtime %t.executor.cpp -o %t.executor
// RUN: %t.executor
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>

__global__ void convert(long long *y, float f, double d) {
  y[0] = __float2int_rz(f);
  y[1] = __float2uint_rz(f);
  y[2] = __float2ll_rz(f);
  y[3] = __float2ull_rn(f);
  y[4] = __double2int_rz(d);
  y[5] = __double2uint_rn(d);
  y[6] = __double2ll_rd(d);
  y[7] = __double2ull_rz(d);
}

__global__ void compare(int *y, float f) {
  const __half a = __float2half(f);
  y[0] = __hne(a, a);
  y[1] = a != a;
  y[2] = __hne(a, __float2half(1.0f));
}

__global__ void shuffle(int *y, unsigned d) {
  const int t = threadIdx.x;
  y[t] = __shfl_up_sync(0xffffffffu, t, 33);
  y[32 + t] = __shfl_down_sync(0xffffffffu, t, 40);
  y[64 + t] = __shfl_up_sync(0xffffffffu, t, d);
  y[96 + t] = __shfl_down_sync(0xffffffffu, t, d);
}

__global__ void waves(double *y, double x) { y[0] = cospi(x); }

int main() {
  long long *c, bad = 0;
  int *y;
  double *w;
  cudaMallocManaged(&c, 8 * sizeof *c);
  cudaMallocManaged(&y, 128 * sizeof *y);
  cudaMallocManaged(&w, sizeof *w);
  convert<<<1, 1>>>(c, nanf(""), nan(""));
  cudaDeviceSynchronize();
  const long long least = -9223372036854775807 - 1;
  bad += c[0] != 0 || c[1] != 0 || c[2] != least || c[3] != least ||
         c[4] != -2147483648LL || c[5] != 2147483648LL || c[6] != least ||
         c[7] != least;
  compare<<<1, 1>>>(y, nanf(""));
  cudaDeviceSynchronize();
  bad += y[0] != 0 || y[1] != 1 || y[2] != 0;
  shuffle<<<1, 32>>>(y, 33);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; t++)
    bad += y[t] != (t < 1 ? t : t - 1) || y[32 + t] != (t > 23 ? t : t + 8) ||
           y[64 + t] != y[t] || y[96 + t] != (t > 30 ? t : t + 1);
  waves<<<1, 1>>>(w, 0.49999999999999994);
  cudaDeviceSynchronize();
  bad += std::fabs(*w - 1.7439342485892e-16) > 1e-20;
  if (bad)
    printf("%lld wrong\n", bad);
  return bad != 0;
}
