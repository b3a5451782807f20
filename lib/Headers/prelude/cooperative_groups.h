//===- cooperative_groups.h - stands in for CUDA's header of this name ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Tiles and blocks come from the runtime header. Groups that reach beyond a block, or depend on which threads happen to run together, are declared so
// that the rest of a file can be read, and marked.
#ifndef RAISE_PRELUDE_COOPERATIVE_GROUPS_H
#define RAISE_PRELUDE_COOPERATIVE_GROUPS_H

#include "../runtime/cooperative_groups.h"

namespace cooperative_groups {

class grid_group {
public:
  RAISE_UNSUPPORTED __device__ void sync() const;
  RAISE_UNSUPPORTED __device__ bool is_valid() const;
  RAISE_UNSUPPORTED __device__ static unsigned long long thread_rank();
  RAISE_UNSUPPORTED __device__ static unsigned long long size();
  RAISE_UNSUPPORTED __device__ static unsigned long long num_threads();
};
class coalesced_group {
public:
  RAISE_UNSUPPORTED __device__ void sync() const;
  RAISE_UNSUPPORTED __device__ unsigned int thread_rank() const;
  RAISE_UNSUPPORTED __device__ unsigned int size() const;
  RAISE_UNSUPPORTED __device__ unsigned int num_threads() const;
  template <class T> RAISE_UNSUPPORTED __device__ T shfl(T value, int rank) const;
};
class thread_group {
public:
  RAISE_UNSUPPORTED __device__ void sync() const;
  RAISE_UNSUPPORTED __device__ unsigned int thread_rank() const;
  RAISE_UNSUPPORTED __device__ unsigned int size() const;
};
RAISE_UNSUPPORTED __device__ grid_group this_grid();
RAISE_UNSUPPORTED __device__ coalesced_group coalesced_threads();
RAISE_UNSUPPORTED __device__ thread_group tiled_partition(const thread_block &group, unsigned int size);
RAISE_UNSUPPORTED __device__ void sync(const grid_group &group);

} // namespace cooperative_groups

#endif // RAISE_PRELUDE_COOPERATIVE_GROUPS_H
