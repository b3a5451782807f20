//===- cuda.h - what every C++ file made from CUDA includes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// CUDA's runtime API, vector types and math on the host, and the launch of a kernel that has become a function K(dim3 grid, dim3 block, args…).
// A kernel whose body runs on the reference executor needs raise/simt.h, which includes this.
#ifndef RAISE_CUDA_H
#define RAISE_CUDA_H

#include "raise/runtime.h"

#include "raise/device_math.h"

/// What translated code calls. A class and no namespace: beside a class a program may declare its function `int raise(int)`, as <signal.h>
/// does, and `raise::` still finds the class.
struct raise {
  raise() = delete;

  /// Sets the dynamic shared memory (bytes) and the stream of this thread's next launch: K<<<g, b, shm, stream>>>(args) is
  /// `raise::configure(shm, stream), K(g, b, args)`. The stream has no effect, since every operation is done when its call returns.
  static void configure(size_t SharedBytes, cudaStream_t Stream = nullptr) {
    raise_state_.pendingShared = SharedBytes;
    raise_state_.pendingStream = Stream;
  }

  /// Ends the program: a derivative was called for a launch that it was not made for. Rests says what must hold.
  [[noreturn]] static void unfit(const char *Function, const char *Rests) {
    std::fprintf(stderr, "%s: it was made for launches of which this holds: %s\n", Function, Rests);
    std::abort();
  }

  /// True if a launch of this size is one that CUDA accepts (compute capability 9.0).
  static bool isLaunchable(dim3 Grid, dim3 Block) {
    if (Grid.x == 0 || Grid.y == 0 || Grid.z == 0 || Block.x == 0 || Block.y == 0 || Block.z == 0)
      return false;
    if (Grid.x > static_cast<unsigned>(raise_max_grid_x) || Grid.y > raise_max_grid_yz || Grid.z > raise_max_grid_yz)
      return false;
    return Block.x <= raise_max_threads && Block.y <= raise_max_threads && Block.z <= raise_max_block_z &&
           static_cast<unsigned long long>(Block.x) * Block.y * Block.z <= raise_max_threads;
  }

  /// The first statement of every kernel that has become a function. Takes the pending configuration, and returns true if the kernel must run.
  /// Otherwise CUDA's error state is set as by the launch: cudaErrorInvalidConfiguration for a size that is zero or too large,
  /// cudaErrorInvalidValue for too much shared memory, the sticky error after a failed kernel.
  static bool beginLaunch(dim3 Grid, dim3 Block) {
    size_t SharedBytes = raise_state_.pendingShared;
    raise_state_.pendingShared = 0;
    raise_state_.pendingStream = nullptr;
    raise_state_.launchShared = 0;
    if (raise_state_.sticky != cudaSuccess) {
      raise_result(cudaSuccess);
      return false;
    }
    if (!isLaunchable(Grid, Block)) {
      raise_result(cudaErrorInvalidConfiguration);
      return false;
    }
    size_t Limit = raise_state_.largestShared > raise_shared_default ? raise_state_.largestShared
                                                                    : static_cast<size_t>(raise_shared_default);
    if (SharedBytes > Limit) {
      raise_result(cudaErrorInvalidValue);
      return false;
    }
    raise_state_.launchShared = SharedBytes;
    return true;
  }

  /// Dynamic shared memory, in bytes, of the launch that beginLaunch accepted last on this thread.
  static size_t launchSharedBytes() { return raise_state_.launchShared; }
};

#endif // RAISE_CUDA_H
