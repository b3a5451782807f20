//===- ForwardTiles.cpp - tiles in shared memory, undone ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `s[t] = x[b * T + t]; __syncthreads();`, and then `s[T - 1 - t]`: that is what
// the thread with threadIdx.x == T - 1 - t read, x[b * T + (T - 1 - t)]. Such
// tiles are there for a GPU's memory, which likes neighbours to read neighbours;
// a CPU's caches do as much. Where every element that is read of a block's array
// is what a thread read from memory just before, and nothing can have changed it,
// it is read there, and neither arrays nor barriers are left. A tile that loops
// read again and again stays: it is small, dense and of a size that compilers
// know, and products of such were measured to be as fast as those by tiles of
// registers, and faster than without.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LaunchForm.h"
#include "LaunchNest.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace raise {

namespace {

using StmtList = std::vector<StmtRef>;

const Expr *bare(const ExprRef &E) {
  const Expr *Of = E.get();
  while (auto *C = dyn_cast<Cast>(Of)) {
    if (!C->Ty.isInt() || !C->Operand->Ty.isInt() || C->Ty.Bits < 32)
      break;
    Of = C->Operand.get();
  }
  return Of;
}

/// `(int)(unsigned)i` is i.
struct RoundTrips : Rewriter {
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *C = dyn_cast<Cast>(E.get());
    auto *In = C ? dyn_cast<Cast>(C->Operand.get()) : nullptr;
    return In && C->Ty.isInt() && In->Ty.isInt() && In->Operand->Ty == C->Ty &&
                   In->Ty.Bits >= C->Ty.Bits
               ? In->Operand
               : E;
  }
};

class TileForwarder {
public:
  /// Blocks: the numbers that a block's extents are known to be, 0 for none.
  TileForwarder(LaunchNest Nest, std::array<int64_t, 3> Blocks)
      : Nest(std::move(Nest)), Blocks(Blocks) {}

  /// What a thread does without the block's arrays; null where it needs one.
  StmtRef run() {
    collect(Nest.Body);
    StmtRef Body = Nest.Body;
    if (Nest.Shared.empty())
      return nullptr;
    for (const BufferRef &B : Nest.Shared) {
      Body = without(B, Body);
      if (!Body)
        return nullptr;
    }
    struct NoBarriers : Rewriter {
      StmtRef rewriteStmt(const StmtRef &S) override {
        return isa<Barrier>(*S) ? nullptr : S;
      }
    } Remove;
    return withoutUnread(Remove.run(Body));
  }

private:
  const LaunchNest Nest;
  const std::array<int64_t, 3> Blocks;
  std::map<const Var *, const Decl *> Decls; ///< of what never changes
  std::map<const Var *, const For *> Counters;
  std::set<const Var *> Changing;

  void collect(const StmtRef &S) {
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *A = dyn_cast<Assign>(Sub.get()))
        Changing.insert(A->V.get());
      else if (auto *L = dyn_cast<For>(Sub.get())) {
        Counters[L->V.get()] = L;
        if (!L->DeclaresVar)
          Changing.insert(L->V.get());
      } else if (auto *D = dyn_cast<Decl>(Sub.get()))
        Decls[D->V.get()] = D;
    });
    for (const Var *V : Changing)
      Decls.erase(V);
  }

  /// 0 for threadIdx.x to 2 for threadIdx.z, if E is that, by whatever name.
  std::optional<unsigned> threadIndex(const ExprRef &E) const {
    auto *U = dyn_cast<VarUse>(bare(E));
    if (!U)
      return std::nullopt;
    for (unsigned D : {0, 1, 2})
      if (U->V == Nest.Index[3 + D])
        return D;
    const auto It = Decls.find(U->V.get());
    return It != Decls.end() && It->second->Init
               ? threadIndex(It->second->Init)
               : std::nullopt;
  }

  /// E with what local names stand for where that hangs on the indices Of.
  ExprRef expanded(const ExprRef &E, const std::set<const Var *> &Of) const {
    struct Expander : Rewriter {
      const TileForwarder *T = nullptr;
      const std::set<const Var *> *Of = nullptr;
      ExprRef rewriteExpr(const ExprRef &E) override {
        auto *U = dyn_cast<VarUse>(E.get());
        const auto It = U ? T->Decls.find(U->V.get()) : T->Decls.end();
        if (It == T->Decls.end() || !It->second->Init)
          return E;
        const ExprRef Init = T->expanded(It->second->Init, *Of);
        return any_of(*Of, [&](const Var *V) { return uses(Init, V); }) ? Init
                                                                      : E;
      }
    } Expand;
    Expand.T = this;
    Expand.Of = &Of;
    return Expand.run(E);
  }

  /// Where the one store to B stands in S: the lists around it, innermost last,
  /// and its place in each.
  struct Place {
    std::vector<std::pair<StmtRef, size_t>> Lists;
    bool InLoop = false;
  };
  bool find(const StmtRef &S, const Buffer *B, Place &P) const {
    auto *L = dyn_cast<For>(S.get());
    auto *W = dyn_cast<While>(S.get());
    if (L || W) {
      const bool Found = find(L ? L->Body : W->Body, B, P);
      P.InLoop |= Found;
      return Found;
    }
    if (auto *St = dyn_cast<Store>(S.get()))
      return St->To.Buf.get() == B;
    if (!isa<Block>(*S))
      return false;
    const ArrayRef<StmtRef> List = statements(S);
    for (size_t I = 0; I != List.size(); ++I) {
      P.Lists.emplace_back(S, I);
      if (find(List[I], B, P))
        return true;
      P.Lists.pop_back();
    }
    return false;
  }

  static size_t loadsOf(const StmtRef &S, const Buffer *B) {
    size_t N = 0;
    forEachExpr(S, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      N += L && L->From.Buf.get() == B;
    });
    return N;
  }

  StmtRef without(const BufferRef &B, const StmtRef &Body) const {
    size_t Stores = 0;
    bool Plain = !B->Volatile && !B->PerWarp;
    for (const ExprRef &E : B->Extents)
      Plain &= E && constantValue(E);
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      Stores += St && St->To.Buf == B;
      auto *D = dyn_cast<Decl>(S.get());
      Plain &= !isa<Opaque, Region, Return>(*S) && !(D && D->V->Base == B);
    });
    Place P;
    if (!Plain || Stores != 1 || !find(Body, B.get(), P) || P.Lists.empty())
      return nullptr;
    const auto &[Around, At] = P.Lists.back();
    const ArrayRef<StmtRef> List = statements(Around);
    auto *St = dyn_cast<Store>(List[At].get());
    if (!St || St->Op != Combiner::None || St->To.isView() || St->Atomic ||
        St->To.Indices.size() != B->Extents.size() ||
        St->Value->Ty != B->Elem)
      return nullptr;
    std::set<const Var *> Threads;
    for (unsigned D : {3, 4, 5})
      Threads.insert(Nest.Index[D].get());
    const ExprRef Value = expanded(St->Value, Threads);
    std::vector<unsigned> Dims;
    if (!isCopy(Value) || !readIndices(*St, Value, Dims))
      return nullptr;
    // Read behind a barrier that follows, in the same list, and nowhere else.
    size_t Wait = At + 1;
    while (Wait < List.size() && !isBlockBarrier(List[Wait]))
      ++Wait;
    size_t Last = Wait, Behind = 0;
    for (size_t I = Wait; I < List.size(); ++I)
      if (const size_t N = loadsOf(List[I], B.get())) {
        if (isReadInLoop(List[I], B.get()))
          return nullptr;
        Behind += N;
        Last = I;
      }
    if (Behind == 0 || Behind != loadsOf(Body, B.get()) ||
        mayChange(Value, List.slice(At, Last - At + 1), B.get()))
      return nullptr;
    // Before it is stored again, in a later iteration, all have read it.
    const bool Waits = any_of(List.take_front(At), isBlockBarrier) ||
                       any_of(List.drop_front(Last + 1), isBlockBarrier);
    if (!Waits && P.InLoop)
      return nullptr;
    return replaced(Body, *St, Dims);
  }

  /// Whether S goes on to read elements of B that it has read: a CPU's nearest
  /// cache gains from a small copy, too.
  static bool isReadInLoop(const StmtRef &S, const Buffer *B) {
    bool Found = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      Found |= isa<For, While>(*Sub) && loadsOf(Sub, B) > 0;
    });
    return Found;
  }

  static bool isBlockBarrier(const StmtRef &S) {
    auto *W = dyn_cast<Barrier>(S.get());
    return W && !W->OfWarp;
  }

  /// Whether E is an element of memory, a number, or one of such by a
  /// condition: as cheap there as in an array of the block.
  bool isCopy(const ExprRef &E) const {
    if (auto *C = dyn_cast<Cast>(E.get()))
      return isCopy(C->Operand);
    if (auto *S = dyn_cast<Select>(E.get()))
      return isCopy(S->True) && isCopy(S->False) && isIndex(S->Cond);
    if (auto *L = dyn_cast<Load>(E.get()))
      return !L->From.Buf->Volatile &&
             L->From.Buf->Kind != BufferKind::Shared &&
             L->From.Buf->Kind != BufferKind::Local &&
             all_of(L->From.Indices,
                    [&](const ExprRef &I) { return isIndex(I); });
    return isa<IntConst, FloatConst>(*E);
  }

  /// Integer arithmetic on what does not change.
  bool isIndex(const ExprRef &E) const {
    bool Fits = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      Fits &= !isa<Load, Call, NonNull, FloatConst>(*Sub);
      auto *U = dyn_cast<VarUse>(Sub.get());
      Fits &= !U || !Changing.count(U->V.get());
    });
    return Fits && !effectsOf(E).MayTrap;
  }

  /// Each of St's subscripts is the index of a thread: its dimension in Dims.
  /// False also where Value hangs on an index that no subscript has.
  bool readIndices(const Store &St, const ExprRef &Value,
                   std::vector<unsigned> &Dims) const {
    for (const ExprRef &I : St.To.Indices) {
      const std::optional<unsigned> D = threadIndex(I);
      if (!D || is_contained(Dims, *D) || !Blocks[*D])
        return false;
      Dims.push_back(*D);
    }
    for (unsigned D : {0, 1, 2})
      if (!is_contained(Dims, D) &&
          (uses(Value, Nest.Index[3 + D].get()) || Blocks[D] != 1))
        return false;
    return true;
  }

  /// Whether a thread may change what Value reads before it looks at B again in
  /// List, whose loops do not look at it.
  static bool mayChange(const ExprRef &Value, ArrayRef<StmtRef> List,
                        const Buffer *B) {
    std::vector<const Buffer *> Read;
    forEachExpr(Value, [&](const ExprRef &E) {
      if (auto *L = dyn_cast<Load>(E.get()))
        Read.push_back(L->From.Buf.get());
    });
    bool Changed = false, Late = false;
    const auto Look = [&](const ExprRef &E) {
      forEachExpr(E, [&](const ExprRef &Sub) {
        auto *L = dyn_cast<Load>(Sub.get());
        Late |= Changed && L && L->From.Buf.get() == B;
      });
    };
    for (const StmtRef &S : List)
      forEachStmt(S, [&](const StmtRef &Sub) {
        if (auto *D = dyn_cast<Decl>(Sub.get()); D && D->Init)
          Look(D->Init);
        else if (auto *A = dyn_cast<Assign>(Sub.get()))
          Look(A->Value);
        else if (auto *I = dyn_cast<If>(Sub.get()))
          Look(I->Cond);
        auto *St = dyn_cast<Store>(Sub.get());
        if (!St)
          return;
        Look(St->Value);
        for (const ExprRef &I : St->To.Indices)
          Look(I);
        Changed |= St->To.Buf.get() != B &&
                   St->To.Buf->Kind != BufferKind::Shared &&
                   any_of(Read, [&](const Buffer *R) {
                     return alias(*R, *St->To.Buf) != AliasResult::No;
                   });
      });
    return Late;
  }

  /// Whether there is a thread with index E in dimension D, for each value that
  /// E has.
  bool isThread(const ExprRef &E, unsigned D, const Buffer &B,
                size_t Dim) const {
    const int64_t Most = Blocks[D];
    if (*constantValue(B.Extents[Dim]) <= Most)
      return true; // or it is no element
    if (const std::optional<int64_t> N = constantValue(E))
      return *N >= 0 && *N < Most;
    if (const std::optional<unsigned> Other = threadIndex(E))
      return Blocks[*Other] && Blocks[*Other] <= Most;
    auto *U = dyn_cast<VarUse>(bare(E));
    const auto It = U ? Counters.find(U->V.get()) : Counters.end();
    if (It == Counters.end() || Changing.count(U->V.get()))
      return false;
    const For &L = *It->second;
    const std::optional<int64_t> Lo = constantValue(L.Lo),
                                 Hi = constantValue(L.Hi),
                                 Step = constantValue(L.Step);
    return Lo && Hi && Step && *Lo >= 0 && *Step > 0 &&
           L.Cond == BinaryOp::LT && *Hi <= Most;
  }

  StmtRef replaced(const StmtRef &Body, const Store &St,
                   ArrayRef<unsigned> Dims) const {
    struct Reader : Rewriter {
      const TileForwarder *T = nullptr;
      const Store *St = nullptr;
      ArrayRef<unsigned> Dims;
      bool Fails = false;
      ExprRef rewriteExpr(const ExprRef &E) override {
        auto *L = dyn_cast<Load>(E.get());
        if (!L || L->From.Buf != St->To.Buf)
          return E;
        Substitution Of;
        std::set<const Var *> Others;
        for (size_t D = 0; D != Dims.size(); ++D) {
          const ExprRef &I = L->From.Indices[D];
          Fails |= L->From.isView() ||
                   !T->isThread(I, Dims[D], *St->To.Buf, D) ||
                   effectsOf(I).MayTrap;
          const VarRef &V = T->Nest.Index[3 + Dims[D]];
          if (T->threadIndex(I) == Dims[D])
            continue; // its own
          Of[V.get()] = build::cast(I, V->Ty);
          Others.insert(V.get());
        }
        return RoundTrips().run(
            substitute(T->expanded(St->Value, Others), Of));
      }
      StmtRef rewriteStmt(const StmtRef &S) override {
        auto *Old = dyn_cast<Store>(S.get());
        return Old && Old->To.Buf == St->To.Buf ? nullptr : S;
      }
    } Read;
    Read.T = this;
    Read.St = &St;
    Read.Dims = Dims;
    const StmtRef Out = Read.run(Body);
    return Read.Fails ? nullptr : Out;
  }
};

/// The numbers that Guards test a block's extents to be.
std::array<int64_t, 3> testedBlocks(const Function &F,
                                    ArrayRef<Guard> Guards) {
  std::array<int64_t, 3> Found{};
  for (const Guard &G : Guards) {
    std::vector<ExprRef> All;
    if (G.Cond)
      conjuncts(G.Cond, All);
    for (const ExprRef &C : All) {
      auto *B = dyn_cast<Binary>(C.get());
      auto *U = B && B->Op == BinaryOp::EQ ? dyn_cast<VarUse>(B->L.get())
                                           : nullptr;
      for (unsigned D : {0, 1, 2})
        if (U && U->V == F.LaunchDims[3 + D])
          Found[D] = constantValue(B->R).value_or(0);
    }
  }
  return Found;
}

StmtRef withBodyOfThreads(const StmtRef &S, const StmtRef &Body) {
  struct Replacer : Rewriter {
    StmtRef Body;
    StmtRef rewriteStmt(const StmtRef &S) override {
      if (auto *D = dyn_cast<DeclBuffer>(S.get());
          D && D->B->Kind == BufferKind::Shared)
        return nullptr;
      auto *L = dyn_cast<For>(S.get());
      if (!L || L->LKind != LoopKind::BlockX)
        return S;
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, Body, L->Loc);
    }
  } Replace;
  Replace.Body = Body;
  return Replace.run(S);
}

} // namespace

FunctionRef forwardTiles(FunctionRef F, Context &Ctx) {
  auto *R = F->Kind == FunctionKind::Kernel ? dyn_cast<Region>(F->Body.get())
                                            : nullptr;
  std::optional<LaunchNest> Nest =
      R ? launchNest(R->Original) : std::nullopt;
  if (!Nest)
    return F;
  const StmtRef Body =
      TileForwarder(*Nest, testedBlocks(*F, R->Rests.Guards)).run();
  if (!Body)
    return F;
  auto Plain = std::make_shared<Function>(*F);
  Plain->Body = withBodyOfThreads(R->Original, Body);
  Plain->InOrder = true;
  Context Try = Ctx;
  Try.Missed.clear();
  const FunctionRef Merged = mergeLaunch(Plain, Try);
  auto *New = dyn_cast<Region>(Merged->Body.get());
  if (!New)
    return F;
  Obligations Rests = New->Rests;
  for (const Guard &G : R->Rests.Guards)
    if (none_of(Rests.Guards, [&](const Guard &Had) {
          return Had.Cond && G.Cond && structurallyEqual(Had.Cond, G.Cond);
        }))
      Rests.Guards.push_back(G);
  auto Out = std::make_shared<Function>(*Plain);
  Out->Body =
      std::make_shared<Region>(std::move(Rests),
                               RoundTrips().run(New->Body),
                               R->Original, R->Loc);
  // It is worth it, and right, where the threads' loop is proved as any loop.
  Try.Missed.clear();
  const FunctionRef Raised = raiseLoops(Out, Try);
  bool Proved = isa<Region>(*Raised->Body) && Try.Missed.empty();
  forEachStmt(Raised->Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    Proved &= !L || L->LKind != LoopKind::Parallel;
  });
  return Proved ? Out : F;
}

} // namespace raise
