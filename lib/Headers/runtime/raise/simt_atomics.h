//===- simt_atomics.h - CUDA's atomic functions and fences --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// The overloads are exactly CUDA's (Programming Guide, "Atomic Functions"), so that a call converts its arguments as it did there. They are atomic between
// host threads too, and each is a switch point inside a kernel.
#ifndef RAISE_SIMT_ATOMICS_H
#define RAISE_SIMT_ATOMICS_H

#include "raise/simt_block.h"

namespace raise_simt {
namespace detail {

/// Replaces *Address by Update(*Address) in one step and returns the old value.
template <class T, class F> T atomicUpdate(T *Address, F Update) {
  switchPoint();
  T Old, New;
  __atomic_load(Address, &Old, __ATOMIC_SEQ_CST);
  do
    New = Update(Old);
  while (!__atomic_compare_exchange(Address, &Old, &New, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return Old;
}

template <class T> T atomicSwap(T *Address, T Value) {
  switchPoint();
  T Old;
  __atomic_exchange(Address, &Value, &Old, __ATOMIC_SEQ_CST);
  return Old;
}

template <class T> T atomicCompareSwap(T *Address, T Compare, T Value) {
  switchPoint();
  __atomic_compare_exchange(Address, &Compare, &Value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return Compare; // the value that was found
}

} // namespace detail
} // namespace raise_simt

// Each function in its three scopes; a narrower scope is only a promise of the caller.
#define RAISE_ATOMIC(Name, T, Parameters, Value)                                                                       \
  inline T Name Parameters { return Value; }                                                                           \
  inline T Name##_block Parameters { return Value; }                                                                   \
  inline T Name##_system Parameters { return Value; }
#define RAISE_ATOMIC_UPDATE(Name, T, New)                                                                              \
  RAISE_ATOMIC(Name, T, (T * address, T value),                                                                        \
               ::raise_simt::detail::atomicUpdate(address, [=](T old) -> T { return New; }))

RAISE_ATOMIC_UPDATE(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
RAISE_ATOMIC_UPDATE(atomicAdd, unsigned int, old + value)
RAISE_ATOMIC_UPDATE(atomicAdd, unsigned long long int, old + value)
RAISE_ATOMIC_UPDATE(atomicAdd, float, old + value)
RAISE_ATOMIC_UPDATE(atomicAdd, double, old + value)
RAISE_ATOMIC_UPDATE(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
RAISE_ATOMIC_UPDATE(atomicSub, unsigned int, old - value)

#define RAISE_ATOMIC_INTEGERS(X) X(int) X(unsigned int) X(long long int) X(unsigned long long int)
#define RAISE_ATOMIC_LATTICE(T)                                                                                        \
  RAISE_ATOMIC_UPDATE(atomicMin, T, value < old ? value : old)                                                         \
  RAISE_ATOMIC_UPDATE(atomicMax, T, value > old ? value : old)                                                         \
  RAISE_ATOMIC_UPDATE(atomicAnd, T, old &value)                                                                        \
  RAISE_ATOMIC_UPDATE(atomicOr, T, old | value)                                                                        \
  RAISE_ATOMIC_UPDATE(atomicXor, T, old ^ value)
RAISE_ATOMIC_INTEGERS(RAISE_ATOMIC_LATTICE)
#undef RAISE_ATOMIC_LATTICE
#undef RAISE_ATOMIC_INTEGERS

RAISE_ATOMIC_UPDATE(atomicInc, unsigned int, old >= value ? 0u : old + 1)
RAISE_ATOMIC_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)

#define RAISE_ATOMIC_SWAP(T)                                                                                           \
  RAISE_ATOMIC(atomicExch, T, (T * address, T value), ::raise_simt::detail::atomicSwap(address, value))
RAISE_ATOMIC_SWAP(int)
RAISE_ATOMIC_SWAP(unsigned int)
RAISE_ATOMIC_SWAP(unsigned long long int)
RAISE_ATOMIC_SWAP(float)
#undef RAISE_ATOMIC_SWAP

#define RAISE_ATOMIC_COMPARE(T)                                                                                        \
  RAISE_ATOMIC(atomicCAS, T, (T * address, T compare, T value),                                                        \
               ::raise_simt::detail::atomicCompareSwap(address, compare, value))
RAISE_ATOMIC_COMPARE(int)
RAISE_ATOMIC_COMPARE(unsigned int)
RAISE_ATOMIC_COMPARE(unsigned long long int)
RAISE_ATOMIC_COMPARE(unsigned short int)
#undef RAISE_ATOMIC_COMPARE
#undef RAISE_ATOMIC_UPDATE
#undef RAISE_ATOMIC

inline void __threadfence() {
  ::raise_simt::detail::switchPoint();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

#endif // RAISE_SIMT_ATOMICS_H
