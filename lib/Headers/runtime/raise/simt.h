//===- simt.h - the reference executor: CUDA kernels as written, on the host --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// Runs a kernel body once for each thread of a grid, the threads of a block as fibers of one host thread, blocks one after another, with
// CUDA's meaning of barriers, warp operations, atomics, fences, volatile accesses and shared memory. How a kernel must be spelled, the
// guarantees, and the errors are in docs/executor.md.
#ifndef RAISE_SIMT_H
#define RAISE_SIMT_H

#include <type_traits>

#include "raise/simt_block.h"

#include "raise/simt_atomics.h"
#include "raise/simt_warp.h"

namespace raise_simt {

/// Runs Body() once for each thread of the grid. SharedBytes is the size of the block's dynamic shared memory. Name is for diagnostics.
/// A grid that CUDA would not launch sets cudaErrorInvalidConfiguration and runs nothing. What Body throws, launch throws. An error of the kernel (divergent
/// barrier, deadlock, bad mask) aborts the program, or under OnError::Return ends the launch with cudaErrorLaunchFailure as sticky error.
template <class F>
void launch(dim3 Grid, dim3 Block, size_t SharedBytes, F &&Body, const char *Name = "(unnamed)") {
  if (!raise::isLaunchable(Grid, Block)) {
    raise_result(cudaErrorInvalidConfiguration);
    return;
  }
  detail::Executor *&Active = detail::Executor::active();
  if (Active)
    Active->failHere("a kernel is launched inside a kernel");
  struct Deactivate {
    ~Deactivate() { detail::Executor::active() = nullptr; }
  } AtEnd;
  Active = &detail::Executor::mine();
  using Function = std::remove_reference_t<F>;
  Active->run(
      Grid, Block, SharedBytes, [](void *Data) { (*static_cast<Function *>(Data))(); },
      const_cast<void *>(static_cast<const volatile void *>(std::addressof(Body))), Name);
}

/// The order of blocks, warps and lanes in launches of this host thread from now on. The seed matters for Order::Random.
inline void setOrder(Order NewOrder, uint64_t Seed = 1) {
  detail::Executor &E = detail::Executor::mine();
  E.Opts.TheOrder = NewOrder;
  E.RandomState = E.Opts.Seed = Seed;
}

/// What an error of a kernel does in launches of this host thread from now on.
inline void setOnError(OnError Action) { detail::Executor::mine().Opts.Action = Action; }

// ---- shared memory ----

namespace detail {

/// Bytes that are looked at as a T. Constant-initialised whatever T is, so that a thread-local one needs no guard.
template <class T> union SharedStorage {
  static_assert(std::is_trivially_destructible<T>::value, "CUDA allows no destructor in shared memory");
  unsigned char Bytes[sizeof(T)];
  T Object;
  constexpr SharedStorage() : Bytes{} {}
};

} // namespace detail

/// The object behind RAISE_SHARED: one for each T and Tag, filled with ones when a block first comes here.
template <class T, class Tag> T &shared(Tag) {
  alignas(128) static thread_local detail::SharedStorage<T> Storage;
  static thread_local uint64_t Serial = 0;
  const uint64_t Block = detail::Executor::blockSerial();
  if (Serial != Block) {
    Serial = Block;
    std::memset(Storage.Bytes, 0xff, sizeof(T));
  }
  return Storage.Object;
}

/// The block's dynamic shared memory: `extern __shared__ T name[];` is `T *name = raise_simt::dynamicShared<T>();`. Aligned to 128 bytes.
template <class T> T *dynamicShared() {
  return static_cast<T *>(detail::inKernel("raise_simt::dynamicShared").dynamicShared());
}

// ---- volatile accesses ----

namespace detail {

template <class T> struct Exactly {
  using Type = T;
};

/// A volatile lvalue with the assigning operators only. Each read and each write is a switch point; the value is that of the built-in operator.
template <class T> class VolatileRef {
public:
  explicit VolatileRef(volatile T &Object) : Object(Object) {}
  VolatileRef(const VolatileRef &) = delete;

  T operator=(typename Exactly<T>::Type Value) const { return store(Value); }
  T operator=(const VolatileRef &) const = delete;
#define RAISE_VOLATILE_ASSIGN(Op)                                                                                      \
  template <class V> T operator Op##=(const V &Value) const { return store(static_cast<T>(load() Op Value)); }
  RAISE_VOLATILE_ASSIGN(+)
  RAISE_VOLATILE_ASSIGN(-)
  RAISE_VOLATILE_ASSIGN(*)
  RAISE_VOLATILE_ASSIGN(/)
  RAISE_VOLATILE_ASSIGN(%)
  RAISE_VOLATILE_ASSIGN(&)
  RAISE_VOLATILE_ASSIGN(|)
  RAISE_VOLATILE_ASSIGN(^)
  RAISE_VOLATILE_ASSIGN(<<)
  RAISE_VOLATILE_ASSIGN(>>)
#undef RAISE_VOLATILE_ASSIGN
  T operator++() const { return store(static_cast<T>(load() + 1)); }
  T operator--() const { return store(static_cast<T>(load() - 1)); }
  T operator++(int) const {
    const T Old = load();
    store(static_cast<T>(Old + 1));
    return Old;
  }
  T operator--(int) const {
    const T Old = load();
    store(static_cast<T>(Old - 1));
    return Old;
  }

private:
  T load() const {
    switchPoint();
    return Object;
  }
  T store(T Value) const {
    switchPoint();
    Object = Value;
    return Value;
  }
  volatile T &Object;
};

} // namespace detail

/// A read of a volatile scalar.
template <class T> T volatileLoad(const volatile T &Object) {
  detail::switchPoint();
  return Object;
}

/// `Object = Value` for a volatile scalar; returns the value that was stored.
template <class T> T volatileStore(volatile T &Object, typename detail::Exactly<T>::Type Value) {
  detail::switchPoint();
  Object = Value;
  return Value;
}

/// `vol(e) += v`, `++vol(e)` and the like for a volatile scalar e.
template <class T> detail::VolatileRef<T> vol(volatile T &Object) { return detail::VolatileRef<T>(Object); }

} // namespace raise_simt

/// `__shared__ T name;` is `auto &name = RAISE_SHARED(T);`. The closure makes the type, and so the object, this place's own.
#define RAISE_SHARED(...) (::raise_simt::shared<__VA_ARGS__>([] {}))

#endif // RAISE_SIMT_H
