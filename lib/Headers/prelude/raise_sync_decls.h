//===- raise_sync_decls.h - atomics, fences, barriers and warp operations - ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Declarations only; __device__ alone, so that a call from host code is seen to be one of the wrong side.
#ifndef RAISE_SYNC_DECLS_H
#define RAISE_SYNC_DECLS_H

// ---- the block and its memory ----

__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();

// ---- atomic functions, in three scopes ----

#define RAISE_ATOMIC(T, Name, ...)                                                                                     \
  __device__ T Name(__VA_ARGS__);                                                                                      \
  __device__ T Name##_block(__VA_ARGS__);                                                                              \
  __device__ T Name##_system(__VA_ARGS__);
RAISE_ATOMIC(int, atomicAdd, int *address, int value)
RAISE_ATOMIC(unsigned int, atomicAdd, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned long long int, atomicAdd, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(float, atomicAdd, float *address, float value)
RAISE_ATOMIC(double, atomicAdd, double *address, double value)
RAISE_ATOMIC(int, atomicSub, int *address, int value)
RAISE_ATOMIC(unsigned int, atomicSub, unsigned int *address, unsigned int value)
RAISE_ATOMIC(int, atomicMin, int *address, int value)
RAISE_ATOMIC(int, atomicMax, int *address, int value)
RAISE_ATOMIC(int, atomicAnd, int *address, int value)
RAISE_ATOMIC(int, atomicOr, int *address, int value)
RAISE_ATOMIC(int, atomicXor, int *address, int value)
RAISE_ATOMIC(unsigned int, atomicMin, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned int, atomicMax, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned int, atomicAnd, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned int, atomicOr, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned int, atomicXor, unsigned int *address, unsigned int value)
RAISE_ATOMIC(long long int, atomicMin, long long int *address, long long int value)
RAISE_ATOMIC(long long int, atomicMax, long long int *address, long long int value)
RAISE_ATOMIC(long long int, atomicAnd, long long int *address, long long int value)
RAISE_ATOMIC(long long int, atomicOr, long long int *address, long long int value)
RAISE_ATOMIC(long long int, atomicXor, long long int *address, long long int value)
RAISE_ATOMIC(unsigned long long int, atomicMin, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(unsigned long long int, atomicMax, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(unsigned long long int, atomicAnd, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(unsigned long long int, atomicOr, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(unsigned long long int, atomicXor, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(unsigned int, atomicInc, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned int, atomicDec, unsigned int *address, unsigned int value)
RAISE_ATOMIC(int, atomicExch, int *address, int value)
RAISE_ATOMIC(unsigned int, atomicExch, unsigned int *address, unsigned int value)
RAISE_ATOMIC(unsigned long long int, atomicExch, unsigned long long int *address, unsigned long long int value)
RAISE_ATOMIC(float, atomicExch, float *address, float value)
RAISE_ATOMIC(int, atomicCAS, int *address, int compare, int value)
RAISE_ATOMIC(unsigned int, atomicCAS, unsigned int *address, unsigned int compare, unsigned int value)
RAISE_ATOMIC(unsigned long long int, atomicCAS, unsigned long long int *address, unsigned long long int compare, unsigned long long int value)
RAISE_ATOMIC(unsigned short int, atomicCAS, unsigned short int *address, unsigned short int compare, unsigned short int value)
#undef RAISE_ATOMIC

// ---- the warp ----

__device__ void __syncwarp(unsigned mask = 0xffffffffu);
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __shfl_sync(unsigned mask, int value, int lane, int width = 32);
__device__ int __shfl_up_sync(unsigned mask, int value, unsigned delta, int width = 32);
__device__ int __shfl_down_sync(unsigned mask, int value, unsigned delta, int width = 32);
__device__ int __shfl_xor_sync(unsigned mask, int value, int laneMask, int width = 32);
__device__ unsigned int __shfl_sync(unsigned mask, unsigned int value, int lane, int width = 32);
__device__ unsigned int __shfl_up_sync(unsigned mask, unsigned int value, unsigned delta, int width = 32);
__device__ unsigned int __shfl_down_sync(unsigned mask, unsigned int value, unsigned delta, int width = 32);
__device__ unsigned int __shfl_xor_sync(unsigned mask, unsigned int value, int laneMask, int width = 32);
__device__ long __shfl_sync(unsigned mask, long value, int lane, int width = 32);
__device__ long __shfl_up_sync(unsigned mask, long value, unsigned delta, int width = 32);
__device__ long __shfl_down_sync(unsigned mask, long value, unsigned delta, int width = 32);
__device__ long __shfl_xor_sync(unsigned mask, long value, int laneMask, int width = 32);
__device__ unsigned long __shfl_sync(unsigned mask, unsigned long value, int lane, int width = 32);
__device__ unsigned long __shfl_up_sync(unsigned mask, unsigned long value, unsigned delta, int width = 32);
__device__ unsigned long __shfl_down_sync(unsigned mask, unsigned long value, unsigned delta, int width = 32);
__device__ unsigned long __shfl_xor_sync(unsigned mask, unsigned long value, int laneMask, int width = 32);
__device__ long long __shfl_sync(unsigned mask, long long value, int lane, int width = 32);
__device__ long long __shfl_up_sync(unsigned mask, long long value, unsigned delta, int width = 32);
__device__ long long __shfl_down_sync(unsigned mask, long long value, unsigned delta, int width = 32);
__device__ long long __shfl_xor_sync(unsigned mask, long long value, int laneMask, int width = 32);
__device__ unsigned long long __shfl_sync(unsigned mask, unsigned long long value, int lane, int width = 32);
__device__ unsigned long long __shfl_up_sync(unsigned mask, unsigned long long value, unsigned delta, int width = 32);
__device__ unsigned long long __shfl_down_sync(unsigned mask, unsigned long long value, unsigned delta, int width = 32);
__device__ unsigned long long __shfl_xor_sync(unsigned mask, unsigned long long value, int laneMask, int width = 32);
__device__ float __shfl_sync(unsigned mask, float value, int lane, int width = 32);
__device__ float __shfl_up_sync(unsigned mask, float value, unsigned delta, int width = 32);
__device__ float __shfl_down_sync(unsigned mask, float value, unsigned delta, int width = 32);
__device__ float __shfl_xor_sync(unsigned mask, float value, int laneMask, int width = 32);
__device__ double __shfl_sync(unsigned mask, double value, int lane, int width = 32);
__device__ double __shfl_up_sync(unsigned mask, double value, unsigned delta, int width = 32);
__device__ double __shfl_down_sync(unsigned mask, double value, unsigned delta, int width = 32);
__device__ double __shfl_xor_sync(unsigned mask, double value, int laneMask, int width = 32);
__device__ unsigned __match_any_sync(unsigned mask, int value);
__device__ unsigned __match_all_sync(unsigned mask, int value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, unsigned int value);
__device__ unsigned __match_all_sync(unsigned mask, unsigned int value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, long value);
__device__ unsigned __match_all_sync(unsigned mask, long value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, unsigned long value);
__device__ unsigned __match_all_sync(unsigned mask, unsigned long value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, long long value);
__device__ unsigned __match_all_sync(unsigned mask, long long value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, unsigned long long value);
__device__ unsigned __match_all_sync(unsigned mask, unsigned long long value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, float value);
__device__ unsigned __match_all_sync(unsigned mask, float value, int *predicate);
__device__ unsigned __match_any_sync(unsigned mask, double value);
__device__ unsigned __match_all_sync(unsigned mask, double value, int *predicate);
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value);
__device__ int __reduce_add_sync(unsigned mask, int value);
__device__ unsigned __reduce_min_sync(unsigned mask, unsigned value);
__device__ int __reduce_min_sync(unsigned mask, int value);
__device__ unsigned __reduce_max_sync(unsigned mask, unsigned value);
__device__ int __reduce_max_sync(unsigned mask, int value);
__device__ unsigned __reduce_and_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_or_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_xor_sync(unsigned mask, unsigned value);
__device__ void __nanosleep(unsigned);
[[noreturn]] __device__ void __trap();

#endif // RAISE_SYNC_DECLS_H
