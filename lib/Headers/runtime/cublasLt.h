//===- cublasLt.h - handles of the lightweight matrix library ---- ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Programs that share a header often create a handle and never multiply with it; that much is here. The products are not.
#ifndef RAISE_CUBLASLT_H
#define RAISE_CUBLASLT_H

#include "cublas_v2.h"

typedef struct cublasContext *cublasLtHandle_t;

#ifndef RAISE_CUDA_PRELUDE
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) { return cublasCreate(handle); }
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return cublasDestroy(handle); }
#endif

#endif // RAISE_CUBLASLT_H
