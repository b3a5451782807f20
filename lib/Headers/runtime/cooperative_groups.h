//===- cooperative_groups.h - thread blocks and tiles of a warp ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// The part of CUDA's cooperative groups that stays inside a block: thread_block and thread_block_tile of up to a warp, with the collectives of
// cooperative_groups/reduce.h and scan.h. Used both by emitted programs, on the reference executor, and by the prelude, where the attributes have their meaning.
// Not here: grids, clusters, multi-device groups, coalesced_threads, and tiles larger than a warp.
#ifndef RAISE_COOPERATIVE_GROUPS_H
#define RAISE_COOPERATIVE_GROUPS_H

#include <cstring>
#include <type_traits>

#ifndef RAISE_CUDA_PRELUDE
#include "raise/simt.h"
#endif

namespace cooperative_groups {

class thread_block {
public:
  __device__ void sync() const { __syncthreads(); }
  __device__ static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static uint3 group_index() { return blockIdx; }
  __device__ static uint3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }
__device__ inline void sync(const thread_block &group) { group.sync(); }

namespace detail {

/// Move(word) of a value of any trivially copyable type, a word of 32 bits at a time; numbers go in one piece.
template <class T, class F> __device__ T exchange(T value, F move) {
  if constexpr (std::is_arithmetic<T>::value) {
    return move(value);
  } else {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "a group moves up to 32 plain bytes");
    unsigned int words[(sizeof(T) + 3) / 4] = {};
    std::memcpy(words, &value, sizeof(T));
    for (unsigned int &word : words)
      word = move(word);
    std::memcpy(&value, words, sizeof(T));
    return value;
  }
}

} // namespace detail

/// Size consecutive threads of a block, Size a power of two up to 32. All of them must exist in each collective.
template <unsigned int Size, class Parent = void> class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
  /// The tile of the caller among those of a parent of ParentSize threads.
  __device__ explicit thread_block_tile(unsigned int ParentSize)
      : Rank(thread_block::thread_rank() % ParentSize / Size), Count((ParentSize + Size - 1) / Size) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other> &other)
      : Rank(other.meta_group_rank()), Count(other.meta_group_size()) {}

  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  __device__ unsigned int meta_group_rank() const { return Rank; }
  __device__ unsigned int meta_group_size() const { return Count; }
  __device__ void sync() const { __syncwarp(mask()); }

  template <class T> __device__ T shfl(T value, int rank) const {
    return detail::exchange(value, [=](auto v) { return __shfl_sync(mask(), v, rank, Size); });
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return detail::exchange(value, [=](auto v) { return __shfl_up_sync(mask(), v, delta, Size); });
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return detail::exchange(value, [=](auto v) { return __shfl_down_sync(mask(), v, delta, Size); });
  }
  template <class T> __device__ T shfl_xor(T value, unsigned int laneMask) const {
    return detail::exchange(value,
                            [=](auto v) { return __shfl_xor_sync(mask(), v, static_cast<int>(laneMask), Size); });
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ unsigned int ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }
  template <class T> __device__ unsigned int match_any(T value) const {
    return __match_any_sync(mask(), value) >> first();
  }
  template <class T> __device__ unsigned int match_all(T value, int &predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> first();
  }

private:
  __device__ static unsigned int first() { return thread_block::thread_rank() % 32 / Size * Size; }
  __device__ static unsigned int mask() { return (0xffffffffu >> (32 - Size)) << first(); }
  unsigned int Rank, Count;
};

template <unsigned int Size>
__device__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block &parent) {
  return thread_block_tile<Size, thread_block>(parent.size());
}
template <unsigned int Size, unsigned int N, class P>
__device__ thread_block_tile<Size, thread_block_tile<N, P>> tiled_partition(const thread_block_tile<N, P> &) {
  static_assert(Size <= N, "a tile is not larger than its parent");
  return thread_block_tile<Size, thread_block_tile<N, P>>(N);
}
template <unsigned int Size, class P> __device__ void sync(const thread_block_tile<Size, P> &group) { group.sync(); }

template <class T = void> struct plus {
  __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T = void> struct less {
  __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
  __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
  __device__ T operator()(const T &a, const T &b) const { return a & b; }
};
template <class T = void> struct bit_or {
  __device__ T operator()(const T &a, const T &b) const { return a | b; }
};
template <class T = void> struct bit_xor {
  __device__ T operator()(const T &a, const T &b) const { return a ^ b; }
};

/// The values of all threads of the tile, combined by a butterfly: every thread gets the same result for a commutative operation.
template <unsigned int Size, class P, class T, class Operation>
__device__ T reduce(const thread_block_tile<Size, P> &group, T value, Operation operation) {
  for (unsigned int distance = Size / 2; distance > 0; distance /= 2)
    value = operation(value, group.shfl_xor(value, distance));
  return value;
}

/// The values of the threads up to and including the caller, in rank order.
template <unsigned int Size, class P, class T, class Operation>
__device__ T inclusive_scan(const thread_block_tile<Size, P> &group, T value, Operation operation) {
  for (unsigned int distance = 1; distance < Size; distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance)
      value = operation(before, value);
  }
  return value;
}
template <unsigned int Size, class P, class T>
__device__ T inclusive_scan(const thread_block_tile<Size, P> &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The values of the threads before the caller; T() for the first.
template <unsigned int Size, class P, class T>
__device__ T exclusive_scan(const thread_block_tile<Size, P> &group, T value) {
  const T before = group.shfl_up(inclusive_scan(group, value), 1);
  return group.thread_rank() == 0 ? T() : before;
}

} // namespace cooperative_groups

#endif // RAISE_COOPERATIVE_GROUPS_H
