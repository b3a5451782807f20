/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TEST_SIMT_MIXED_H
#define TEST_SIMT_MIXED_H
#ifdef __cplusplus
extern "C" {
#endif
/* Includes inside extern "C" are common in C libraries with CUDA parts. */
#include "cuda_runtime.h"

dim3 sizeFor(size_t n);
void twice(float *x, int n);
cudaError_t lastError(void);
#ifdef __cplusplus
}
#endif
#endif
