//===- raise_cuda_prelude.h - CUDA for Clang without a toolkit -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Included before everything else (-include) when a CUDA source is parsed for the host alone:
//   -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang -fcuda-allow-variadic-functions
//   -foffload-implicit-host-device-templates -Wno-register -isystem <prelude> -include <prelude>/raise_cuda_prelude.h
// Declarations only; the forwarding headers beside it stand in for CUDA's own.
#ifndef RAISE_CUDA_PRELUDE
#define RAISE_CUDA_PRELUDE

#define __CUDACC__ 1
#define __NVCC__ 1

// __noinline__ is a keyword of Clang in CUDA and must not be a macro: libstdc++ uses the word.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(N) __attribute__((aligned(N)))
#define __builtin_align__(N) __attribute__((aligned(N)))
#define __grid_constant__
#define __device_builtin__
#define CUDARTAPI
#define CUDART_CB

// The functions of C can be called on both sides, as CUDA has them.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
// Declares posix_memalign again, and is what <immintrin.h> includes.
#include <mm_malloc.h>
#endif
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// Those of C++ outside of it: their overloads are host functions or templates. Again under their C names, for the using-declarations.
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <new>
#include <stdlib.h>
#include <utility>

#define RAISE_FN __host__ __device__ inline
#include "../runtime/raise/runtime_types.h"

#include "raise_runtime_decls.h"

#include "raise_device_decls.h"
#include "raise_sync_decls.h"

#include "raise_unsupported_decls.h"

#endif // RAISE_CUDA_PRELUDE
