//===- Fibers.cpp - the threads of a block between barriers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Block loops around a barrier run each thread on a stack of its own: every
// thread runs to its next barrier, then all go on. The stacks are those on
// which emitted code runs its blocks.
//
//===----------------------------------------------------------------------===//
#include "Engine.h"
#include "raise/fiber.h"

namespace raise::interp {

namespace {

constexpr size_t StackBytes = size_t(512) * 1024;

/// A stack that runs one thread of a block after another.
class Stack : public raise_simt::detail::Fiber {
public:
  explicit Stack(size_t Number) : Fiber(&runThreads, StackBytes, Number) {}
  interp::Fiber *Runs = nullptr;

private:
  static void runThreads(Fiber &Me);
};

/// Stacks between threads. Those of an engine serve the next one on the same
/// host thread, which therefore finds their pages mapped.
std::vector<std::unique_ptr<Stack>> &freeStacks() {
  static thread_local std::vector<std::unique_ptr<Stack>> Free;
  return Free;
}

} // namespace

struct Fiber {
  Engine &E;
  const StmtNode *Body;
  Frame F;
  std::unique_ptr<Stack> On;
  const StmtNode *WaitsAt = nullptr;
  size_t Warp = 0;
  bool Finished = false;

  bool waitsInWarp() const {
    return WaitsAt && llvm::cast<Barrier>(WaitsAt->Src)->OfWarp;
  }

  Fiber(Engine &E, const StmtNode *Body, Frame F, size_t Number)
      : E(E), Body(Body), F(std::move(F)) {
    if (freeStacks().empty()) {
      On = std::make_unique<Stack>(Number);
    } else {
      On = std::move(freeStacks().back());
      freeStacks().pop_back();
    }
    On->Runs = this;
  }
  Fiber(const Fiber &) = delete;
  ~Fiber() {
    if (On->isMapped())
      freeStacks().push_back(std::move(On));
  }

  void run() {
    E.exec(Body, F);
    Finished = true;
  }
  void resume() {
    WaitsAt = nullptr;
    E.Running = this;
    const Stmt *Outer = E.Current;
    On->resume();
    E.Current = Outer;
    E.Running = nullptr;
  }
};

void Stack::runThreads(raise_simt::detail::Fiber &Me) {
  for (;;) {
    static_cast<Stack &>(Me).Runs->run();
    Me.suspend();
  }
}

void Engine::waitAtBarrier(const StmtNode *N) {
  if (!Running)
    return fail(Stop::Unsupported, N->Src->Loc,
                "barrier outside a block's threads");
  Running->WaitsAt = N;
  Fiber *Me = Running;
  const Stmt *Mine = Current;
  Me->On->suspend();
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
      Threads.push_back(
          std::make_unique<Fiber>(*this, N->Body[0], G, Threads.size()));
      Threads.back()->Warp = Warp;
      if (!Threads.back()->On->isMapped() || Threads.size() > 2048) {
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
  const bool OfWarps = !InWarps.empty();
  const std::vector<Fiber *> &Some = OfWarps ? InWarps : Left;
  // Where the first of each waits, and whether another waits elsewhere.
  llvm::DenseMap<size_t, std::pair<const StmtNode *, bool>> Groups;
  for (const Fiber *T : Left) {
    auto &[At, Differs] =
        Groups.try_emplace(OfWarps ? T->Warp : 0, T->WaitsAt, false)
            .first->second;
    Differs |= At != T->WaitsAt;
  }
  for (Fiber *T : Some)
    if (Groups.lookup(OfWarps ? T->Warp : 0).second) {
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
