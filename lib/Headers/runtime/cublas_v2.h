/*===- cublas_v2.h - the common part of cuBLAS as plain loops, for C and C++ --===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * Matrices are column-major, as in cuBLAS. Scalars may be anywhere: there is one memory, so the pointer mode has no effect. Sums are
 * accumulated in the order of the inner index. With OpenMP the matrix products share their columns among threads.
 */
#ifndef RAISE_FORWARD_CUBLAS_V2_H
#define RAISE_FORWARD_CUBLAS_V2_H

#include "raise/cublas_types.h"
#include "raise/runtime.h"

#ifdef __cplusplus
extern "C++" {
/* CUDA's header includes these, and programs rely on it. */
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#include <math.h>

struct cublasContext {
  cublasPointerMode_t pointerMode;
  cublasMath_t mathMode;
};

RAISE_FN cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = (cublasHandle_t)calloc(1, sizeof **handle);
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
RAISE_FN cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}
RAISE_FN cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  (void)stream;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
RAISE_FN cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->mathMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
RAISE_FN cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointerMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
RAISE_FN cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
  if (!handle || !mode)
    return handle ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->pointerMode;
  return CUBLAS_STATUS_SUCCESS;
}
RAISE_FN const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "the library was not initialized";
  case CUBLAS_STATUS_ALLOC_FAILED:
    return "the resource allocation failed";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "an invalid value was used as an argument";
  default:
    return "cuBLAS error";
  }
}

/* Where element i of a BLAS vector of n elements lies: a negative increment runs through it backwards. */
RAISE_FN ptrdiff_t raise_blas_at(int i, int n, int increment) {
  return (increment >= 0 ? (ptrdiff_t)i : (ptrdiff_t)i - (n - 1)) * increment;
}

#define RAISE_REAL float
#define RAISE_BLAS(Name) cublasS##Name
#define RAISE_BLAS_I(Name) cublasIs##Name
#define RAISE_SQRT sqrtf
#define RAISE_FABS fabsf
#include "raise/cublas_loops.inc"
#undef RAISE_REAL
#undef RAISE_BLAS
#undef RAISE_BLAS_I
#undef RAISE_SQRT
#undef RAISE_FABS

#define RAISE_REAL double
#define RAISE_BLAS(Name) cublasD##Name
#define RAISE_BLAS_I(Name) cublasId##Name
#define RAISE_SQRT sqrt
#define RAISE_FABS fabs
#include "raise/cublas_loops.inc"
#undef RAISE_REAL
#undef RAISE_BLAS
#undef RAISE_BLAS_I
#undef RAISE_SQRT
#undef RAISE_FABS

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif /* RAISE_FORWARD_CUBLAS_V2_H */
