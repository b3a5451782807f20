//===- Engine.h - the running machine ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_INTERP_ENGINE_H
#define RAISE_LIB_INTERP_ENGINE_H

#include "Code.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace raise::interp {

struct VarSlot {
  Scalar V = ofI(0);
  bool Set = false;
};

struct BufSlot {
  std::shared_ptr<Storage> Store;
  int64_t Offset = 0;
  llvm::SmallVector<int64_t, 4> Extents; ///< declared; -1: not known
};

using LoopStack = std::vector<std::pair<const Stmt *, int64_t>>;

/// Which thread of a kernel runs, and how many barriers it has passed.
struct ThreadId {
  uint64_t Block = 0, Thread = 0, Barriers = 0;

  /// Iteration Count of Total of a loop over blocks or over their threads.
  void enter(bool OverBlocks, uint64_t Count, uint64_t Total) {
    Thread = Thread * Total + Count;
    if (OverBlocks)
      Block = Thread;
  }
  /// Whether what this thread does and what O does come in no fixed order.
  bool races(const ThreadId &O) const {
    return Thread != O.Thread && (Block != O.Block || Barriers == O.Barriers);
  }
};

/// The variables of one call, or of one thread of a kernel.
struct Frame {
  std::vector<VarSlot> Vars;
  std::vector<BufSlot> Bufs;
  LoopStack Where;
  Scalar Result = ofI(0);
  bool HasResult = false;
  unsigned CallDepth = 0;
  ThreadId Who;
};

enum class Flow { Next, Break, Continue, Return };

struct Fiber;

class Engine {
public:
  Engine(const Settings &S, Program &P) : S(S), P(P), Random(S.Seed) {}
  Engine(const Engine &) = delete;

  /// Fills the frame from the inputs; false if something is missing.
  bool enter(const FunctionCode &Code, Inputs &In, Frame &F);
  Flow exec(const StmtNode *N, Frame &F);
  void meetRequirements(const FunctionCode &Code, Frame &F);
  Scalar eval(const ExprNode *N, Frame &F) {
    if (N->Kind == ExprKind::IntConst || N->Kind == ExprKind::FloatConst)
      return N->K;
    if (N->Kind == ExprKind::VarUse && F.Vars[N->Slot].Set && !S.TraceScalars)
      return F.Vars[N->Slot].V;
    return evalOther(N, F);
  }

  /// From here on; see Settings::WatchThreads.
  void watchThreads(const Inputs &In);

  Outcome Out;
  bool failed() const { return Out.Why != Stop::Done; }
  void chose(bool Taken) {
    Out.Path = Out.Path * 0x9E3779B97F4A7C15u + (Taken ? 2 : 1);
  }

private:
  friend struct Fiber;
  const Settings &S;
  Program &P;
  uint64_t Random;
  const Stmt *Current = nullptr;
  /// Shared arrays of the block that runs, by slot.
  llvm::DenseMap<unsigned, BufSlot> Shared;
  /// Arrays of the warps of the block that runs, by slot.
  std::map<unsigned, std::vector<BufSlot>> PerWarp;
  Fiber *Running = nullptr;

  /// The last write of each cell of the buffers that came in.
  struct Write {
    ThreadId By;
    const StmtNode *At = nullptr;
    Value V;
  };
  std::map<const Storage::Plane *, std::vector<Write>> Writes;
  llvm::DenseSet<const Storage *> Watched;

  // Exec.cpp
  Scalar evalOther(const ExprNode *N, Frame &F);
  void fail(Stop Why, const SourceLoc &Loc, const llvm::Twine &Text);
  bool step();
  void check(Stop R, const SourceLoc &Loc);
  Scalar evalBinary(const ExprNode *N, Frame &F);
  Scalar evalCall(const ExprNode *N, Frame &F);
  Flow execBody(const StmtNode *N, Frame &F, bool &Leave);
  Flow execFor(const StmtNode *N, Frame &F);
  Flow runSerial(const StmtNode *N, Frame &F);
  Flow runOrdered(const StmtNode *N, Frame &F);
  Flow execWhile(const StmtNode *N, Frame &F);
  Flow execTensor(const StmtNode *N, Frame &F, unsigned Depth);
  Flow execRegion(const StmtNode *N, Frame &F);
  bool guardHolds(const GuardNode &G, Frame &F);
  void assign(const StmtNode *N, Frame &F);
  bool advance(const StmtNode *N, Scalar &V, Scalar Step);
  bool loopGoesOn(const StmtNode *N, Scalar V, Scalar Hi);
  std::vector<Scalar> iterations(const StmtNode *N, Frame &F);
  template <typename T> void reorder(std::vector<T> &V);
  uint64_t nextRandom();

  // Memory.cpp
  struct Place {
    Storage *Store = nullptr;
    Storage::Plane *Cells = nullptr;
    int64_t Cell = 0;
  };
  bool locate(const AccessNode &A, Frame &F, const SourceLoc &Loc, Place &Out);
  bool declaredIndex(const AccessNode &A, Frame &F, const BufSlot &B,
                     const SourceLoc &Loc, int64_t &Flat);
  std::optional<Value> &cell(const Place &At, const std::string &Field,
                             ValueType Ty, bool ForReading);
  Scalar load(const ExprNode *N, Frame &F);
  void store(const StmtNode *N, Frame &F);
  /// What the user says, of whose value it says so, must hold.
  void fact(const StmtNode *N, int64_t Value, Frame &F);
  void declareBuffer(const StmtNode *N, Frame &F);
  void traceMemory(const Place &At, const Access &A, Frame &F, bool IsWrite,
                   const SourceLoc &Loc, const StmtNode *Writer,
                   const Value *After);
  void watch(const Place &At, const Frame &F, const StmtNode *Writer,
             const Value &After);
  void traceScalar(const Var *V, Frame &F, bool IsWrite, Combiner Op,
                   const SourceLoc &Loc);

  // Fibers.cpp
  Flow runBlock(const StmtNode *N, Frame &F);
  bool collect(const StmtNode *N, const Frame &F,
               std::vector<std::unique_ptr<Fiber>> &Threads);
  void waitAtBarrier(const StmtNode *N);
  std::vector<Fiber *> ready(const std::vector<Fiber *> &Left);
};

template <typename T> void Engine::reorder(std::vector<T> &V) {
  if (S.Ord == Settings::Order::Descending)
    std::reverse(V.begin(), V.end());
  if (S.Ord == Settings::Order::Random)
    for (size_t I = V.size(); I > 1; --I)
      std::swap(V[I - 1], V[nextRandom() % I]);
}

} // namespace raise::interp

#endif // RAISE_LIB_INTERP_ENGINE_H
