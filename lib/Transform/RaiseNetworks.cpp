//===- RaiseNetworks.cpp - trees over a block's threads, as sums ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Statements of a block, once its threads are loops, that only put elements of
// its arrays together: trees (Harris, Optimizing parallel reduction in CUDA,
// 2007), butterflies, ladders (Hillis, Steele, CACM 1986; Blelloch, 1990).
// Network says what is in each element when they are done. Where what is still
// looked at are sums of a whole range, or sums of all ranges that start at one
// place, that is computed by one loop each.
//
//===----------------------------------------------------------------------===//
#include "BarrierPhases.h"
#include "ConcreteRaces.h"
#include "FoldConstants.h"
#include "Networks.h"
#include "RegionPass.h"
#include "WriteNetworks.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace raise {

namespace {

class NetworkRaiser {
public:
  NetworkRaiser(FPMode FP, const StmtRef &Body) : FP(FP) {
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *D = dyn_cast<DeclBuffer>(S.get()))
        Arrays.push_back(D->B);
    });
  }

  StmtRef run(const StmtRef &S) { return inside(S, nullptr, nullptr, false); }
  /// Whether sums that round were put together in another order.
  bool regroups() const { return Regroups; }

private:
  FPMode FP;
  std::vector<BufferRef> Arrays;
  bool Regroups = false;
  /// What may still be run of the kernel, each statement from several places
  /// on.
  size_t StepsLeft = 6000000;
  static constexpr size_t MostStatements = 24;

  StmtRef inside(const StmtRef &S, const Level *Outer, const StmtRef &Loop,
                 bool IsBody) {
    if (isa<Block>(*S))
      return ofList(S, Outer, Loop, IsBody);
    const bool Loops = isa<For, While>(*S);
    return mapChildren(S, [&](const StmtRef &Sub) {
      return inside(Sub, Outer, Loops ? S : Loop, Loops);
    });
  }

  StmtRef ofList(const StmtRef &S, const Level *Outer, const StmtRef &Loop,
                 bool IsBody) {
    StmtList List = cast<Block>(S.get())->Body;
    Network Before(FP); // the integers that are known from here on
    for (size_t I = 0; I < List.size(); ++I) {
      const ArrayRef<StmtRef> Whole(List);
      Level Here{Outer, Whole.take_front(I), {}, {}, Loop, IsBody};
      StmtList Instead;
      std::vector<std::pair<Cell, VarRef>> Named;
      if (const size_t N =
              replace(Whole.drop_front(I), Here, Before, Instead, Named)) {
        StmtList Rest = Whole.drop_front(I + N).vec();
        List.resize(I);
        for (const auto &[At, V] : Named)
          takeNamed(At, V, Rest);
        append_range(List, Instead);
        for (const StmtRef &New : Instead)
          Before.follow(New);
        I = List.size() - 1;
        append_range(List, Rest);
        continue;
      }
      Here.Self = Whole.slice(I, 1);
      Here.After = Whole.drop_front(I + 1);
      const StmtRef New = inside(List[I], &Here, nullptr, false);
      List[I] = New;
      Before.follow(New);
    }
    return List == cast<Block>(S.get())->Body
               ? S
               : std::make_shared<Block>(std::move(List), S->Loc);
  }

  /// Rest looks at V instead of at element At, which was just given V's value,
  /// if it stores to no element of that array, and looks at no other.
  static void takeNamed(const Cell &At, const VarRef &V, StmtList &Rest) {
    struct Reads : Rewriter {
      Cell At;
      VarRef V;
      bool Other = false;
      ExprRef rewriteExpr(const ExprRef &E) override {
        auto *L = dyn_cast<Load>(E.get());
        if (!L || L->From.Buf.get() != At.Array)
          return E;
        if (!L->From.isView() && L->From.Indices.size() == 1 &&
            constantValue(L->From.Indices[0]) == At.At)
          return build::var(V);
        Other = true;
        return E;
      }
    } R;
    R.At = At;
    R.V = V;
    bool Stores = false;
    StmtList New;
    for (const StmtRef &S : Rest) {
      forEachStmt(S, [&](const StmtRef &Sub) {
        auto *St = dyn_cast<Store>(Sub.get());
        Stores |= St && St->To.Buf.get() == At.Array;
      });
      New.push_back(R.run(S));
    }
    if (!Stores && !R.Other)
      Rest = std::move(New);
  }

  /// Replaces statements at the front of List, and gives their number. Known:
  /// integers, before it.
  size_t replace(ArrayRef<StmtRef> List, const Level &Before,
                 const Network &Known, StmtList &Out,
                 std::vector<std::pair<Cell, VarRef>> &Named) {
    Network N(Known);
    if (StepsLeft == 0)
      return 0;
    std::vector<Network::State> After;
    for (const StmtRef &S : List) {
      if (isa<DeclBuffer>(*S) || !N.run(S))
        break;
      After.push_back(N.state());
      if (After.size() == MostStatements)
        break;
    }
    StepsLeft -= std::min(StepsLeft, N.steps());
    for (size_t Count = After.size(); Count > 0; --Count) {
      const Network::State &Found = After[Count - 1];
      if (Found.Combined == 0)
        return 0;
      if (none_of(List.take_front(Count),
                  [](const StmtRef &S) { return isa<For, While>(*S); }))
        return 0;
      Level Place = Before;
      Place.Self = List.take_front(Count);
      Place.After = List.drop_front(Count);
      auto New = writeNetwork(Found, Known, Place, Arrays);
      if (New && isSimpler(List.take_front(Count), New->List)) {
        Out = std::move(New->List);
        Named = std::move(New->Named);
        Regroups |= Found.Rounds;
        return Count;
      }
    }
    return 0;
  }

  /// Whether New is worth it: what is one loop already stays.
  static bool isSimpler(ArrayRef<StmtRef> Old, ArrayRef<StmtRef> New) {
    const auto Weight = [](ArrayRef<StmtRef> List) {
      size_t N = 0;
      for (const StmtRef &S : List)
        forEachStmt(S, [&](const StmtRef &Sub) {
          N += isa<For, While>(*Sub) ? 2 : isa<Store, If, Assign>(*Sub) ? 1 : 0;
        });
      return N;
    };
    return Weight(New) < Weight(Old);
  }
};

/// S without pointers to a fixed element of an array of the function's own: the
/// array is named itself.
StmtRef withoutFixedCursors(const StmtRef &S) {
  Substitution At;
  std::set<const Var *> Moved;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *A = dyn_cast<Assign>(Sub.get()))
      Moved.insert(A->V.get());
  });
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *D = dyn_cast<Decl>(Sub.get());
    if (D && D->V->Kind == VarKind::Cursor && D->Init && D->V->Base &&
        D->V->Base->Extents.size() == 1 && plainElements(*D->V->Base) &&
        !Moved.count(D->V.get()) && constantValue(D->Init))
      At[D->V.get()] = D->Init;
  });
  if (At.empty())
    return S;
  struct Remover : Rewriter {
    const Substitution *At = nullptr;
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *D = dyn_cast<Decl>(S.get());
      return D && At->count(D->V.get()) ? nullptr : S;
    }
  } Remove;
  Remove.At = &At;
  return withoutZeros(Remove.run(substitute(S, At)));
}

} // namespace

FunctionRef raiseNetworks(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  return mapRegions(F, [&](const Region &R) -> StmtRef {
    const StmtRef Tidy = withoutDeadStores(withoutFixedCursors(R.Body));
    NetworkRaiser Raiser(Ctx.Opts.FP, Tidy);
    const StmtRef New = Raiser.run(Tidy);
    if (New == R.Body)
      return nullptr;
    Obligations Rests = R.Rests;
    Rests.Regrouped |= Raiser.regroups();
    return std::make_shared<Region>(std::move(Rests), withoutDeadStores(New),
                                    R.Original, R.Loc);
  });
}

} // namespace raise
