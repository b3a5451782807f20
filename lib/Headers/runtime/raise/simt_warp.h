//===- simt_warp.h - barriers and warp operations -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// CUDA's functions of these names (Programming Guide, "Synchronization", "Warp Vote", "Warp Match", "Warp Reduce" and "Warp Shuffle Functions").
// Each knows where it was called from through default arguments, for diagnostics and to tell barriers apart.
#ifndef RAISE_SIMT_WARP_H
#define RAISE_SIMT_WARP_H

#include "raise/simt_block.h"

#define RAISE_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define RAISE_HERE (::raise_simt::detail::Site{file, line})

namespace raise_simt {
namespace detail {

/// Operands and results travel in the low bytes of a 64-bit word.
template <class T> uint64_t toBits(T Value) {
  static_assert(sizeof(T) <= sizeof(uint64_t), "a warp operation moves at most eight bytes");
  uint64_t Bits = 0;
  std::memcpy(&Bits, &Value, sizeof(T));
  return Bits;
}
template <class T> T fromBits(uint64_t Bits) {
  T Value;
  std::memcpy(&Value, &Bits, sizeof(T));
  return Value;
}

template <class F> void forMembers(const Group &G, F Body) {
  for (unsigned L = 0; L < 32; ++L)
    if (G.Members >> L & 1)
      Body(L, G.Lanes[L]);
}

template <size_t Bytes> void combineShuffle(const Group &G) {
  forMembers(G, [&](unsigned, Thread &T) {
    if (T.Source == 32)
      T.Out = T.In;
    else
      T.Out = G.Members >> T.Source & 1 ? G.Lanes[T.Source].In : ~uint64_t(0);
  });
}

enum class Shuffle { Index, Up, Down, Xor };

/// The lane that a shuffle reads, or 32 for the caller's own value.
inline unsigned shuffleSource(Shuffle Kind, unsigned Lane, unsigned Operand, unsigned Width) {
  const unsigned Start = Lane & ~(Width - 1), Last = Start + Width - 1;
  switch (Kind) {
  case Shuffle::Index:
    return Start | (Operand & (Width - 1));
  case Shuffle::Up:
    Operand &= 31; // all that the hardware looks at
    return Operand > Lane - Start ? 32 : Lane - Operand;
  case Shuffle::Down:
    Operand &= 31;
    return Operand > Last - Lane ? 32 : Lane + Operand;
  case Shuffle::Xor:
    return (Lane ^ Operand) > Last ? 32 : Lane ^ Operand;
  }
  return 32;
}

template <class T> T shuffle(Shuffle Kind, unsigned Mask, T Value, unsigned Operand, int Width, Site Where) {
  Executor &E = inKernel("a shuffle");
  if (Width < 1 || Width > 32 || (Width & (Width - 1))) {
    E.setPlace(Where);
    E.failHere("the width of a shuffle is not a power of two up to 32");
  }
  const unsigned Source = shuffleSource(Kind, E.lane(), Operand, static_cast<unsigned>(Width));
  return fromBits<T>(E.warpOperation(Mask, &combineShuffle<sizeof(T)>, toBits(Value), Source, Where));
}

inline void combineNothing(const Group &) {}

inline void combineBallot(const Group &G) {
  unsigned Votes = 0;
  forMembers(G, [&](unsigned L, Thread &T) { Votes |= static_cast<unsigned>(T.In) << L; });
  forMembers(G, [&](unsigned, Thread &T) { T.Out = static_cast<uint64_t>(G.Members) << 32 | Votes; });
}

/// The lanes that voted in the low, the lanes that took part in the high half.
inline uint64_t ballot(unsigned Mask, int Predicate, Site Where) {
  return inKernel("a vote").warpOperation(Mask, &combineBallot, Predicate != 0, 32, Where);
}

template <size_t Bytes> void combineMatch(const Group &G) {
  forMembers(G, [&](unsigned, Thread &T) {
    unsigned Same = 0;
    forMembers(G, [&](unsigned L, Thread &Other) { Same |= static_cast<unsigned>(Other.In == T.In) << L; });
    T.Out = static_cast<uint64_t>(G.Members) << 32 | Same;
  });
}
template <class T> uint64_t match(unsigned Mask, T Value, Site Where) {
  return inKernel("a warp match").warpOperation(Mask, &combineMatch<sizeof(T)>, toBits(Value), 32, Where);
}

template <class T, class Op> void combineReduce(const Group &G) {
  T Result = fromBits<T>(G.Lanes[__builtin_ctz(G.Members)].In);
  bool First = true;
  forMembers(G, [&](unsigned, Thread &Member) {
    if (!First)
      Result = Op()(Result, fromBits<T>(Member.In));
    First = false;
  });
  forMembers(G, [&](unsigned, Thread &Member) { Member.Out = toBits(Result); });
}
template <class Op, class T> T reduce(unsigned Mask, T Value, Site Where) {
  return fromBits<T>(
      inKernel("a warp reduction").warpOperation(Mask, &combineReduce<T, Op>, toBits(Value), 32, Where));
}

struct AddOp {
  unsigned operator()(unsigned A, unsigned B) const { return A + B; }
  int operator()(int A, int B) const { return static_cast<int>(static_cast<unsigned>(A) + static_cast<unsigned>(B)); }
};
struct MinOp {
  template <class T> T operator()(T A, T B) const { return B < A ? B : A; }
};
struct MaxOp {
  template <class T> T operator()(T A, T B) const { return A < B ? B : A; }
};
struct AndOp {
  unsigned operator()(unsigned A, unsigned B) const { return A & B; }
};
struct OrOp {
  unsigned operator()(unsigned A, unsigned B) const { return A | B; }
};
struct XorOp {
  unsigned operator()(unsigned A, unsigned B) const { return A ^ B; }
};

inline uint64_t blockBarrier(bool Predicate, Site Where) {
  return inKernel("a barrier").barrier(Predicate, Where);
}

} // namespace detail
} // namespace raise_simt

// ---- the block ----

inline void __syncthreads(RAISE_SITE) { ::raise_simt::detail::blockBarrier(false, RAISE_HERE); }
inline int __syncthreads_count(int predicate, RAISE_SITE) {
  return static_cast<int>(::raise_simt::detail::blockBarrier(predicate != 0, RAISE_HERE) & 0xffffffffu);
}
inline int __syncthreads_or(int predicate, RAISE_SITE) {
  return (::raise_simt::detail::blockBarrier(predicate != 0, RAISE_HERE) & 0xffffffffu) != 0;
}
inline int __syncthreads_and(int predicate, RAISE_SITE) {
  const uint64_t Result = ::raise_simt::detail::blockBarrier(predicate != 0, RAISE_HERE);
  return (Result & 0xffffffffu) == Result >> 32;
}

// ---- the warp ----

inline void __syncwarp(unsigned mask = 0xffffffffu, RAISE_SITE) {
  ::raise_simt::detail::inKernel("__syncwarp")
      .warpOperation(mask, &::raise_simt::detail::combineNothing, 0, 32, RAISE_HERE);
}
inline unsigned __activemask(RAISE_SITE) {
  return ::raise_simt::detail::inKernel("__activemask").activeMask(RAISE_HERE);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, RAISE_SITE) {
  return static_cast<unsigned>(::raise_simt::detail::ballot(mask, predicate, RAISE_HERE));
}
inline int __any_sync(unsigned mask, int predicate, RAISE_SITE) {
  return static_cast<unsigned>(::raise_simt::detail::ballot(mask, predicate, RAISE_HERE)) != 0;
}
inline int __all_sync(unsigned mask, int predicate, RAISE_SITE) {
  const uint64_t Result = ::raise_simt::detail::ballot(mask, predicate, RAISE_HERE);
  return static_cast<unsigned>(Result) == static_cast<unsigned>(Result >> 32);
}

#define RAISE_WARP_TYPES(X)                                                                                            \
  X(int)                                                                                                               \
  X(unsigned int)                                                                                                      \
  X(long) X(unsigned long) X(long long) X(unsigned long long) X(float) X(double)

#define RAISE_SHUFFLES(T)                                                                                              \
  inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, RAISE_SITE) {                                 \
    using namespace ::raise_simt::detail;                                                                             \
    return shuffle(Shuffle::Index, mask, value, static_cast<unsigned>(lane), width, RAISE_HERE);                       \
  }                                                                                                                    \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, RAISE_SITE) {                        \
    using namespace ::raise_simt::detail;                                                                             \
    return shuffle(Shuffle::Up, mask, value, delta, width, RAISE_HERE);                                                \
  }                                                                                                                    \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, RAISE_SITE) {                      \
    using namespace ::raise_simt::detail;                                                                             \
    return shuffle(Shuffle::Down, mask, value, delta, width, RAISE_HERE);                                              \
  }                                                                                                                    \
  inline T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32, RAISE_SITE) {                         \
    using namespace ::raise_simt::detail;                                                                             \
    return shuffle(Shuffle::Xor, mask, value, static_cast<unsigned>(laneMask), width, RAISE_HERE);                     \
  }
RAISE_WARP_TYPES(RAISE_SHUFFLES)
#undef RAISE_SHUFFLES

#define RAISE_MATCHES(T)                                                                                               \
  inline unsigned __match_any_sync(unsigned mask, T value, RAISE_SITE) {                                               \
    return static_cast<unsigned>(::raise_simt::detail::match(mask, value, RAISE_HERE));                               \
  }                                                                                                                    \
  inline unsigned __match_all_sync(unsigned mask, T value, int *predicate, RAISE_SITE) {                               \
    const uint64_t Result = ::raise_simt::detail::match(mask, value, RAISE_HERE);                                     \
    *predicate = static_cast<unsigned>(Result) == static_cast<unsigned>(Result >> 32);                                 \
    return *predicate ? mask : 0;                                                                                      \
  }
RAISE_WARP_TYPES(RAISE_MATCHES)
#undef RAISE_MATCHES
#undef RAISE_WARP_TYPES

#define RAISE_REDUCTION(Name, Op, T)                                                                                   \
  inline T __reduce_##Name##_sync(unsigned mask, T value, RAISE_SITE) {                                                \
    return ::raise_simt::detail::reduce<::raise_simt::detail::Op>(mask, value, RAISE_HERE);                          \
  }
RAISE_REDUCTION(add, AddOp, unsigned)
RAISE_REDUCTION(add, AddOp, int)
RAISE_REDUCTION(min, MinOp, unsigned)
RAISE_REDUCTION(min, MinOp, int)
RAISE_REDUCTION(max, MaxOp, unsigned)
RAISE_REDUCTION(max, MaxOp, int)
RAISE_REDUCTION(and, AndOp, unsigned)
RAISE_REDUCTION(or, OrOp, unsigned)
RAISE_REDUCTION(xor, XorOp, unsigned)
#undef RAISE_REDUCTION

// ---- others ----

inline void __nanosleep(unsigned) { ::raise_simt::detail::switchPoint(); }

[[noreturn]] inline void __trap(RAISE_SITE) {
  ::raise_simt::detail::Executor *E = ::raise_simt::detail::Executor::active();
  if (!E)
    ::raise_simt::detail::outsideKernel("__trap");
  E->setPlace(RAISE_HERE);
  E->failHere("__trap");
}

#undef RAISE_SITE
#undef RAISE_HERE

#endif // RAISE_SIMT_WARP_H
