//===- simt_block.h - runs the threads of a grid as fibers -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// The scheduler of the reference executor; raise/simt.h is what programs include, docs/executor.md says what it guarantees.
// A thread is in one of the states of detail::State. Only the host thread changes a waiting thread back to runnable, at the end of a round of its warp, so
// that all lanes which a barrier or a warp operation releases start their next round together.
#ifndef RAISE_SIMT_BLOCK_H
#define RAISE_SIMT_BLOCK_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "raise/cuda.h"
#include "raise/fiber.h"

// What a kernel sees. Set whenever a thread of a block goes on.
inline thread_local uint3 threadIdx = {0, 0, 0};
inline thread_local uint3 blockIdx = {0, 0, 0};
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;
constexpr int warpSize = 32;

namespace raise_simt {

enum class Order { Ascending, Descending, Random };
enum class OnError { Abort, Return };

namespace detail {

/// A place in the source: the barrier or warp operation that a thread waits at.
struct Site {
  const char *File;
  int Line;
  bool operator==(const Site &O) const { return Line == O.Line && (File == O.File || std::strcmp(File, O.File) == 0); }
};

enum class State : unsigned char { Fresh, Runnable, AtBarrier, AtWarpOperation, AtActiveMask, Done };

struct Thread;

/// The lanes that take part in one warp operation: bit L of Members says whether Lanes[L] does.
struct Group {
  Thread *Lanes;
  unsigned Members;
};

/// Computes Out of every member from In and Source of the members. Its address also tells which operation a lane waits for.
using Combine = void (*)(const Group &);

struct Thread {
  State St = State::Fresh;
  uint3 Index = {0, 0, 0};
  Fiber *Stack = nullptr;
  Site Where = {"", 0};
  unsigned Mask = 0;          // of the warp operation
  Combine Operation = nullptr; // likewise
  unsigned Source = 0;        // the lane that a shuffle reads from; 32 for its own value
  uint64_t In = 0, Out = 0;   // operands and results, in their low bytes
};

/// What a run-time option is set to, from the environment unless the program set it.
struct Options {
  Order TheOrder = Order::Ascending;
  uint64_t Seed = 1;
  OnError Action = OnError::Abort;
  size_t StackBytes = 256 * 1024;

  Options() {
    if (const char *E = std::getenv("RAISE_SIMT_ORDER")) {
      if (std::strcmp(E, "descending") == 0)
        TheOrder = Order::Descending;
      else if (std::strcmp(E, "random") == 0)
        TheOrder = Order::Random;
      else if (std::strcmp(E, "ascending") != 0)
        invalid("RAISE_SIMT_ORDER", E);
    }
    if (const char *E = std::getenv("RAISE_SIMT_ON_ERROR")) {
      if (std::strcmp(E, "return") == 0)
        Action = OnError::Return;
      else if (std::strcmp(E, "abort") != 0)
        invalid("RAISE_SIMT_ON_ERROR", E);
    }
    if (const char *E = std::getenv("RAISE_SIMT_SEED"))
      Seed = number("RAISE_SIMT_SEED", E);
    if (const char *E = std::getenv("RAISE_SIMT_STACK"))
      StackBytes = static_cast<size_t>(number("RAISE_SIMT_STACK", E));
    if (StackBytes < 16384)
      StackBytes = 16384;
  }

private:
  [[noreturn]] static void invalid(const char *Name, const char *Value) {
    std::fprintf(stderr, "raise/simt: %s=%s is not a value of this variable\n", Name, Value);
    std::exit(2);
  }
  static uint64_t number(const char *Name, const char *Value) {
    char *End = nullptr;
    const unsigned long long N = std::strtoull(Value, &End, 10);
    if (End == Value || *End || *Value == '-')
      invalid(Name, Value);
    return N;
  }
};

class Executor {
public:
  /// Runs Body(Data) for each thread of the grid. Throws what a body threw.
  void run(dim3 Grid, dim3 Block, size_t SharedBytes, void (*Body)(void *), void *Data, const char *Name) {
    TheBody = Body;
    TheData = Data;
    KernelName = Name;
    Failed = false;
    startGrid(Grid, Block, SharedBytes);
    const uint64_t Blocks = static_cast<uint64_t>(Grid.x) * Grid.y * Grid.z;
    uint64_t Step = 1, Index = 0;
    if (Opts.TheOrder == Order::Random && Blocks > 1) {
      Index = random() % Blocks;
      do
        Step = random() % Blocks;
      while (gcd(Step, Blocks) != 1);
    }
    for (uint64_t I = 0; I < Blocks && !Failed; ++I) {
      runBlock(Opts.TheOrder == Order::Descending ? Blocks - 1 - I : Index);
      Index = Opts.TheOrder == Order::Random ? addModulo(Index, Step, Blocks) : Index + 1;
    }
    finishGrid();
  }

  /// A switch point: the other lanes go first.
  void yield() {
    current().St = State::Runnable;
    suspend();
  }

  /// Waits for the block. Returns the number of threads whose Predicate was true in the low and the number of threads in the high half.
  uint64_t barrier(bool Predicate, Site Where) {
    Thread &T = current();
    T.St = State::AtBarrier;
    T.Where = Where;
    T.In = Predicate;
    ++Waiting;
    suspend();
    return T.Out;
  }

  /// Waits for the lanes in Mask, and returns what Operation made of their operands.
  uint64_t warpOperation(unsigned Mask, Combine Operation, uint64_t In, unsigned Source, Site Where) {
    Thread &T = current();
    T.Where = Where;
    if (!(Mask >> lane() & 1))
      failHere("the mask of a warp operation does not name the lane that calls it");
    T.Mask = Mask;
    T.Operation = Operation;
    T.In = In;
    T.Source = Source;
    T.St = State::AtWarpOperation;
    suspend();
    return T.Out;
  }

  unsigned activeMask(Site Where) {
    Thread &T = current();
    T.Where = Where;
    T.St = State::AtActiveMask;
    suspend();
    return static_cast<unsigned>(T.Out);
  }

  /// Number of the calling thread in its warp.
  unsigned lane() const { return Now % 32; }

  /// Reports an error of the calling thread, and ends the launch.
  [[noreturn]] void failHere(const char *What) {
    const Thread &T = current();
    std::fprintf(stderr, "raise/simt: %s, in kernel '%s', block (%u,%u,%u), thread (%u,%u,%u) at %s:%d\n", What,
                 KernelName, ::blockIdx.x, ::blockIdx.y, ::blockIdx.z, T.Index.x, T.Index.y, T.Index.z, T.Where.File,
                 T.Where.Line);
    fail();
    suspend();
    std::abort(); // a launch that failed resumes no thread
  }
  void setPlace(Site Where) { current().Where = Where; }

  void *dynamicShared() const { return Dynamic.get(); }

  Options Opts;
  uint64_t RandomState = Opts.Seed;

private:
  Thread &current() { return Threads[Now]; }
  void suspend() { current().Stack->suspend(); }

  // ---- a grid ----

  void startGrid(dim3 Grid, dim3 Block, size_t SharedBytes) {
    ::gridDim = Grid;
    ::blockDim = Block;
    const unsigned Count = Block.x * Block.y * Block.z;
    Threads.resize(Count);
    for (unsigned I = 0; I < Count; ++I)
      Threads[I].Index = {I % Block.x, I / Block.x % Block.y, I / Block.x / Block.y};
    WarpOrder.resize((Count + 31) / 32);
    DynamicBytes = SharedBytes;
    void *Memory = nullptr;
    if (posix_memalign(&Memory, 128, SharedBytes ? SharedBytes : 1) != 0) {
      std::fprintf(stderr, "raise/simt: no memory for %zu bytes of shared memory\n", SharedBytes);
      std::abort();
    }
    Dynamic.reset(Memory);
  }

  void finishGrid() {
    Dynamic.reset();
    if (!Failed)
      return;
    for (Thread &T : Threads)
      if (T.Stack) {
        T.Stack->reset();
        release(T);
      }
    if (Thrown)
      std::rethrow_exception(std::exchange(Thrown, nullptr));
    raise_state_.sticky = raise_state_.last = cudaErrorLaunchFailure;
  }

  // ---- a block ----

  void runBlock(uint64_t Index) {
    const dim3 G = ::gridDim;
    ::blockIdx = {static_cast<unsigned>(Index % G.x), static_cast<unsigned>(Index / G.x % G.y),
                  static_cast<unsigned>(Index / G.x / G.y)};
    ++blockSerial();
    if (DynamicBytes)
      std::memset(Dynamic.get(), 0xff, DynamicBytes);
    for (Thread &T : Threads)
      T.St = State::Fresh;
    Alive = static_cast<unsigned>(Threads.size());
    Waiting = 0;
    while (Alive && !Failed)
      if (!sweep() && !Failed)
        reportDeadlock();
  }

  /// One round of every warp. False if no thread could run.
  bool sweep() {
    bool Progress = false;
    const unsigned Warps = static_cast<unsigned>(WarpOrder.size());
    for (unsigned W = 0; W < Warps; ++W)
      WarpOrder[W] = Opts.TheOrder == Order::Descending ? Warps - 1 - W : W;
    if (Opts.TheOrder == Order::Random)
      shuffle(WarpOrder.data(), Warps);
    for (unsigned W : WarpOrder) {
      Progress |= round(W);
      if (Failed)
        return true;
      resolve(W);
      if (Alive && Waiting == Alive)
        releaseBarrier();
      if (Failed)
        return true;
    }
    return Progress;
  }

  /// Runs every lane of a warp that can run up to its next switch point.
  bool round(unsigned Warp) {
    const unsigned First = Warp * 32, End = laneEnd(Warp);
    RoundSize = 0;
    for (unsigned I = First; I < End; ++I)
      if (Threads[I].St == State::Fresh || Threads[I].St == State::Runnable)
        Round[RoundSize++] = I;
    if (Opts.TheOrder == Order::Descending)
      for (unsigned I = 0; I < RoundSize / 2; ++I)
        std::swap(Round[I], Round[RoundSize - 1 - I]);
    else if (Opts.TheOrder == Order::Random)
      shuffle(Round, RoundSize);
    const bool Progress = RoundSize != 0;
    for (Position = 0; Position < RoundSize && !Failed; ++Position) {
      enter(Round[Position]);
      if (!current().Stack)
        current().Stack = takeFiber();
      current().Stack->resume();
      if (current().St == State::Done && current().Stack)
        release(current());
    }
    return Progress;
  }

  unsigned laneEnd(unsigned Warp) const {
    const unsigned Size = static_cast<unsigned>(Threads.size());
    return Warp * 32 + 32 < Size ? Warp * 32 + 32 : Size;
  }

  void enter(unsigned Thread) {
    Now = Thread;
    ::threadIdx = Threads[Thread].Index;
  }

  /// What a fiber does for ever: runs the body for its thread; while the next lane of the round is a fresh one, takes that over without a switch.
  static void fiberMain(Fiber &F) {
    Executor *&E = active();
    for (;;) {
      E->runBody();
      Thread &T = E->current();
      T.St = State::Done;
      --E->Alive;
      if (!E->Failed && E->Position + 1 < E->RoundSize && E->Threads[E->Round[E->Position + 1]].St == State::Fresh) {
        T.Stack = nullptr;
        E->enter(E->Round[++E->Position]);
        E->current().Stack = &F;
        continue;
      }
      F.suspend();
    }
  }

  void runBody() {
#ifdef __cpp_exceptions
    try {
      TheBody(TheData);
    } catch (...) {
      Thrown = std::current_exception();
      Failed = true;
    }
#else
    TheBody(TheData);
#endif
  }

  // ---- waiting threads ----

  void releaseBarrier() {
    const Thread *First = nullptr;
    uint64_t Count = 0;
    for (const Thread &T : Threads) {
      if (T.St != State::AtBarrier)
        continue;
      if (!First)
        First = &T;
      else if (!(First->Where == T.Where))
        return reportDivergence(*First, T);
      Count += T.In;
    }
    for (Thread &T : Threads)
      if (T.St == State::AtBarrier) {
        T.Out = Count | static_cast<uint64_t>(Alive) << 32;
        T.St = State::Runnable;
      }
    Waiting = 0;
  }

  /// Completes the warp operations of a warp whose lanes have all arrived.
  void resolve(unsigned Warp) {
    Thread *Lanes = &Threads[Warp * 32];
    const unsigned Count = laneEnd(Warp) - Warp * 32;
    unsigned Living = 0, Operating = 0, Asking = 0;
    for (unsigned L = 0; L < Count; ++L) {
      Living |= static_cast<unsigned>(Lanes[L].St != State::Done) << L;
      Operating |= static_cast<unsigned>(Lanes[L].St == State::AtWarpOperation) << L;
      Asking |= static_cast<unsigned>(Lanes[L].St == State::AtActiveMask) << L;
    }
    while (Operating) {
      const Thread &T = Lanes[__builtin_ctz(Operating)];
      const Group G = {Lanes, T.Mask & Living};
      if (arrived(G, T)) {
        T.Operation(G);
        for (unsigned L = 0; L < Count; ++L)
          if (G.Members >> L & 1)
            Lanes[L].St = State::Runnable;
        Operating &= ~G.Members;
      } else {
        Operating &= Operating - 1;
      }
    }
    while (Asking) {
      const Site Where = Lanes[__builtin_ctz(Asking)].Where;
      unsigned Together = 0;
      for (unsigned L = 0; L < Count; ++L)
        if ((Asking >> L & 1) && Lanes[L].Where == Where)
          Together |= 1u << L;
      for (unsigned L = 0; L < Count; ++L)
        if (Together >> L & 1) {
          Lanes[L].Out = Together;
          Lanes[L].St = State::Runnable;
        }
      Asking &= ~Together;
    }
  }

  static bool arrived(const Group &G, const Thread &Like) {
    for (unsigned L = 0; L < 32; ++L)
      if (G.Members >> L & 1) {
        const Thread &T = G.Lanes[L];
        if (T.St != State::AtWarpOperation || T.Mask != Like.Mask || T.Operation != Like.Operation)
          return false;
      }
    return true;
  }

  // ---- errors ----

  void fail() {
    if (Opts.Action == OnError::Abort)
      std::abort();
    Failed = true;
  }

  void printWaiting(const Thread &T) {
    std::fprintf(stderr, "thread (%u,%u,%u) waits at %s:%d", T.Index.x, T.Index.y, T.Index.z, T.Where.File,
                 T.Where.Line);
    if (T.St == State::AtWarpOperation)
      std::fprintf(stderr, " (warp operation, mask 0x%08x)", T.Mask);
  }

  void reportDivergence(const Thread &A, const Thread &B) {
    std::fprintf(stderr, "raise/simt: divergent barrier in kernel '%s', block (%u,%u,%u): ", KernelName, ::blockIdx.x,
                 ::blockIdx.y, ::blockIdx.z);
    printWaiting(A);
    std::fprintf(stderr, ", ");
    printWaiting(B);
    std::fprintf(stderr, "\n");
    fail();
  }

  void reportDeadlock() {
    std::fprintf(stderr, "raise/simt: deadlock in kernel '%s', block (%u,%u,%u): no thread can go on", KernelName,
                 ::blockIdx.x, ::blockIdx.y, ::blockIdx.z);
    std::vector<const Thread *> Shown;
    for (const Thread &T : Threads) {
      bool Known = T.St == State::Done;
      for (const Thread *S : Shown)
        Known |= S->Where == T.Where && S->Mask == T.Mask;
      if (Known || Shown.size() == 8)
        continue;
      Shown.push_back(&T);
      std::fprintf(stderr, Shown.size() == 1 ? ": " : ", ");
      printWaiting(T);
    }
    std::fprintf(stderr, "\n");
    fail();
  }

  // ---- stacks, and chance ----

  Fiber *takeFiber() {
    if (Free.empty()) {
      All.push_back(std::make_unique<Fiber>(&fiberMain, Opts.StackBytes, All.size()));
      if (!All.back()->isMapped()) {
        std::fprintf(stderr, "raise/simt: no memory for a thread's stack of %zu bytes\n", All.back()->stackBytes());
        std::abort();
      }
      return All.back().get();
    }
    Fiber *F = Free.back();
    Free.pop_back();
    return F;
  }
  void release(Thread &T) {
    Free.push_back(T.Stack);
    T.Stack = nullptr;
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  uint64_t random() {
    uint64_t Z = RandomState += 0x9e3779b97f4a7c15u;
    Z = (Z ^ Z >> 30) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ Z >> 27) * 0x94d049bb133111ebu;
    return Z ^ Z >> 31;
  }
  void shuffle(unsigned *Items, unsigned Count) {
    for (unsigned I = Count; I > 1; --I)
      std::swap(Items[I - 1], Items[random() % I]);
  }
  static uint64_t gcd(uint64_t A, uint64_t B) { return B == 0 ? A : gcd(B, A % B); }
  static uint64_t addModulo(uint64_t A, uint64_t B, uint64_t M) { return A >= M - B ? A - (M - B) : A + B; }

  struct FreeMemory {
    void operator()(void *P) const { std::free(P); }
  };

public:
  /// The executor that runs a kernel on this host thread now, or null.
  static Executor *&active() {
    static thread_local Executor *E = nullptr;
    return E;
  }
  /// The executor of this host thread.
  static Executor &mine() {
    static thread_local Executor E;
    return E;
  }
  /// Changes with every block that this host thread runs: a static shared variable that was last used under another number is stale.
  static uint64_t &blockSerial() {
    static thread_local uint64_t Serial = 0;
    return Serial;
  }

private:
  void (*TheBody)(void *) = nullptr;
  void *TheData = nullptr;
  const char *KernelName = "";
  std::vector<Thread> Threads;
  std::vector<unsigned> WarpOrder;
  unsigned Round[32], RoundSize = 0, Position = 0;
  unsigned Now = 0, Alive = 0, Waiting = 0;
  bool Failed = false;
  std::exception_ptr Thrown;
  std::unique_ptr<void, FreeMemory> Dynamic;
  size_t DynamicBytes = 0;
  std::vector<std::unique_ptr<Fiber>> All;
  std::vector<Fiber *> Free;
};

/// Where threads of a block may change over. Outside a kernel it does nothing.
inline void switchPoint() {
  if (Executor *E = Executor::active())
    E->yield();
}

[[noreturn]] inline void outsideKernel(const char *What) {
  std::fprintf(stderr, "raise/simt: %s was called outside a kernel\n", What);
  std::abort();
}
inline Executor &inKernel(const char *What) {
  Executor *E = Executor::active();
  if (!E)
    outsideKernel(What);
  return *E;
}

} // namespace detail
} // namespace raise_simt

#endif // RAISE_SIMT_BLOCK_H
