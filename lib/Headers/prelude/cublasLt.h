//===- cublasLt.h - handles, and names that are refused ----------- ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_PRELUDE_CUBLASLT_H
#define RAISE_PRELUDE_CUBLASLT_H

#include "cublas_v2.h"

typedef struct cublasContext *cublasLtHandle_t;
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);

typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
  unsigned long long data[8];
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36
};
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                                          cudaDataType_t scale);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                                                cublasLtMatmulDescAttributes_t attribute,
                                                                const void *value, size_t size);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType_t type,
                                                            unsigned long long rows, unsigned long long columns,
                                                            long long leading);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                                      cublasLtMatmulPreferenceAttributes_t attribute,
                                                                      const void *value, size_t size);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
    cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D, cublasLtMatmulPreference_t preference, int requested,
    cublasLtMatmulHeuristicResult_t *results, int *returned);
RAISE_UNSUPPORTED cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                                                const void *A, cublasLtMatrixLayout_t layoutA, const void *B,
                                                cublasLtMatrixLayout_t layoutB, const void *beta, const void *C,
                                                cublasLtMatrixLayout_t layoutC, void *D, cublasLtMatrixLayout_t layoutD,
                                                const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspaceSize,
                                                cudaStream_t stream);

#endif // RAISE_PRELUDE_CUBLASLT_H
