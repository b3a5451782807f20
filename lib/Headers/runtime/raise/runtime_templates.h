//===- runtime_templates.h - the typed C++ forms of CUDA's runtime API -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Included by raise/runtime.h in C++: allocation into typed pointers, symbols (variables that were __device__ or __constant__ and are
// plain variables here), functions by name, occupancy.
#ifndef RAISE_RUNTIME_TEMPLATES_H
#define RAISE_RUNTIME_TEMPLATES_H

// Through a void * of its own, since writing a T * as a void * is not allowed by the language.
#define RAISE_TYPED_ALLOCATION(Call)                                                                                   \
  if (!pointer)                                                                                                        \
    return raise_result(cudaErrorInvalidValue);                                                                        \
  void *memory = nullptr;                                                                                              \
  cudaError_t error = Call;                                                                                            \
  *pointer = static_cast<T *>(memory);                                                                                 \
  return error;

template <class T> cudaError_t cudaMalloc(T **pointer, size_t size) {
  RAISE_TYPED_ALLOCATION(cudaMalloc(&memory, size))
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int = 0) {
  RAISE_TYPED_ALLOCATION(cudaMallocHost(&memory, size))
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
  RAISE_TYPED_ALLOCATION(cudaHostAlloc(&memory, size, flags))
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  RAISE_TYPED_ALLOCATION(cudaMallocManaged(&memory, size, flags))
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
  RAISE_TYPED_ALLOCATION(cudaMallocAsync(&memory, size, stream))
}
template <class T> cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  RAISE_TYPED_ALLOCATION(cudaMallocPitch(&memory, pitch, width, height))
}
#undef RAISE_TYPED_ALLOCATION

template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int) {
  if (!device || !host)
    return raise_result(cudaErrorInvalidValue);
  *device = static_cast<T *>(host);
  return raise_result(cudaSuccess);
}

// A symbol is the variable itself. A range that leaves it is an error, as in CUDA.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (offset > sizeof(T) || count > sizeof(T) - offset)
    return raise_result(cudaErrorInvalidValue);
  char *object = const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol));
  return cudaMemcpy(object + offset, from, count, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (offset > sizeof(T) || count > sizeof(T) - offset)
    return raise_result(cudaErrorInvalidValue);
  const char *object = const_cast<const char *>(reinterpret_cast<const volatile char *>(&symbol));
  return cudaMemcpy(to, object + offset, count, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(symbol, from, count, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(to, symbol, count, offset, kind);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  if (!pointer)
    return raise_result(cudaErrorInvalidValue);
  *pointer = const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol));
  return raise_result(cudaSuccess);
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
  if (!size)
    return raise_result(cudaErrorInvalidValue);
  *size = sizeof(T);
  return raise_result(cudaSuccess);
}

// CUDA keeps the limit of dynamic shared memory for each kernel. Here the largest that was set counts for all: a launch cannot tell which kernel it is.
template <class F> cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > raise_shared_optin)
      return raise_result(cudaErrorInvalidValue);
    if (static_cast<size_t>(value) > raise_state_.largestShared)
      raise_state_.largestShared = static_cast<size_t>(value);
  }
  return raise_result(cudaSuccess);
}
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) { return raise_result(cudaSuccess); }
template <class F> cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) {
  return raise_result(cudaSuccess);
}

template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int blockSize, size_t) {
  if (!blocks || blockSize <= 0 || blockSize > raise_max_threads)
    return raise_result(cudaErrorInvalidValue);
  int fit = 2048 / blockSize;
  *blocks = fit < 32 ? fit : 32;
  return raise_result(cudaSuccess);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, F *, size_t = 0, int limit = 0) {
  if (!gridSize || !blockSize || limit < 0)
    return raise_result(cudaErrorInvalidValue);
  *blockSize = limit > 0 && limit < raise_max_threads ? limit : raise_max_threads;
  int fit = 2048 / *blockSize;
  *gridSize = raise_multiprocessors * (fit < 32 ? fit : 32);
  return raise_result(cudaSuccess);
}

#endif // RAISE_RUNTIME_TEMPLATES_H
