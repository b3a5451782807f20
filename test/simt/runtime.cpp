// RUN: %everywhere %s %t
// The host runtime: memory, symbols, launches that CUDA refuses, events, streams, device queries.
#include <cuda_runtime.h>
#include <raise/cuda.h>

#include "Check.h"

#include <chrono>
#include <cstring>
#include <string>
#include <thread>

static int Runs = 0;
static size_t Shared = 0;
static void kernel(dim3 grid, dim3 block) {
  if (!raise::beginLaunch(grid, block))
    return;
  ++Runs;
  Shared = raise::launchSharedBytes();
}

static bool refused(dim3 grid, dim3 block, cudaError_t error, size_t shared = 0) {
  int before = Runs;
  raise::configure(shared), kernel(grid, block);
  bool peeked = cudaPeekAtLastError() == error;
  return Runs == before && peeked && cudaGetLastError() == error && cudaGetLastError() == cudaSuccess;
}

static void checkLaunches() {
  kernel(1, 1024);
  kernel(dim3(2147483647, 65535, 65535), dim3(16, 1, 64));
  CHECK(Runs == 2 && Shared == 0 && cudaGetLastError() == cudaSuccess);
  for (dim3 bad : {dim3(0), dim3(1, 0), dim3(1, 1, 0)}) {
    CHECK(refused(bad, 32, cudaErrorInvalidConfiguration));
    CHECK(refused(1, bad, cudaErrorInvalidConfiguration));
  }
  CHECK(refused(1, 1025, cudaErrorInvalidConfiguration));
  CHECK(refused(1, dim3(1, 1, 65), cudaErrorInvalidConfiguration));
  CHECK(refused(1, dim3(64, 64), cudaErrorInvalidConfiguration));
  CHECK(refused(1, dim3(1u << 16, 1u << 16), cudaErrorInvalidConfiguration));
  CHECK(refused(dim3(1, 65536), 1, cudaErrorInvalidConfiguration));
  CHECK(refused(-1, 1, cudaErrorInvalidConfiguration));
  CHECK(refused(1, 1, cudaErrorInvalidValue, 49153));
  // A configuration holds for one launch, even for one that is refused.
  raise::configure(100, nullptr), kernel(1, 1);
  CHECK(Shared == 100);
  kernel(1, 1);
  CHECK(Shared == 0);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) == cudaSuccess);
  raise::configure(100000), kernel(1, 1);
  CHECK(Shared == 100000);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

static float Table[4];
static float *Pointer;

static void checkMemory() {
  float *p = nullptr, host[6] = {1, 2, 3, 4, 5, 6}, back[6] = {};
  CHECK(cudaMalloc(&p, sizeof host) == cudaSuccess && reinterpret_cast<uintptr_t>(p) % 256 == 0);
  CHECK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(back, p, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::memcmp(host, back, sizeof host) == 0);
  CHECK(cudaMemset(p, 0xff, 4) == cudaSuccess && p[0] != p[0] && p[1] == 2);
  CHECK(cudaMemcpy(back, p, 4, (cudaMemcpyKind)7) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(nullptr, p, 4, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  // Two rows of two floats out of rows of three.
  CHECK(cudaMemcpy2D(back, 8, host, 12, 8, 2, cudaMemcpyDefault) == cudaSuccess);
  CHECK(back[0] == 1 && back[1] == 2 && back[2] == 4 && back[3] == 5);
  CHECK(cudaMemcpy2D(back, 4, host, 12, 8, 2, cudaMemcpyDefault) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(back, 12, 0, 4, 2) == cudaSuccess && back[0] == 0 && back[1] == 2 && back[3] == 0 && back[4] == 5);
  CHECK(cudaFree(p) == cudaSuccess && cudaFree(nullptr) == cudaSuccess);
  void *none = &p;
  CHECK(cudaMalloc(&none, 0) == cudaSuccess && !none);
  CHECK(cudaMalloc(&none, ~size_t(0) / 2 + 1) == cudaErrorMemoryAllocation && !none);
  size_t pitch = 0;
  char *rows = nullptr;
  CHECK(cudaMallocPitch(&rows, &pitch, 100, 3) == cudaSuccess && pitch == 512);
  CHECK(cudaFree(rows) == cudaSuccess);
  int *managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 4) == cudaSuccess && cudaFree(managed) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);

  const float values[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(Table, values, sizeof values) == cudaSuccess && Table[3] == 4);
  CHECK(cudaMemcpyToSymbol(Table, values, 8, 8) == cudaSuccess && Table[2] == 1 && Table[3] == 2);
  CHECK(cudaMemcpyToSymbol(Table, values, 8, 12) == cudaErrorInvalidValue && Table[3] == 2);
  CHECK(cudaMemcpyFromSymbol(back, Table, 4, 12) == cudaSuccess && back[0] == 2);
  float *table = Table;
  CHECK(cudaMemcpyToSymbol(Pointer, &table, sizeof table) == cudaSuccess && Pointer == Table);
  void *address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, Table) == cudaSuccess && address == Table);
  CHECK(cudaGetSymbolSize(&size, Table) == cudaSuccess && size == sizeof Table);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

static void checkEvents() {
  cudaEvent_t start = nullptr, stop = nullptr, untimed = nullptr;
  cudaStream_t stream = nullptr;
  float ms = -1;
  CHECK(cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess);
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(cudaEventRecord(stop) == cudaSuccess && cudaEventSynchronize(stop) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && ms >= 20 && ms < 20000);
  CHECK(cudaEventRecord(untimed) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(stream, start) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(stop) == cudaSuccess);
  CHECK(cudaEventDestroy(untimed) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

static void checkDevice() {
  int count = 0, device = -1, value = 0;
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
  CHECK(cudaSetDevice(0) == cudaSuccess && cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDevice(&device) == cudaSuccess && device == 0);
  CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess && prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess && value == 32);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) == "invalid configuration argument");
  CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
  CHECK(std::string(cudaGetErrorName((cudaError_t)1000)) == "unrecognized error code");
  // Each host thread has its own last error.
  cudaSetDevice(3);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaGetLastError(); }).join();
  CHECK(other == cudaSuccess && cudaGetLastError() == cudaErrorInvalidDevice);
}

int main() {
  checkLaunches();
  checkMemory();
  checkEvents();
  checkDevice();
  CHECK(sizeof(dim3) == 12 && sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16);
  CHECK(alignof(uchar4) == 4 && alignof(short2) == 4 && sizeof(longlong3) == 24 && alignof(int2) == 8);
  dim3 d;
  CHECK(d.x == 1 && d.y == 1 && d.z == 1 && make_float4(1, 2, 3, 4).w == 4);
  return Failures != 0;
}
