/*===- runtime_types.h - types, constants and state of CUDA's runtime API ----===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * For C11 and C++17. Numeric values are CUDA's where programs can see them. The one piece of state (last error, sticky error, pending launch
 * configuration) is a weak thread-local variable with C linkage, so C and C++ files of a program share one per thread, as CUDA has it.
 */
#ifndef RAISE_RUNTIME_TYPES_H
#define RAISE_RUNTIME_TYPES_H

#include <stddef.h>

#include "vector_types.h"

#ifndef RAISE_CUDA_PRELUDE /* the prelude that CUDA is parsed with gives these words their meaning, and needs no state */
/* CUDA's attributes have no meaning on the host. __shared__ is left out on purpose: a shared variable must be spelled
   with RAISE_SHARED (raise/simt.h), and one that was forgotten must not compile. __noinline__ is left out since libstdc++ uses the word. */
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(N) __attribute__((aligned(N)))
#define __builtin_align__(N) __attribute__((aligned(N)))
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDART_VERSION 12000

#if defined(__cplusplus) && defined(__clang__)
/* dim3 has constructors in C++ and is passed to and from C functions all the same: it is trivially copyable, so both sides agree. */
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif

/* X(name, value, text) for every error that these headers can return, and the others that programs name. */
#define RAISE_CUDA_ERRORS(X)                                                                                           \
  X(cudaSuccess, 0, "no error")                                                                                        \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                                      \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                                     \
  X(cudaErrorInitializationError, 3, "initialization error")                                                           \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                                                               \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                                \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                          \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                               \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                           \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                                       \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                                          \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                          \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")                   \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                                   \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                                     \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                                      \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                             \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                                \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")                  \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                                    \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                            \
  X(cudaErrorNotReady, 600, "device not ready")                                                                        \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                          \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                     \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                            \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                          \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                            \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                                              \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")          \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")                \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                                             \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                         \
  X(cudaErrorNotSupported, 801, "operation not supported")                                                             \
  X(cudaErrorUnknown, 999, "unknown error")

typedef enum cudaError {
#define RAISE_ENUMERATOR(Name, Value, Text) Name = Value,
  RAISE_CUDA_ERRORS(RAISE_ENUMERATOR)
#undef RAISE_ENUMERATOR
} cudaError_t;

typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
} cudaMemoryType;
typedef struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
} cudaPointerAttributes;

typedef struct raise_stream *cudaStream_t;
typedef struct raise_event *cudaEvent_t;
struct raise_stream {
  unsigned flags;
};
struct raise_event {
  double seconds; /* of the wall clock at the last record */
  int recorded, timed;
};
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2,
       cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8, cudaDeviceLmemResizeToMax = 16 };
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

typedef enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
} cudaFuncCache;
typedef enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;
typedef enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;
typedef enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2
} cudaLimit;
typedef enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;
typedef enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
} cudaDeviceAttr;

typedef struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment, sharedMemPerMultiprocessor,
      sharedMemPerBlockOptin;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor,
      deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode,
      concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing,
      memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, regsPerMultiprocessor, managedMemory,
      maxBlocksPerMultiProcessor, cooperativeLaunch, concurrentManagedAccess, pageableMemoryAccess;
} cudaDeviceProp;

#ifndef RAISE_CUDA_PRELUDE
/* What the host side remembers for each thread. All zero is the initial state. */
struct raise_state {
  cudaError_t last;         /* what cudaGetLastError returns and clears */
  cudaError_t sticky;       /* a kernel failed: returned by every call from then on */
  size_t pendingShared;     /* dynamic shared bytes that raise::configure set for the next launch */
  size_t launchShared;      /* those of the launch that beginLaunch accepted last */
  size_t largestShared;     /* the largest limit that cudaFuncSetAttribute raised */
  cudaStream_t pendingStream;
};

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) __thread struct raise_state raise_state_;
#ifdef __cplusplus
}
#endif
#endif

/* The limits of the device that the reference executor plays, those of compute capability 9.0. They are constants: what a program
   computes from them must not depend on the machine. */
enum {
  raise_max_threads = 1024,
  raise_max_block_z = 64,
  raise_max_grid_x = 2147483647,
  raise_max_grid_yz = 65535,
  raise_shared_default = 49152,
  raise_shared_optin = 232448,
  raise_multiprocessors = 16
};

#endif /* RAISE_RUNTIME_TYPES_H */
