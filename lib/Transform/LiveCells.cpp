//===- LiveCells.cpp - elements that may still be read --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiveCells.h"
#include "FoldConstants.h"
#include "LaunchForm.h"
#include "Networks.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace raise {

namespace {

using StmtList = std::vector<StmtRef>;

/// Where the code goes on from a place, which elements of an array it looks at.
class Readers {
public:
  explicit Readers(const Buffer &B) : B(B) {}

  LiveCells after(const Level &Place) {
    for (const Level *L = &Place; L; L = L->Outer) {
      if (scan(L->After) || declaredIn(L->Before))
        return Live;
      if (L->Loop)
        comesRound(Place, *L);
    }
    return Live;
  }

private:
  const Buffer &B;
  LiveCells Live;

  bool declaredIn(ArrayRef<StmtRef> List) const {
    return any_of(List, [&](const StmtRef &S) {
      auto *D = dyn_cast<DeclBuffer>(S.get());
      return D && D->B.get() == &B;
    });
  }

  /// What Last's loop may look at from its start on.
  void comesRound(const Level &Place, const Level &Last) {
    if (!Last.IsBody) { // conditions, other branches
      lookAtAll(Last.Loop);
      return;
    }
    if (auto *W = dyn_cast<While>(Last.Loop.get()))
      forEachExpr(W->Cond, [&](const ExprRef &E) { look(E); });
    if (auto *L = dyn_cast<For>(Last.Loop.get())) // a loop around begins again
      for (const ExprRef &Bound : {L->Lo, L->Hi, L->Step})
        forEachExpr(Bound, [&](const ExprRef &E) { look(E); });
    if (scan(Last.Before))
      return;
    if (&Last == &Place)
      scan(Place.Self);
    else
      for (const StmtRef &S : Last.Self)
        lookAtAll(S);
  }

  void note(const Access &A) {
    if (A.Buf.get() != &B)
      return;
    int64_t Flat = 0;
    for (size_t D = 0; D != A.Indices.size(); ++D) {
      const std::optional<int64_t> I =
          A.isView() ? std::nullopt : constantValue(A.Indices[D]);
      const std::optional<int64_t> Extent =
          D ? constantValue(B.Extents[D]) : std::optional<int64_t>(0);
      if (!I || !Extent) {
        Live.All = true;
        return;
      }
      Flat = Flat * *Extent + *I;
    }
    Live.Some.insert(Flat);
  }

  void look(const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      note(L->From);
    else if (auto *P = dyn_cast<NonNull>(E.get()))
      Live.All |= P->Buf.get() == &B;
  }

  void lookAtAll(const StmtRef &S) {
    forEachExpr(S, [&](const ExprRef &E) { look(E); });
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      if (St && St->Op != Combiner::None)
        note(St->To);
      Live.All |= isa<Opaque, Region>(*Sub);
    });
  }

  /// Whether List gives every element a value; until then, what it looks at.
  bool scan(ArrayRef<StmtRef> List) {
    bool Leaves = false; // what follows may not be reached
    for (const StmtRef &S : List) {
      lookAtAll(S);
      forEachStmt(S, [&](const StmtRef &Sub) {
        Leaves |= isa<Break, Continue, Return>(*Sub);
      });
      std::map<const Var *, int64_t> Counters;
      if (!Leaves && !reads(S) && overwrites(S, Counters))
        return true;
    }
    return false;
  }

  bool reads(const StmtRef &S) const {
    bool Found = false;
    forEachExpr(S, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Found |= L && L->From.Buf.get() == &B;
    });
    return Found;
  }

  /// Whether S, in loops over Counters, which each go from 0 to a number,
  /// stores to every element: each subscript is the variable of a loop over all
  /// that it can be.
  bool overwrites(const StmtRef &S,
                  std::map<const Var *, int64_t> &Counters) const {
    if (auto *L = dyn_cast<For>(S.get())) {
      const std::optional<int64_t> Hi = constantValue(L->Hi);
      if (L->Cond != BinaryOp::LT || constantValue(L->Lo) != 0 ||
          constantValue(L->Step) != 1 || !Hi || *Hi <= 0)
        return false;
      Counters[L->V.get()] = *Hi;
      return any_of(statements(L->Body), [&](const StmtRef &Sub) {
        return overwrites(Sub, Counters);
      });
    }
    auto *St = dyn_cast<Store>(S.get());
    if (!St || St->To.Buf.get() != &B || St->Op != Combiner::None ||
        St->To.isView() || !St->To.Field.empty() ||
        St->To.Indices.size() != B.Extents.size())
      return false;
    std::set<const Var *> Used;
    for (size_t D = 0; D != St->To.Indices.size(); ++D) {
      auto *U = dyn_cast<VarUse>(St->To.Indices[D].get());
      const auto It = U ? Counters.find(U->V.get()) : Counters.end();
      if (It == Counters.end() || !Used.insert(U->V.get()).second ||
          !B.Extents[D] || constantValue(B.Extents[D]) != It->second)
        return false;
    }
    return true;
  }
};

/// Takes out stores that nothing looks at.
class DeadStores {
public:
  explicit DeadStores(const StmtRef &S) {
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *D = dyn_cast<DeclBuffer>(Sub.get());
      if (D && plainElements(*D->B))
        Arrays.insert(D->B.get());
    });
  }

  StmtRef inside(const StmtRef &S, const Level *Outer, const StmtRef &Loop,
                 bool IsBody) {
    if (isa<Block>(*S))
      return ofList(S, Outer, Loop, IsBody);
    const bool Loops = isa<For, While>(*S);
    return mapChildren(S, [&](const StmtRef &Sub) {
      return inside(Sub, Outer, Loops ? S : Loop, Loops);
    });
  }

private:
  std::set<const Buffer *> Arrays;

  StmtRef ofList(const StmtRef &S, const Level *Outer, const StmtRef &Loop,
                 bool IsBody) {
    StmtList List = cast<Block>(S.get())->Body;
    bool Any = false;
    for (size_t I = 0; I < List.size();) {
      const ArrayRef<StmtRef> Whole(List);
      const Level Here{Outer,
                       Whole.take_front(I),
                       Whole.slice(I, 1),
                       Whole.drop_front(I + 1),
                       Loop,
                       IsBody};
      if (isDead(Here)) {
        List.erase(List.begin() + ptrdiff_t(I));
        Any = true;
        continue;
      }
      const StmtRef New = inside(List[I], &Here, nullptr, false);
      Any |= New != List[I];
      List[I++] = New;
    }
    return Any ? std::make_shared<Block>(std::move(List), S->Loc) : S;
  }

  bool isDead(const Level &Here) const {
    auto *St = dyn_cast<Store>(Here.Self.front().get());
    if (!St || !Arrays.count(St->To.Buf.get()) || effectsOf(St->Value).MayTrap)
      return false;
    return isReplaced(*St, Here.After) ||
           cellsReadAfter(Here, *St->To.Buf).empty();
  }

  /// Whether the same element gets another value right away.
  static bool isReplaced(const Store &St, ArrayRef<StmtRef> After) {
    if (After.empty())
      return false;
    auto *Next = dyn_cast<Store>(After.front().get());
    if (!Next || Next->Op != Combiner::None || !sameAccess(Next->To, St.To))
      return false;
    bool Reads = false;
    forEachExpr(After.front(), [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Reads |= L && L->From.Buf == St.To.Buf;
    });
    return !Reads;
  }
};

/// Loops over threads of which one alone does anything that others see.
class OneOfThreads : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    if (!L || L->LKind != LoopKind::Parallel || L->Cond != BinaryOp::LT ||
        constantValue(L->Lo) != 0 || constantValue(L->Step) != 1)
      return S;
    const std::optional<int64_t> Hi = constantValue(L->Hi);
    Own.clear();
    OwnArrays.clear();
    forEachStmt(L->Body, [&](const StmtRef &Sub) {
      if (auto *D = dyn_cast<Decl>(Sub.get()))
        Own.insert(D->V.get());
      else if (auto *D = dyn_cast<DeclBuffer>(Sub.get()))
        OwnArrays.insert(D->B.get());
      else if (auto *In = dyn_cast<For>(Sub.get()); In && In->DeclaresVar)
        Own.insert(In->V.get());
    });
    std::optional<int64_t> One;
    if (!Hi || !isOnlyOf(L->Body, L->V.get(), std::nullopt, One) || !One ||
        *One < 0 || *One >= *Hi || effectsOf(L->Body).MayTrap)
      return S;
    return ConstantFolder().run(
        substitute(L->Body, L->V, build::intConst(*One, L->V->Ty)));
  }

  std::set<const Var *> Own;
  std::set<const Buffer *> OwnArrays;

  /// Whether S, which runs in the iteration Here alone if that is set, has
  /// effects outside of what the body declares in the iteration One alone.
  bool isOnlyOf(const StmtRef &S, const Var *V, std::optional<int64_t> Here,
                std::optional<int64_t> &One) const {
    const auto Has = [&](bool Outside) {
      if (!Outside)
        return true;
      if (!Here || (One && *One != *Here))
        return false;
      One = Here;
      return true;
    };
    switch (S->Kind) {
    case StmtKind::Block:
      return all_of(cast<Block>(S.get())->Body, [&](const StmtRef &Sub) {
        return isOnlyOf(Sub, V, Here, One);
      });
    case StmtKind::Decl:
    case StmtKind::DeclBuffer:
      return true;
    case StmtKind::Assign:
      return Has(!Own.count(cast<Assign>(S.get())->V.get()));
    case StmtKind::Store:
      return Has(!OwnArrays.count(cast<Store>(S.get())->To.Buf.get()));
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      return L->DeclaresVar && isOnlyOf(L->Body, V, Here, One);
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      return isOnlyOf(I->Then, V, Here ? Here : numberIn(I->Cond, V), One) &&
             (!I->Else || isOnlyOf(I->Else, V, Here, One));
    }
    case StmtKind::While: // it comes to its end in each, or in one alone
      return Here && isOnlyOf(cast<While>(S.get())->Body, V, Here, One) &&
             Has(true);
    default:
      return false;
    }
  }

  /// The number that V is where Cond holds.
  static std::optional<int64_t> numberIn(const ExprRef &Cond, const Var *V) {
    std::vector<ExprRef> All;
    conjuncts(Cond, All);
    for (const ExprRef &C : All) {
      auto *B = dyn_cast<Binary>(C.get());
      auto *U =
          B && B->Op == BinaryOp::EQ ? dyn_cast<VarUse>(B->L.get()) : nullptr;
      if (U && U->V.get() == V)
        if (const std::optional<int64_t> N = constantValue(B->R))
          return N;
    }
    return std::nullopt;
  }
};

} // namespace

LiveCells cellsReadAfter(const Level &Place, const Buffer &B) {
  return Readers(B).after(Place);
}

bool isReadAfter(const Level &Place, const Var *V) {
  const auto Uses = [&](const StmtRef &S) { return uses(S, V); };
  for (const Level *L = &Place; L; L = L->Outer) {
    if (any_of(L->After, Uses))
      return true;
    if (any_of(L->Before, [&](const StmtRef &S) {
          auto *D = dyn_cast<Decl>(S.get());
          return D && D->V.get() == V;
        }))
      return false;
    if (L->Loop && uses(L->Loop, V))
      return true;
  }
  return false;
}

StmtRef withoutDeadStores(const StmtRef &S) {
  StmtRef Now = S;
  for (int Round = 0; Round != 4; ++Round) {
    const StmtRef Was = Now;
    Now = DeadStores(Now).inside(Now, nullptr, nullptr, false);
    Now = withoutUnread(OneOfThreads().run(Now));
    if (Now == Was)
      break;
  }
  return Now;
}

} // namespace raise
