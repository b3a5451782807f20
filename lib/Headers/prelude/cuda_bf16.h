//===- cuda_bf16.h - stands in for CUDA's header of this name ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_PRELUDE_CUDA_BF16_H
#define RAISE_PRELUDE_CUDA_BF16_H

#include "../runtime/cuda_bf16.h"

RAISE_UNSUPPORTED __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value);
RAISE_UNSUPPORTED __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value);
RAISE_UNSUPPORTED __host__ __device__ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c);
RAISE_UNSUPPORTED __host__ __device__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c);

#endif // RAISE_PRELUDE_CUDA_BF16_H
