// What a CUDA file may not hold is refused with its place, and nothing is written;
// without it (unless NAME is defined) the file is translated and builds.
//
// RUN: %clang_raise rewrite %s -o %t.good.cpp -- -I%S/Inputs 2> %t.err
// RUN: %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -I%runtime -I%S/Inputs -fsyntax-only %t.good.cpp
// RUN: rm -f %t.cpp
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_INCLUDE 2>&1 | FileCheck %s --check-prefix=INCLUDE
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_MACRO 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_LAUNCH 2>&1 | FileCheck %s --check-prefix=LAUNCH
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_SHARED 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_DEFAULT 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_FACILITY 2>&1 | FileCheck %s --check-prefix=FACILITY
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_WARP 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.cpp -- -I%S/Inputs -DBAD_FORM 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: test ! -e %t.cpp

#include "scale.cuh"
#ifdef BAD_INCLUDE
__global__ void split(float *x) {
#include "split.inc"
// INCLUDE: refused.cu:[[#@LINE-2]]:1: error: what is to be translated begins in one file and ends in another; {{.*}} [CR1502]
// INCLUDE: refused.cu: error: the file cannot be translated; nothing is written for it
#endif

#ifdef BAD_FORM
template <typename T> __global__ void clear(T *x) { x[threadIdx.x] = 0; }
template <> __global__ void clear<int>(int *x) { x[threadIdx.x] = 1; }
// FORM-DAG: refused.cu:[[#@LINE-1]]:29: error: an explicit specialization of a kernel is not translated; {{.*}} [CR1502]
template __global__ void clear<float>(float *x);
// FORM-DAG: error: an explicit instantiation of a kernel is not translated; {{.*}} [CR1502]
namespace inner {
__global__ void later(int *x);
}
__global__ void inner::later(int *x) { x[threadIdx.x] = 1; }
// FORM-DAG: refused.cu:[[#@LINE-1]]:24: error: a kernel that is defined outside of its namespace or class is not translated; {{.*}} [CR1502]
#ifdef __cplusplus
extern "C"
#endif
__global__ void plain(int *x) { x[threadIdx.x] = 1; }
// FORM-DAG: refused.cu:[[#@LINE-1]]:17: error: a kernel whose declaration has preprocessor directives in it {{.*}} [CR1502]
#if __has_include("scale.cuh")
#endif
// FORM-DAG: refused.cu:[[#@LINE-2]]:19: error: what __has_include finds here may not be found {{.*}} [CR1502]
#endif

__global__ void without() {}
#define CONFIG <<<1, 32>>>
#define HALF(kernel) kernel<<<1, 32>>>
#define GIVEN(kernel, args) kernel<<<1, 32>>>(args)
void launches(float *x) {
#ifdef BAD_MACRO
  scale CONFIG (x, 2.0f);
// MACRO: refused.cu:[[#@LINE-1]]:3: error: a part of the launch stands in the body of a macro, {{.*}} [CR1503]
  HALF(scale)(x, 2.0f);
// MACRO: refused.cu:[[#@LINE-1]]:3: error: a part of the launch stands in the body of a macro, {{.*}} [CR1503]
  GIVEN(without, );
// MACRO: refused.cu:[[#@LINE-1]]:3: error: the arguments of the launch come from a macro's parameter, which is empty here; {{.*}} [CR1503]
#else
  scale<<<1, 32>>>(x, 2.0f);
#endif
}

#ifdef BAD_LAUNCH
__global__ void nested(float *x) { scale<<<1, 32>>>(x, 2.0f); }
// LAUNCH: refused.cu:[[#@LINE-1]]:36: error: a kernel that launches kernels (dynamic parallelism) is not supported [CR1504]
#else
void nested(float *x) { scale<<<1, 32>>>(x, 2.0f); }
#endif

#ifdef BAD_SHARED
extern __shared__ float buffer[];
// SHARED: refused.cu:[[#@LINE-1]]:25: error: 'buffer' is shared memory declared outside of a function; {{.*}} [CR1505]
#endif
__global__ void shares(float *x) {
#ifndef BAD_SHARED
  extern __shared__ float buffer[];
#endif
  buffer[threadIdx.x] = x[threadIdx.x];
}

#ifdef BAD_DEFAULT
#define BY_TWO float a = 2.0f
__global__ void fill(float *x, BY_TWO) { x[threadIdx.x] = a; }
// DEFAULT: refused.cu:[[#@LINE-1]]:32: error: this default argument is not followed; {{.*}} [CR1506]
#else
__global__ void fill(float *x, float a) { x[threadIdx.x] = a; }
#endif

#ifdef BAD_WARP
__global__ void shift(float *x) {
  x[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);
}
// WARP: refused.cu:[[#@LINE-2]]:20: error: '__shfl_down' has no counterpart in the host runtime; write '__shfl_down_sync', which names the threads that take part [CR1507]
#else
__global__ void shift(float *x) { x[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1); }
#endif

#ifdef BAD_FACILITY
__global__ void sample(cudaTextureObject_t t, float *x) {
  x[threadIdx.x] = tex2D<float>(t, 0.5f, 0.5f);
}
// FACILITY: refused.cu:[[#@LINE-2]]:20: error: 'tex2D' has no counterpart in the host runtime [CR1507]
#else
__global__ void sample(const float *t, float *x) { x[threadIdx.x] = t[0]; }
#endif
