//===- helper_cuda.h - the checks that CUDA's samples share --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_FORWARD_HELPER_CUDA_H
#define RAISE_FORWARD_HELPER_CUDA_H

#include <cstdio>
#include <cstdlib>

#ifndef RAISE_CUDA_PRELUDE
#include "raise/runtime.h"
#endif

template <class T> void check(T result, const char *call, const char *file, int line) {
  if (!result)
    return;
  std::fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\"\n", file, line, static_cast<int>(result), call);
  std::exit(EXIT_FAILURE);
}
inline void __getLastCudaError(const char *message, const char *file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s(%d): %s: (%d) %s\n", file, line, message, static_cast<int>(error), cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
inline int findCudaDevice(int, const char **) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }

#define checkCudaErrors(Call) check((Call), #Call, __FILE__, __LINE__)
#define getLastCudaError(Message) __getLastCudaError(Message, __FILE__, __LINE__)

#endif // RAISE_FORWARD_HELPER_CUDA_H
