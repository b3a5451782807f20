// RUN: %everywhere %s %t
// RUN: not --crash %t divergent 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: not --crash %t deadlock 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not --crash %t mask 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not --crash %t nested 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not --crash %t overflow
// RUN: env RAISE_SIMT_ON_ERROR=return %t mask 2>&1 | FileCheck %s --check-prefix=MASK
//
// What a broken kernel does: a report with its place, and an abort or CUDA's sticky error.
#include <raise/simt.h>

#include "Check.h"

#include <cstring>
#include <stdexcept>
#include <string>

// DIVERGENT: raise/simt: divergent barrier in kernel 'divergent', block (1,0,0): thread (0,0,0) waits at {{.*}}errors.cpp:[[#]], thread (32,0,0) waits at {{.*}}errors.cpp:[[#]]
static void divergent_thread(int *out) {
  if (blockIdx.x == 0)
    return;
  out[0] = 1;
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  out[1] = 1;
}
KERNEL(divergent, (dim3 grid, dim3 block, int *out), (out))

// DEADLOCK: raise/simt: deadlock in kernel 'deadlock', block (0,0,0): no thread can go on: thread (0,0,0) waits at {{.*}} (warp operation, mask 0xffffffff), thread (5,0,0) waits at
static void deadlock_thread(int *out) {
  if (threadIdx.x < 5)
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  __syncthreads();
}
KERNEL(deadlock, (dim3 grid, dim3 block, int *out), (out))

// MASK: raise/simt: the mask of a warp operation does not name the lane that calls it, in kernel 'mask', block (0,0,0), thread (1,0,0) at {{.*}}errors.cpp:[[#]]
static void mask_thread(int *out) { out[threadIdx.x] = __ballot_sync(1u, 1); }
KERNEL(mask, (dim3 grid, dim3 block, int *out), (out))

static void inner_thread(int *out) { *out = 1; }
KERNEL(inner, (dim3 grid, dim3 block, int *out), (out))
// NESTED: raise/simt: a kernel is launched inside a kernel, in kernel 'nested'
static void nested_thread(int *out) { inner(1, 1, out); }
KERNEL(nested, (dim3 grid, dim3 block, int *out), (out))

static void trap_thread(int n) {
  if ((int)threadIdx.x == n)
    __trap();
}
KERNEL(trap, (dim3 grid, dim3 block, int n), (n))

static void width_thread(int *out) { *out = __shfl_xor_sync(1u, 1, 1, 12); }
KERNEL(width, (dim3 grid, dim3 block, int *out), (out))

static void throws_thread(int *out, int n) {
  out[threadIdx.x]++;
  __syncthreads();
  if ((int)threadIdx.x == n)
    throw std::runtime_error("from thread " + std::to_string(n));
  __syncthreads();
  out[threadIdx.x]++;
}
KERNEL(throws, (dim3 grid, dim3 block, int *out, int n), (out, n))

static int deep(int n) {
  volatile char frame[4096];
  frame[n % 4096] = (char)n;
  return n == 0 ? 0 : deep(n - 1) + frame[n % 4096];
}
static void overflow_thread(int *out) { *out = deep(1000000); }
KERNEL(overflow, (dim3 grid, dim3 block, int *out), (out))

static void fine_thread(int *out) {
  __syncthreads();
  out[threadIdx.x] = 7;
}
KERNEL(fine, (dim3 grid, dim3 block, int *out), (out))

// After a failure every call returns the sticky error, launches do nothing, and a reset gives a device that works.
template <class F> static void checkSticky(F Launch) {
  int out[64] = {}, value = 3;
  void *memory = nullptr;
  Launch(out);
  CHECK(cudaPeekAtLastError() == cudaErrorLaunchFailure && cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure && cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaMalloc(&memory, 4) == cudaErrorLaunchFailure && !memory);
  CHECK(cudaMemcpy(&value, out, 4, cudaMemcpyDefault) == cudaErrorLaunchFailure && value == 3);
  fine(1, 64, out);
  CHECK(out[63] != 7);
  CHECK(cudaDeviceReset() == cudaSuccess);
  fine(1, 64, out);
  CHECK(out[0] == 7 && out[63] == 7 && cudaGetLastError() == cudaSuccess);
}

int main(int argc, char **argv) {
  int out[64] = {};
  if (argc > 1) {
    std::string What = argv[1];
    if (What == "divergent")
      divergent(2, 64, out);
    else if (What == "deadlock")
      deadlock(1, 32, out);
    else if (What == "mask")
      mask(1, 2, out);
    else if (What == "nested")
      nested(1, 1, out);
    else if (What == "overflow")
      overflow(1, 1, out);
    return cudaGetLastError() != cudaErrorLaunchFailure;
  }
  raise_simt::setOnError(raise_simt::OnError::Return);
  checkSticky([](int *o) { divergent(3, 64, o); });
  checkSticky([](int *o) { deadlock(1, 32, o); });
  checkSticky([](int *o) { mask(1, 32, o); });
  checkSticky([](int *o) { nested(1, 40, o); });
  checkSticky([](int *) { trap(1, 64, 50); });
  checkSticky([](int *o) { width(1, 1, o); });

  for (int n : {0, 33, 63}) {
    std::string message;
    std::memset(out, 0, sizeof out);
    try {
      throws(2, 64, out, n);
    } catch (const std::runtime_error &E) {
      message = E.what();
    }
    CHECK(message == "from thread " + std::to_string(n));
    for (int o : out)
      CHECK(o == 1);
    fine(1, 64, out);
    CHECK(out[0] == 7 && out[63] == 7 && cudaGetLastError() == cudaSuccess);
  }
  return Failures != 0;
}
