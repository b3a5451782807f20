//===- PointSums.cpp - one thread for each element that gets a sum --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device has threads for all points of a nest at once. An element that gets a
// sum is best one thread's, which goes over the terms by itself:
//
//   for (i) for (j) { s = g[i,j]; g[i,j] = 0; for (l) a[i,l] += s * b[l,j]; }
//
// becomes
//
//   for (i) for (l) for (j) a[i,l] += g[i,j] * b[l,j];
//   for (i) for (j) g[i,j] = 0;
//
//===----------------------------------------------------------------------===//
#include "MemorySums.h"
#include "SumLoops.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class PointSums : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;
  bool Changed = false;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const Obligations Before = N.Rests;
    if (auto Parts = split(S)) {
      Changed = true;
      return makeBlock(std::move(*Parts), L.Loc);
    }
    N.Rests = Before;
    StmtRef Body = bodyOf(L, L);
    return Body == L.Body ? S : withLoopBody(L, std::move(Body));
  }

  /// Whether a loop that its element does not hang on stands around one that
  /// chooses it.
  static bool isScattered(const MemorySum &M) {
    bool Repeats = false;
    for (const For *L : M.Loops) {
      if (Repeats && M.Own.count(L))
        return true;
      Repeats |= !M.Own.count(L);
    }
    return false;
  }

  static bool storesTo(const StmtRef &S, const Buffer *B) {
    bool Stores = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      Stores |= St && St->To.Buf.get() == B;
    });
    return Stores;
  }

  /// S as the loops that store to B, and the others.
  std::optional<std::vector<StmtRef>>
  withoutOthers(const Buffer *B, llvm::ArrayRef<const For *> Nest) {
    return apart(Nest, 0, [&](const StmtRef &Sub) -> unsigned {
      bool Any = false; // sums of scalars stay with the others
      forEachStmt(Sub,
                  [&](const StmtRef &In) { Any |= isa<Store, Assign>(*In); });
      if (isa<If>(*Sub) || !Any)
        return 0;
      return storesTo(Sub, B) ? 1 : 2;
    });
  }

  /// The nest S, whose sums are those of M's buffer alone.
  StmtRef ordered(const StmtRef &S, const MemorySum &M) {
    if (!mayReorder(M.Loops))
      return nullptr;
    std::set<size_t> Rows;
    for (size_t K = 0; K < M.Loops.size(); ++K)
      if (M.Own.count(M.Loops[K]))
        Rows.insert(K);
    return rowsFirst(S, M.Loops.size(), Rows, [&](const StmtRef &Let) {
      return isCheap(Let) || isFixed(Let, S);
    });
  }

  /// Whether Let declares what is the same anywhere among the stores of S.
  bool isFixed(const StmtRef &Let, const StmtRef &S) const {
    auto *D = dyn_cast<Decl>(Let.get());
    bool Fixed = D && D->Init;
    const auto Look = [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Fixed &= !isa<Call>(*E);
      if (L)
        forEachStmt(S, [&](const StmtRef &Sub) {
          auto *St = dyn_cast<Store>(Sub.get());
          Fixed &= !St || !mayMeet(*L->From.Buf, *St->To.Buf);
        });
    };
    if (Fixed)
      forEachExpr(D->Init, Look);
    return Fixed;
  }

  bool mayMeet(const Buffer &A, const Buffer &B) const {
    return alias(A, B) != AliasResult::No && !areApart(N.Rests.Guards, A, B) &&
           llvm::none_of(Ctx.Apart, [&](const auto &Pair) {
             return (Pair.first == &A && Pair.second == &B) ||
                    (Pair.first == &B && Pair.second == &A);
           });
  }

  /// S as two nests, or in a better order.
  std::optional<std::vector<StmtRef>> split(const StmtRef &S) {
    SumFinder Sums;
    Sums.walk(S);
    const auto M = llvm::find_if(Sums.Found, isScattered);
    if (M == Sums.Found.end())
      return std::nullopt;
    const Buffer *B = M->St->To.Buf.get();
    const auto IsOther = [&](const MemorySum &Other) {
      return Other.St->To.Buf.get() != B;
    };
    // The loops that it has in common with others.
    std::vector<const For *> Common;
    bool Alone = true;
    for (const auto *List : {&Sums.Replaced, &Sums.Found})
      for (const MemorySum &Other : *List) {
        if (!IsOther(Other))
          continue;
        Alone = false;
        size_t Depth = 0;
        while (Depth < M->Loops.size() && Depth < Other.Loops.size() &&
               M->Loops[Depth] == Other.Loops[Depth])
          ++Depth;
        if (Depth > Common.size())
          Common.assign(M->Loops.begin(), M->Loops.begin() + Depth);
      }
    if (Alone) {
      StmtRef New = ordered(S, *M);
      return New ? std::optional(std::vector{New}) : std::nullopt;
    }
    if (Common.empty())
      return std::nullopt;
    return withoutOthers(B, Common);
  }
};

} // namespace

FunctionRef raise::pointSums(FunctionRef F, Context &Ctx) {
  // One part is taken out of a nest at a time.
  for (unsigned I = 0; I < 16; ++I) {
    PointSums Next(*F, Ctx);
    const StmtRef New = Next.run(F->Body);
    if (!Next.Changed)
      break;
    F = withBody(*F, New);
  }
  return F;
}
