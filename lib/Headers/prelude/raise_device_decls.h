//===- raise_device_decls.h - what device code can call, declared ----------- ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Declarations only. Whatever is here has a definition in the runtime headers (raise/device_math.h, simt_atomics.h, simt_warp.h), except what
// raise_unsupported_decls.h marks. The mathematical functions of C come from the host's own headers.
#ifndef RAISE_DEVICE_DECLS_H
#define RAISE_DEVICE_DECLS_H

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// ---- functions of both sides ----

__host__ __device__ float fdividef(float x, float y);
__host__ __device__ double fdivide(double x, double y);
__host__ __device__ float rsqrtf(float x);
__host__ __device__ double rsqrt(double x);
__host__ __device__ float rsqrt(float x);
__host__ __device__ float rcbrtf(float x);
__host__ __device__ double rcbrt(double x);
__host__ __device__ double sinpi(double x);
__host__ __device__ double cospi(double x);
__host__ __device__ float sinpif(float x);
__host__ __device__ float cospif(float x);
__host__ __device__ void sincospi(double x, double *s, double *c);
__host__ __device__ void sincospif(float x, float *s, float *c);
__host__ __device__ double normcdf(double x);
__host__ __device__ float normcdff(float x);
__host__ __device__ double rhypot(double x, double y);
__host__ __device__ float rhypotf(float x, float y);
__host__ __device__ double norm3d(double x, double y, double z);
__host__ __device__ double norm4d(double x, double y, double z, double w);
__host__ __device__ float norm3df(float x, float y, float z);
__host__ __device__ float norm4df(float x, float y, float z, float w);
__host__ __device__ double rnorm3d(double x, double y, double z);
__host__ __device__ double rnorm4d(double x, double y, double z, double w);
__host__ __device__ float rnorm3df(float x, float y, float z);
__host__ __device__ float rnorm4df(float x, float y, float z, float w);
__host__ __device__ unsigned int umin(unsigned int a, unsigned int b);
__host__ __device__ unsigned int umax(unsigned int a, unsigned int b);
__host__ __device__ long long int llmin(long long int a, long long int b);
__host__ __device__ long long int llmax(long long int a, long long int b);
__host__ __device__ unsigned long long int ullmin(unsigned long long int a, unsigned long long int b);
__host__ __device__ unsigned long long int ullmax(unsigned long long int a, unsigned long long int b);

// One for each side, so that a program may still define its own for the host.
#define RAISE_BOTH(Declaration)                                                                                        \
  __host__ Declaration;                                                                                                \
  __device__ Declaration;
RAISE_BOTH(int min(int a, int b))
RAISE_BOTH(int max(int a, int b))
RAISE_BOTH(unsigned int min(unsigned int a, unsigned int b))
RAISE_BOTH(unsigned int max(unsigned int a, unsigned int b))
RAISE_BOTH(unsigned int min(int a, unsigned int b))
RAISE_BOTH(unsigned int max(int a, unsigned int b))
RAISE_BOTH(unsigned int min(unsigned int a, int b))
RAISE_BOTH(unsigned int max(unsigned int a, int b))
RAISE_BOTH(long int min(long int a, long int b))
RAISE_BOTH(long int max(long int a, long int b))
RAISE_BOTH(unsigned long int min(unsigned long int a, unsigned long int b))
RAISE_BOTH(unsigned long int max(unsigned long int a, unsigned long int b))
RAISE_BOTH(unsigned long int min(long int a, unsigned long int b))
RAISE_BOTH(unsigned long int max(long int a, unsigned long int b))
RAISE_BOTH(unsigned long int min(unsigned long int a, long int b))
RAISE_BOTH(unsigned long int max(unsigned long int a, long int b))
RAISE_BOTH(long long int min(long long int a, long long int b))
RAISE_BOTH(long long int max(long long int a, long long int b))
RAISE_BOTH(unsigned long long int min(unsigned long long int a, unsigned long long int b))
RAISE_BOTH(unsigned long long int max(unsigned long long int a, unsigned long long int b))
RAISE_BOTH(unsigned long long int min(long long int a, unsigned long long int b))
RAISE_BOTH(unsigned long long int max(long long int a, unsigned long long int b))
RAISE_BOTH(unsigned long long int min(unsigned long long int a, long long int b))
RAISE_BOTH(unsigned long long int max(unsigned long long int a, long long int b))
RAISE_BOTH(float min(float a, float b))
RAISE_BOTH(float max(float a, float b))
RAISE_BOTH(double min(double a, double b))
RAISE_BOTH(double max(double a, double b))
RAISE_BOTH(double min(float a, double b))
RAISE_BOTH(double max(float a, double b))
RAISE_BOTH(double min(double a, float b))
RAISE_BOTH(double max(double a, float b))
#undef RAISE_BOTH

// ---- device functions ----

__device__ float __fdividef(float x, float y);
__device__ float __saturatef(float x);
__device__ float __frsqrt_rn(float x);
__device__ float __fadd_rn(float x, float y);
__device__ float __fadd_rz(float x, float y);
__device__ float __fadd_ru(float x, float y);
__device__ float __fadd_rd(float x, float y);
__device__ float __fsub_rn(float x, float y);
__device__ float __fsub_rz(float x, float y);
__device__ float __fsub_ru(float x, float y);
__device__ float __fsub_rd(float x, float y);
__device__ float __fmul_rn(float x, float y);
__device__ float __fmul_rz(float x, float y);
__device__ float __fmul_ru(float x, float y);
__device__ float __fmul_rd(float x, float y);
__device__ float __fdiv_rn(float x, float y);
__device__ float __fdiv_rz(float x, float y);
__device__ float __fdiv_ru(float x, float y);
__device__ float __fdiv_rd(float x, float y);
__device__ double __dadd_rn(double x, double y);
__device__ double __dadd_rz(double x, double y);
__device__ double __dadd_ru(double x, double y);
__device__ double __dadd_rd(double x, double y);
__device__ double __dsub_rn(double x, double y);
__device__ double __dsub_rz(double x, double y);
__device__ double __dsub_ru(double x, double y);
__device__ double __dsub_rd(double x, double y);
__device__ double __dmul_rn(double x, double y);
__device__ double __dmul_rz(double x, double y);
__device__ double __dmul_ru(double x, double y);
__device__ double __dmul_rd(double x, double y);
__device__ double __ddiv_rn(double x, double y);
__device__ double __ddiv_rz(double x, double y);
__device__ double __ddiv_ru(double x, double y);
__device__ double __ddiv_rd(double x, double y);
__device__ float __frcp_rn(float x);
__device__ float __frcp_rz(float x);
__device__ float __frcp_ru(float x);
__device__ float __frcp_rd(float x);
__device__ float __fsqrt_rn(float x);
__device__ float __fsqrt_rz(float x);
__device__ float __fsqrt_ru(float x);
__device__ float __fsqrt_rd(float x);
__device__ double __drcp_rn(double x);
__device__ double __drcp_rz(double x);
__device__ double __drcp_ru(double x);
__device__ double __drcp_rd(double x);
__device__ double __dsqrt_rn(double x);
__device__ double __dsqrt_rz(double x);
__device__ double __dsqrt_ru(double x);
__device__ double __dsqrt_rd(double x);
__device__ float __fmaf_rn(float x, float y, float z);
__device__ double __fma_rn(double x, double y, double z);
__device__ int __float2int_rn(float x);
__device__ int __float2int_rz(float x);
__device__ int __float2int_ru(float x);
__device__ int __float2int_rd(float x);
__device__ unsigned int __float2uint_rn(float x);
__device__ unsigned int __float2uint_rz(float x);
__device__ unsigned int __float2uint_ru(float x);
__device__ unsigned int __float2uint_rd(float x);
__device__ long long int __float2ll_rn(float x);
__device__ long long int __float2ll_rz(float x);
__device__ long long int __float2ll_ru(float x);
__device__ long long int __float2ll_rd(float x);
__device__ unsigned long long int __float2ull_rn(float x);
__device__ unsigned long long int __float2ull_rz(float x);
__device__ unsigned long long int __float2ull_ru(float x);
__device__ unsigned long long int __float2ull_rd(float x);
__device__ int __double2int_rn(double x);
__device__ int __double2int_rz(double x);
__device__ int __double2int_ru(double x);
__device__ int __double2int_rd(double x);
__device__ unsigned int __double2uint_rn(double x);
__device__ unsigned int __double2uint_rz(double x);
__device__ unsigned int __double2uint_ru(double x);
__device__ unsigned int __double2uint_rd(double x);
__device__ long long int __double2ll_rn(double x);
__device__ long long int __double2ll_rz(double x);
__device__ long long int __double2ll_ru(double x);
__device__ long long int __double2ll_rd(double x);
__device__ unsigned long long int __double2ull_rn(double x);
__device__ unsigned long long int __double2ull_rz(double x);
__device__ unsigned long long int __double2ull_ru(double x);
__device__ unsigned long long int __double2ull_rd(double x);
__device__ float __int2float_rn(int x);
__device__ float __int2float_rz(int x);
__device__ float __int2float_ru(int x);
__device__ float __int2float_rd(int x);
__device__ float __uint2float_rn(unsigned int x);
__device__ float __uint2float_rz(unsigned int x);
__device__ float __uint2float_ru(unsigned int x);
__device__ float __uint2float_rd(unsigned int x);
__device__ float __ll2float_rn(long long int x);
__device__ float __ll2float_rz(long long int x);
__device__ float __ll2float_ru(long long int x);
__device__ float __ll2float_rd(long long int x);
__device__ float __ull2float_rn(unsigned long long int x);
__device__ float __ull2float_rz(unsigned long long int x);
__device__ float __ull2float_ru(unsigned long long int x);
__device__ float __ull2float_rd(unsigned long long int x);
__device__ double __ll2double_rn(long long int x);
__device__ double __ll2double_rz(long long int x);
__device__ double __ll2double_ru(long long int x);
__device__ double __ll2double_rd(long long int x);
__device__ double __ull2double_rn(unsigned long long int x);
__device__ double __ull2double_rz(unsigned long long int x);
__device__ double __ull2double_ru(unsigned long long int x);
__device__ double __ull2double_rd(unsigned long long int x);
__device__ float __double2float_rn(double x);
__device__ float __double2float_rz(double x);
__device__ float __double2float_ru(double x);
__device__ float __double2float_rd(double x);
__device__ double __int2double_rn(int x);
__device__ double __uint2double_rn(unsigned int x);
__device__ int __float_as_int(float x);
__device__ unsigned int __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned int x);
__device__ long long int __double_as_longlong(double x);
__device__ double __longlong_as_double(long long int x);
__device__ int __double2hiint(double x);
__device__ int __double2loint(double x);
__device__ double __hiloint2double(int high, int low);
__device__ int __mulhi(int x, int y);
__device__ unsigned int __umulhi(unsigned int x, unsigned int y);
__device__ unsigned long long int __umul64hi(unsigned long long int x, unsigned long long int y);
__device__ long long int __mul64hi(long long int x, long long int y);
__device__ unsigned int __umul24(unsigned int x, unsigned int y);
__device__ int __mul24(int x, int y);
__device__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);
__device__ unsigned int __sad(int x, int y, unsigned int z);
__device__ int __hadd(int x, int y);
__device__ int __rhadd(int x, int y);
__device__ unsigned int __uhadd(unsigned int x, unsigned int y);
__device__ unsigned int __urhadd(unsigned int x, unsigned int y);
__device__ int __clz(int x);
__device__ int __clzll(long long int x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long int x);
__device__ int __popc(unsigned int x);
__device__ int __popcll(unsigned long long int x);
__device__ unsigned int __brev(unsigned int x);
__device__ unsigned long long int __brevll(unsigned long long int x);
__device__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector);
__device__ unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift);
__device__ long long int clock64();
__host__ __device__ float __exp10f(float x);

// ---- loads and stores with a cache hint ----

template <class T> struct RaiseSameAs {
  using Type = T;
};
template <class T> __device__ T __ldg(const T *address);
template <class T> __device__ T __ldca(const T *address);
template <class T> __device__ T __ldcg(const T *address);
template <class T> __device__ T __ldcs(const T *address);
template <class T> __device__ T __ldlu(const T *address);
template <class T> __device__ void __stwb(T *address, typename RaiseSameAs<T>::Type value);
template <class T> __device__ void __stcg(T *address, typename RaiseSameAs<T>::Type value);
template <class T> __device__ void __stcs(T *address, typename RaiseSameAs<T>::Type value);
template <class T> __device__ void __stwt(T *address, typename RaiseSameAs<T>::Type value);

#endif // RAISE_DEVICE_DECLS_H
