//===- cuda_fp16.h - stands in for CUDA's header of this name ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_PRELUDE_CUDA_FP16_H
#define RAISE_PRELUDE_CUDA_FP16_H

#include "../runtime/cuda_fp16.h"

RAISE_UNSUPPORTED __device__ __half atomicAdd(__half *address, __half value);
RAISE_UNSUPPORTED __device__ __half2 atomicAdd(__half2 *address, __half2 value);
RAISE_UNSUPPORTED __host__ __device__ __half __hfma(__half a, __half b, __half c);
RAISE_UNSUPPORTED __host__ __device__ __half2 __hfma2(__half2 a, __half2 b, __half2 c);

#endif // RAISE_PRELUDE_CUDA_FP16_H
