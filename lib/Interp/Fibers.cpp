//===- Fibers.cpp - the threads of a block between barriers
//-------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Block loops around a barrier run each thread on a stack of its own: every
// thread runs to its next barrier, then all go on.
//
//===----------------------------------------------------------------------===//
#include "Engine.h"
#include <sys/mman.h>
#include <ucontext.h>

namespace raise::interp {

struct Fiber {
  static constexpr size_t StackBytes = size_t(512) * 1024;
  Engine &E;
  const StmtNode *Body;
  Frame F;
  ucontext_t Self, Scheduler;
  void *Stack = MAP_FAILED;
  const StmtNode *WaitsAt = nullptr;
  size_t Warp = 0;
  bool Finished = false;

  bool waitsInWarp() const {
    return WaitsAt && llvm::cast<Barrier>(WaitsAt->Src)->OfWarp;
  }

  Fiber(Engine &E, const StmtNode *Body, Frame F)
      : E(E), Body(Body), F(std::move(F)) {
    if (!E.FreeStacks.empty()) {
      Stack = E.FreeStacks.back();
      E.FreeStacks.pop_back();
    } else {
      Stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (Stack == MAP_FAILED)
        return;
      mprotect(Stack, 4096, PROT_NONE);
    }
    getcontext(&Self);
    Self.uc_stack.ss_sp = Stack;
    Self.uc_stack.ss_size = StackBytes;
    Self.uc_link = &Scheduler;
    auto Bits = reinterpret_cast<uintptr_t>(this);
    makecontext(&Self, reinterpret_cast<void (*)()>(&Fiber::start), 2,
                unsigned(Bits), unsigned(Bits >> 32));
  }
  Fiber(const Fiber &) = delete;
  ~Fiber() {
    if (Stack != MAP_FAILED)
      E.FreeStacks.push_back(Stack);
  }

  static void start(unsigned Low, unsigned High) {
    // makecontext passes ints. NOLINTNEXTLINE(performance-no-int-to-ptr)
    auto *Me = reinterpret_cast<Fiber *>(uintptr_t(High) << 32 | Low);
    Me->E.exec(Me->Body, Me->F);
    Me->Finished = true;
  }
  void resume() {
    WaitsAt = nullptr;
    E.Running = this;
    const Stmt *Outer = E.Current;
    swapcontext(&Scheduler, &Self);
    E.Current = Outer;
    E.Running = nullptr;
  }
};

Engine::~Engine() {
  for (void *Stack : FreeStacks)
    munmap(Stack, Fiber::StackBytes);
}

void Engine::waitAtBarrier(const StmtNode *N) {
  if (!Running)
    return fail(Stop::Unsupported, N->Src->Loc,
                "barrier outside a block's threads");
  Running->WaitsAt = N;
  Fiber *Me = Running;
  const Stmt *Mine = Current;
  swapcontext(&Me->Self, &Me->Scheduler);
  Current = Mine;
}

static bool isBlockLoop(const StmtNode *N) {
  return N->Kind == StmtKind::For && N->LKind >= LoopKind::BlockX &&
         N->LKind <= LoopKind::BlockZ;
}

/// The one statement of nested blocks.
static const StmtNode *onlyStatement(const StmtNode *N) {
  while (N->Kind == StmtKind::Block && N->Body.size() == 1)
    N = N->Body[0];
  return N;
}

static bool containsBlockLoop(const StmtNode *N) {
  if (isBlockLoop(N))
    return true;
  for (const StmtNode *Child : N->Body)
    if (Child && containsBlockLoop(Child))
      return true;
  return false;
}

/// An array of B's shape that nothing has been stored in.
static BufSlot copyOf(const BufSlot &B) {
  BufSlot Copy = B;
  Copy.Store = std::make_shared<Storage>();
  Copy.Store->Cells.resize(B.Store->Cells.size());
  return Copy;
}

bool Engine::collect(const StmtNode *N, const Frame &F,
                     std::vector<std::unique_ptr<Fiber>> &Threads) {
  Frame G = F;
  std::vector<Scalar> Values = iterations(N, G);
  if (failed())
    return false;
  const StmtNode *Inner = onlyStatement(N->Body[0]);
  if (N->WritesOuterLocal ||
      (!isBlockLoop(Inner) && containsBlockLoop(Inner))) {
    fail(Stop::Unsupported, N->Src->Loc,
         "barrier in block loops that are not a plain nest");
    return false;
  }
  G.Where.emplace_back(N->Src, 0);
  for (Scalar V : Values) {
    G.Vars[N->Slot] = {V, true};
    G.Who = F.Who;
    G.Who.enter(/*OverBlocks=*/false, G.Where.back().second, Values.size());
    if (isBlockLoop(Inner)) {
      if (!collect(Inner, G, Threads))
        return false;
    } else {
      const size_t Warp = Threads.size() / 32;
      for (auto &[Slot, Arrays] : PerWarp) {
        while (Arrays.size() <= Warp)
          Arrays.push_back(copyOf(F.Bufs[Slot]));
        G.Bufs[Slot] = Arrays[Warp];
      }
      Threads.push_back(std::make_unique<Fiber>(*this, N->Body[0], G));
      Threads.back()->Warp = Warp;
      if (Threads.back()->Stack == MAP_FAILED || Threads.size() > 2048) {
        fail(Stop::Unsupported, N->Src->Loc, "too many threads in a block");
        return false;
      }
    }
    ++G.Where.back().second;
  }
  return true;
}

/// Those of Left, all of which wait, that have no one to wait for: threads of
/// warps, or else all.
std::vector<Fiber *> Engine::ready(const std::vector<Fiber *> &Left) {
  std::vector<Fiber *> InWarps;
  for (Fiber *T : Left)
    if (T->waitsInWarp())
      InWarps.push_back(T);
  const std::vector<Fiber *> &Some = InWarps.empty() ? Left : InWarps;
  for (Fiber *T : Some)
    for (Fiber *Other : Left)
      if (T->WaitsAt != Other->WaitsAt &&
          (InWarps.empty() || T->Warp == Other->Warp)) {
        fail(Stop::DivergentBarrier, T->WaitsAt->Src->Loc, "");
        return Left;
      }
  return Some;
}

Flow Engine::runBlock(const StmtNode *N, Frame &F) {
  if (Running) {
    fail(Stop::Unsupported, N->Src->Loc, "block loop inside a thread");
    return Flow::Return;
  }
  std::vector<std::unique_ptr<Fiber>> Threads;
  if (!collect(N, F, Threads))
    return Flow::Return;
  std::vector<Fiber *> Left;
  Left.reserve(Threads.size());
  for (auto &T : Threads)
    Left.push_back(T.get());
  if (S.Ord == Settings::Order::Descending)
    reorder(Left);
  std::vector<Fiber *> Ready = Left;
  while (!Left.empty()) {
    if (S.Ord == Settings::Order::Random)
      reorder(Ready);
    for (Fiber *T : Ready) // after a stop too, so that each unwinds its stack
      T->resume();
    llvm::erase_if(Left, [](Fiber *T) { return T->Finished; });
    Ready = ready(Left);
  }
  return failed() ? Flow::Return : Flow::Next;
}

} // namespace raise::interp
