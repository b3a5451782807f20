/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cublas_v2.h"
#include "cuda_runtime.h"
#include "curand.h"

#include "mixed.h"

#include <stdio.h>

#define CHECK(Condition)                                                                                               \
  if (!(Condition)) {                                                                                                  \
    printf("%s:%d: %s\n", __FILE__, __LINE__, #Condition);                                                             \
    return 1;                                                                                                          \
  }

int main(void) {
  float host[8], *device;
  curandGenerator_t generator;
  cublasHandle_t handle;
  CHECK(cudaMalloc((void **)&device, sizeof host) == cudaSuccess);
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator, device, 8) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  for (int i = 0; i < 8; ++i)
    host[i] = device[i];

  dim3 grid = sizeFor(8);
  CHECK(grid.x == 2 && grid.y == 1 && grid.z == 1);
  twice(device, 8);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  for (int i = 0; i < 8; ++i)
    CHECK(device[i] == 2 * host[i]);

  const float half = 0.5f;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSscal(handle, 8, &half, device, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < 8; ++i)
    CHECK(device[i] == host[i]);

  /* An error in a C++ file is seen here, and the other way round. */
  twice(device, 0);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(lastError() == cudaSuccess);
  CHECK(cudaSetDevice(5) == cudaErrorInvalidDevice);
  CHECK(lastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  return cudaFree(device) != cudaSuccess;
}
