//===- raise_unsupported_decls.h - names that parse, and are then refused ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Parts of CUDA that have no counterpart in the runtime headers. They are declared so that the rest of a file can be read, and each carries the
// annotation "raise.unsupported", so that its use is refused at its place.
#ifndef RAISE_UNSUPPORTED_DECLS_H
#define RAISE_UNSUPPORTED_DECLS_H

#define RAISE_UNSUPPORTED __attribute__((annotate("raise.unsupported")))

// ---- textures and surfaces ----

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <class T, int Dimensions = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct RAISE_UNSUPPORTED texture : textureReference {};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int normalizedCoords;
};
template <class T> RAISE_UNSUPPORTED cudaChannelFormatDesc cudaCreateChannelDesc();
RAISE_UNSUPPORTED cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);
RAISE_UNSUPPORTED cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width,
                                              size_t height = 0, unsigned flags = 0);
RAISE_UNSUPPORTED cudaError_t cudaFreeArray(cudaArray_t array);
RAISE_UNSUPPORTED cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                                                cudaMemcpyKind kind);
RAISE_UNSUPPORTED cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                  size_t width, size_t height, cudaMemcpyKind kind);
RAISE_UNSUPPORTED cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                                      const cudaTextureDesc *desc, const void *view);
RAISE_UNSUPPORTED cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
template <class Texture>
RAISE_UNSUPPORTED cudaError_t cudaBindTexture(size_t *offset, const Texture &t, const void *pointer,
                                              size_t size = 0xffffffffu);
template <class Texture>
RAISE_UNSUPPORTED cudaError_t cudaBindTexture(size_t *offset, const Texture &t, const void *pointer,
                                              const cudaChannelFormatDesc &desc, size_t size = 0xffffffffu);
template <class Texture> RAISE_UNSUPPORTED cudaError_t cudaBindTextureToArray(const Texture &t, cudaArray_const_t array);
template <class Texture>
RAISE_UNSUPPORTED cudaError_t cudaBindTextureToArray(const Texture &t, cudaArray_const_t array,
                                                     const cudaChannelFormatDesc &desc);
template <class Texture> RAISE_UNSUPPORTED cudaError_t cudaUnbindTexture(const Texture &t);
template <class T, cudaTextureReadMode Mode>
RAISE_UNSUPPORTED __device__ T tex1Dfetch(texture<T, 1, Mode> t, int x);
template <class T, int D, cudaTextureReadMode Mode> RAISE_UNSUPPORTED __device__ T tex1D(texture<T, D, Mode> t, float x);
template <class T, int D, cudaTextureReadMode Mode>
RAISE_UNSUPPORTED __device__ T tex2D(texture<T, D, Mode> t, float x, float y);
template <class T, int D, cudaTextureReadMode Mode>
RAISE_UNSUPPORTED __device__ T tex3D(texture<T, D, Mode> t, float x, float y, float z);
template <class T> RAISE_UNSUPPORTED __device__ T tex1Dfetch(cudaTextureObject_t t, int x);
template <class T> RAISE_UNSUPPORTED __device__ T tex1D(cudaTextureObject_t t, float x);
template <class T> RAISE_UNSUPPORTED __device__ T tex2D(cudaTextureObject_t t, float x, float y);
template <class T> RAISE_UNSUPPORTED __device__ T tex3D(cudaTextureObject_t t, float x, float y, float z);

// ---- three-dimensional copies ----

struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
RAISE_UNSUPPORTED cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);
RAISE_UNSUPPORTED cudaPos make_cudaPos(size_t x, size_t y, size_t z);
RAISE_UNSUPPORTED cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t x, size_t y);
RAISE_UNSUPPORTED cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent);
RAISE_UNSUPPORTED cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                                cudaExtent extent, unsigned flags = 0);
RAISE_UNSUPPORTED cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p);

// ---- launches and memory that this runtime does not have ----

RAISE_UNSUPPORTED cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                               size_t shared = 0, cudaStream_t stream = nullptr);
template <class F>
RAISE_UNSUPPORTED cudaError_t cudaLaunchKernel(F *function, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                               cudaStream_t stream = nullptr);
template <class F>
RAISE_UNSUPPORTED cudaError_t cudaLaunchCooperativeKernel(F *function, dim3 grid, dim3 block, void **args,
                                                          size_t shared = 0, cudaStream_t stream = nullptr);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
RAISE_UNSUPPORTED cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                                    unsigned flags);
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
};
template <class F> RAISE_UNSUPPORTED cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *function);
RAISE_UNSUPPORTED cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned flags);
RAISE_UNSUPPORTED cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t count);
typedef struct cudaGraph *cudaGraph_t;
typedef struct cudaGraphExec *cudaGraphExec_t;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
RAISE_UNSUPPORTED cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
RAISE_UNSUPPORTED cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
RAISE_UNSUPPORTED cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);

// ---- device functions of older or newer devices ----

// The forms without a mask rely on lockstep.
template <class T> RAISE_UNSUPPORTED __device__ T __shfl(T value, int lane, int width = 32);
template <class T> RAISE_UNSUPPORTED __device__ T __shfl_up(T value, unsigned delta, int width = 32);
template <class T> RAISE_UNSUPPORTED __device__ T __shfl_down(T value, unsigned delta, int width = 32);
template <class T> RAISE_UNSUPPORTED __device__ T __shfl_xor(T value, int laneMask, int width = 32);
RAISE_UNSUPPORTED __device__ unsigned __ballot(int predicate);
RAISE_UNSUPPORTED __device__ int __any(int predicate);
RAISE_UNSUPPORTED __device__ int __all(int predicate);
RAISE_UNSUPPORTED __device__ unsigned __isGlobal(const void *pointer);
RAISE_UNSUPPORTED __device__ unsigned __isShared(const void *pointer);
RAISE_UNSUPPORTED __device__ size_t __cvta_generic_to_shared(const void *pointer);
RAISE_UNSUPPORTED __device__ int __dp4a(int a, int b, int c);
RAISE_UNSUPPORTED __device__ unsigned __dp4a(unsigned a, unsigned b, unsigned c);
RAISE_UNSUPPORTED __device__ float __fmaf_rz(float x, float y, float z);
RAISE_UNSUPPORTED __device__ float __fmaf_ru(float x, float y, float z);
RAISE_UNSUPPORTED __device__ float __fmaf_rd(float x, float y, float z);
RAISE_UNSUPPORTED __device__ double __fma_rz(double x, double y, double z);
RAISE_UNSUPPORTED __device__ double __fma_ru(double x, double y, double z);
RAISE_UNSUPPORTED __device__ double __fma_rd(double x, double y, double z);
RAISE_UNSUPPORTED __host__ __device__ float erfinvf(float x);
RAISE_UNSUPPORTED __host__ __device__ double erfinv(double x);
RAISE_UNSUPPORTED __host__ __device__ float erfcxf(float x);
RAISE_UNSUPPORTED __host__ __device__ double erfcx(double x);
RAISE_UNSUPPORTED __host__ __device__ float normcdfinvf(float x);
RAISE_UNSUPPORTED __host__ __device__ double normcdfinv(double x);

#endif // RAISE_UNSUPPORTED_DECLS_H
