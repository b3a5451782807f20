// CUDA's value functions have the meaning that they have on the executor, in raised
// kernels too.
//
// RUN: %clang_raise rewrite %s -o %t.cpp --verify -- -O2 2> %t.err
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: grep -v CHECK %t.cpp > %t.bare && FileCheck %s < %t.bare
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -c %t.cpp -o %t.gcc.o
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -c %t.cpp -o %t.clang.o

// REMARK: kernel raised to a map: {{.*}}; verification passed
// REMARK: kernel raised to a map: {{.*}}; verification passed
// REMARK: kernel raised to a map: {{.*}}; verification passed
// REMARK: kernel raised to a map: {{.*}}; verification passed
// REMARK: kernel raised to a map: {{.*}}; verification passed
// CHECK: static void single_range(
// CHECK: y[i] = 1.0f / sqrtf(fabsf(x[i]) + 1.0f) + expf(-x[i]) + powf(2.0f, x[i]) +
// CHECK-NEXT: x[i] / 3.0f;
__global__ void single(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = rsqrtf(fabsf(x[i]) + 1.0f) + __expf(-x[i]) + __powf(2.0f, x[i]) + __fdividef(x[i], 3.0f);
}
// CHECK: static void twice_range(
// CHECK: y[i] = 1.0 / sqrt(fabs(x[i]) + 1) + 1.0 / cbrt(x[i] * x[i] + 1) + x[i] / 3;
__global__ void twice(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = rsqrt(fabs(x[i]) + 1) + rcbrt(x[i] * x[i] + 1) + fdivide(x[i], 3);
}
// CHECK: static void rounded_range(
// CHECK: y[i] = 1.0f / x[i] + sqrtf(x[i]) + x[i] / 3.0f + k[i];
__global__ void rounded(float *y, const float *x, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __frcp_rn(x[i]) + __fsqrt_rn(x[i]) + __fdiv_rn(x[i], 3.0f) + __int2float_rn(k[i]);
}
// Of 0, __clz is 32, and the compiler's function has no value.
// CHECK: static void bits_range(
// CHECK: unsigned [[BITS:.*]] = k[i] & 255;
// CHECK: __builtin_popcount(x[i]) + 100 * __builtin_popcountll(y[i])
// CHECK: __builtin_ffs(k[i])
// CHECK: ([[BITS]] == 0 ? 32 : __builtin_clz([[BITS]]))
// CHECK: __builtin_ffsll(
__global__ void bits(int *out, const unsigned *x, const unsigned long long *y, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __popc(x[i]) + 100 * __popcll(y[i]) + 10000 * __ffs(k[i]) + 1000000 * __clz(k[i] & 255) + __clzll(y[i]) +
             __ffsll(y[i]);
}
// CHECK: y[i] = __byte_perm(x[i],
__global__ void bytes(unsigned *y, const unsigned *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __byte_perm(x[i], 0, 0x0123);
}
