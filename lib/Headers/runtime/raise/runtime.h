/*===- runtime.h - CUDA's runtime API on the host, for C and C++ -------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * Device memory is host memory, a stream runs each operation at once and in order, an event is a reading of the wall clock. Errors are returned
 * and remembered as CUDA does: cudaGetLastError returns the thread's last error and clears it, a failed kernel is sticky.
 * What is not here is not supported and does not compile. docs/cuda-runtime.md has the list and the differences.
 */
#ifndef RAISE_RUNTIME_H
#define RAISE_RUNTIME_H

#ifndef _GNU_SOURCE
#if !defined(__cplusplus) && !defined(_POSIX_C_SOURCE) && defined(__STRICT_ANSI__)
#define _POSIX_C_SOURCE 200809L
#endif
#endif
#ifdef __cplusplus
extern "C++" {
#endif
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <chrono>
#else
#include <time.h>
#endif

#include "raise/runtime_types.h"

/* ---- errors ---- */

/* Remembers an error and returns it, or the sticky one if there is any. Every function of the API returns through it. */
RAISE_FN cudaError_t raise_result(cudaError_t error) {
  if (raise_state_.sticky != cudaSuccess)
    error = raise_state_.sticky;
  if (error != cudaSuccess)
    raise_state_.last = error;
  return error;
}

RAISE_FN cudaError_t cudaPeekAtLastError(void) { return raise_state_.last; }

RAISE_FN cudaError_t cudaGetLastError(void) {
  cudaError_t error = raise_state_.last;
  raise_state_.last = raise_state_.sticky;
  return error;
}

RAISE_FN const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define RAISE_CASE(Name, Value, Text)                                                                                  \
  case Name:                                                                                                           \
    return #Name;
    RAISE_CUDA_ERRORS(RAISE_CASE)
#undef RAISE_CASE
  }
  return "unrecognized error code";
}

RAISE_FN const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define RAISE_CASE(Name, Value, Text)                                                                                  \
  case Name:                                                                                                           \
    return Text;
    RAISE_CUDA_ERRORS(RAISE_CASE)
#undef RAISE_CASE
  }
  return "unrecognized error code";
}

/* ---- memory ---- */

RAISE_FN cudaError_t raise_allocate(void **pointer, size_t size) {
  if (!pointer)
    return raise_result(cudaErrorInvalidValue);
  *pointer = NULL;
  if (raise_state_.sticky)
    return raise_result(cudaSuccess);
  if (size == 0)
    return cudaSuccess;
  void *memory = NULL;
  if (size > (size_t)PTRDIFF_MAX || posix_memalign(&memory, 256, size) != 0)
    return raise_result(cudaErrorMemoryAllocation);
  *pointer = memory;
  return cudaSuccess;
}
RAISE_FN cudaError_t cudaMalloc(void **pointer, size_t size) { return raise_allocate(pointer, size); }
RAISE_FN cudaError_t cudaMallocHost(void **pointer, size_t size) { return raise_allocate(pointer, size); }
RAISE_FN cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
  (void)flags;
  return raise_allocate(pointer, size);
}
#ifdef __cplusplus
inline cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal)
#else
RAISE_FN cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags)
#endif
{
  if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return raise_result(cudaErrorInvalidValue);
  return raise_allocate(pointer, size);
}
RAISE_FN cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  (void)stream;
  return raise_allocate(pointer, size);
}
/* The pitch is the width rounded up to 512 bytes, as on devices of today. */
RAISE_FN cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch || width > (size_t)PTRDIFF_MAX - 511)
    return raise_result(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  if (height != 0 && *pitch > (size_t)PTRDIFF_MAX / height)
    return raise_result(cudaErrorMemoryAllocation);
  return raise_allocate(pointer, *pitch * height);
}
RAISE_FN cudaError_t cudaFree(void *pointer) {
  if (!raise_state_.sticky)
    free(pointer);
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaFreeHost(void *pointer) { return cudaFree(pointer); }
RAISE_FN cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  (void)stream;
  return cudaFree(pointer);
}

RAISE_FN cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind) {
  if ((int)kind < 0 || (int)kind > 4)
    return raise_result(cudaErrorInvalidMemcpyDirection);
  if (count != 0 && (!to || !from))
    return raise_result(cudaErrorInvalidValue);
  if (count != 0 && !raise_state_.sticky)
    memmove(to, from, count);
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
  if (width > toPitch || width > fromPitch)
    return raise_result(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    cudaError_t error = cudaMemcpy((char *)to + row * toPitch, (const char *)from + row * fromPitch, width, kind);
    if (error != cudaSuccess)
      return error;
  }
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaMemset(void *to, int value, size_t count) {
  if (count != 0 && !to)
    return raise_result(cudaErrorInvalidValue);
  if (count != 0 && !raise_state_.sticky)
    memset(to, value, count);
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  if (width > pitch)
    return raise_result(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    cudaError_t error = cudaMemset((char *)to + row * pitch, value, width);
    if (error != cudaSuccess)
      return error;
  }
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
  (void)flags;
  return raise_result(pointer && size ? cudaSuccess : cudaErrorInvalidValue);
}
RAISE_FN cudaError_t cudaHostUnregister(void *pointer) {
  return raise_result(pointer ? cudaSuccess : cudaErrorInvalidValue);
}
RAISE_FN cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  if (!available || !total)
    return raise_result(cudaErrorInvalidValue);
  *available = *total = (size_t)8 << 30;
  return raise_result(cudaSuccess);
}
#ifdef __cplusplus
inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device, cudaStream_t stream = nullptr)
#else
RAISE_FN cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device, cudaStream_t stream)
#endif
{
  (void)pointer, (void)count, (void)device, (void)stream;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice, int device) {
  (void)pointer, (void)count, (void)advice, (void)device;
  return raise_result(cudaSuccess);
}

/* Whatever a pointer leads to, both sides reach it: all memory is managed. */
RAISE_FN cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  if (!attributes)
    return raise_result(cudaErrorInvalidValue);
  attributes->type = pointer ? cudaMemoryTypeManaged : cudaMemoryTypeUnregistered;
  attributes->device = 0;
  attributes->devicePointer = attributes->hostPointer = (void *)pointer;
  return raise_result(cudaSuccess);
}

/* ---- one device ---- */

RAISE_FN cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return raise_result(cudaErrorInvalidValue);
  *count = 1;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaSetDevice(int device) {
  return raise_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
RAISE_FN cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return raise_result(cudaErrorInvalidValue);
  *device = 0;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  (void)flags;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  if (!prop)
    return raise_result(cudaErrorInvalidValue);
  if (device != 0)
    return raise_result(cudaErrorInvalidDevice);
  memset(prop, 0, sizeof *prop);
  strcpy(prop->name, "reference executor on the host");
  prop->totalGlobalMem = (size_t)8 << 30;
  prop->sharedMemPerBlock = raise_shared_default;
  prop->sharedMemPerBlockOptin = raise_shared_optin;
  prop->sharedMemPerMultiprocessor = raise_shared_optin + 1024;
  prop->memPitch = 2147483647;
  prop->totalConstMem = 65536;
  prop->textureAlignment = 512;
  prop->regsPerBlock = prop->regsPerMultiprocessor = 65536;
  prop->warpSize = 32;
  prop->maxThreadsPerBlock = prop->maxThreadsDim[0] = prop->maxThreadsDim[1] = raise_max_threads;
  prop->maxThreadsDim[2] = raise_max_block_z;
  prop->maxGridSize[0] = raise_max_grid_x;
  prop->maxGridSize[1] = prop->maxGridSize[2] = raise_max_grid_yz;
  prop->clockRate = prop->memoryClockRate = 1000000;
  prop->memoryBusWidth = 64;
  prop->l2CacheSize = 1 << 20;
  prop->major = 9;
  prop->multiProcessorCount = raise_multiprocessors;
  prop->maxThreadsPerMultiProcessor = 2048;
  prop->maxBlocksPerMultiProcessor = 32;
  prop->canMapHostMemory = prop->unifiedAddressing = prop->managedMemory = prop->integrated = 1;
  prop->concurrentManagedAccess = prop->pageableMemoryAccess = 1;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  if (!value)
    return raise_result(cudaErrorInvalidValue);
  if (device != 0)
    return raise_result(cudaErrorInvalidDevice);
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    *value = raise_max_threads;
    break;
  case cudaDevAttrMaxBlockDimZ:
    *value = raise_max_block_z;
    break;
  case cudaDevAttrMaxGridDimX:
    *value = raise_max_grid_x;
    break;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    *value = raise_max_grid_yz;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *value = raise_shared_default;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = raise_shared_optin;
    break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    *value = raise_shared_optin + 1024;
    break;
  case cudaDevAttrTotalConstantMemory:
  case cudaDevAttrMaxRegistersPerBlock:
    *value = 65536;
    break;
  case cudaDevAttrWarpSize:
    *value = 32;
    break;
  case cudaDevAttrClockRate:
    *value = 1000000;
    break;
  case cudaDevAttrMultiProcessorCount:
    *value = raise_multiprocessors;
    break;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *value = 2048;
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *value = 9;
    break;
  case cudaDevAttrManagedMemory:
    *value = 1;
    break;
  case cudaDevAttrComputeCapabilityMinor:
  case cudaDevAttrCooperativeLaunch: /* waiting for other blocks is not supported */
    *value = 0;
    break;
  default:
    return raise_result(cudaErrorInvalidValue);
  }
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDeviceSynchronize(void) { return raise_result(cudaSuccess); }
RAISE_FN cudaError_t cudaThreadSynchronize(void) { return raise_result(cudaSuccess); }
/* Clears a sticky error, as tearing the context down does. Memory stays: its owner may still be another thread. */
RAISE_FN cudaError_t cudaDeviceReset(void) {
  raise_state_.sticky = raise_state_.last = cudaSuccess;
  return cudaSuccess;
}
RAISE_FN cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
RAISE_FN cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  (void)config;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  (void)config;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  (void)limit, (void)value;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return raise_result(cudaErrorInvalidValue);
  *can = 0;
  return raise_result(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
RAISE_FN cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version)
    return raise_result(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }
RAISE_FN cudaError_t cudaProfilerStart(void) { return raise_result(cudaSuccess); }
RAISE_FN cudaError_t cudaProfilerStop(void) { return raise_result(cudaSuccess); }

/* ---- streams: every operation is done when its call returns ---- */

RAISE_FN cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  if (!stream || flags > 1)
    return raise_result(cudaErrorInvalidValue);
  *stream = (cudaStream_t)calloc(1, sizeof **stream);
  if (!*stream)
    return raise_result(cudaErrorMemoryAllocation);
  (*stream)->flags = flags;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, 0); }
RAISE_FN cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  (void)priority;
  return cudaStreamCreateWithFlags(stream, flags);
}
RAISE_FN cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return raise_result(cudaErrorInvalidResourceHandle);
  free(stream);
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

/* ---- events ---- */

RAISE_FN double raise_wall_seconds(void) {
#ifdef __cplusplus
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}
RAISE_FN cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  if (!event || flags > 7)
    return raise_result(cudaErrorInvalidValue);
  *event = (cudaEvent_t)calloc(1, sizeof **event);
  if (!*event)
    return raise_result(cudaErrorMemoryAllocation);
  (*event)->timed = !(flags & cudaEventDisableTiming);
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!event)
    return raise_result(cudaErrorInvalidResourceHandle);
  free(event);
  return raise_result(cudaSuccess);
}
#ifdef __cplusplus
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags = 0) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr)
#else
RAISE_FN cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }
RAISE_FN cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
#endif
{
  (void)stream;
  if (!event)
    return raise_result(cudaErrorInvalidResourceHandle);
  event->seconds = raise_wall_seconds();
  event->recorded = 1;
  return raise_result(cudaSuccess);
}
RAISE_FN cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return raise_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
RAISE_FN cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
RAISE_FN cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds)
    return raise_result(cudaErrorInvalidValue);
  if (!start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed)
    return raise_result(cudaErrorInvalidResourceHandle);
  *milliseconds = (float)(1e3 * (end->seconds - start->seconds));
  return raise_result(cudaSuccess);
}

/* ---- calls whose C++ form has default arguments ---- */

#ifdef __cplusplus
#define RAISE_DEFAULT(Value) = Value
#else
#define RAISE_DEFAULT(Value)
#endif
RAISE_FN cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream RAISE_DEFAULT(nullptr)) {
  (void)stream;
  return cudaMemcpy(to, from, count, kind);
}
RAISE_FN cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream RAISE_DEFAULT(nullptr)) {
  (void)stream;
  return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
RAISE_FN cudaError_t cudaMemsetAsync(void *to, int value, size_t count, cudaStream_t stream RAISE_DEFAULT(nullptr)) {
  (void)stream;
  return cudaMemset(to, value, count);
}
RAISE_FN cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags RAISE_DEFAULT(0)) {
  (void)stream, (void)flags;
  return cudaEventSynchronize(event);
}
typedef void (*cudaHostFn_t)(void *);
RAISE_FN cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  (void)stream;
  if (!function)
    return raise_result(cudaErrorInvalidValue);
  function(data);
  return raise_result(cudaSuccess);
}

#ifdef __cplusplus
#include "raise/runtime_templates.h"
} /* extern "C++" */
#endif

#endif /* RAISE_RUNTIME_H */
