//===- SplitSums.cpp - each sum in the loops that suit it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A nest that adds to several arrays goes through each of them in one order:
//
//   for (b) for (o) for (i) { x[b,i] += d * w[o,i]; w_adj[o,i] += d * x[b,i]; }
//
// A row of x stays in the caches while its sum is made; all of w_adj is gone
// through for each b. Taken apart, each sum has the loops that it is summed
// over just around its row.
//
//===----------------------------------------------------------------------===//
#include "Peel.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using LoopSet = std::set<const For *>;

/// `x[...] += e`, the loops of the nest around it, outermost first, and those
/// of them that tell which element is meant.
struct MemorySum {
  const Store *St;
  std::vector<const For *> Loops;
  LoopSet Own;

  /// Whether the nest comes back to each of several rows: a loop that the
  /// element does not hang on stands around one that chooses the row.
  bool comesBack() const {
    if (Loops.size() < 3 || !Own.count(Loops.back()))
      return false;
    bool Repeats = false;
    for (const For *L : llvm::ArrayRef(Loops).drop_back()) {
      if (Repeats && Own.count(L))
        return true;
      Repeats |= !Own.count(L);
    }
    return false;
  }
};

/// Finds the sums of a nest.
class SumFinder {
public:
  std::vector<MemorySum> Found;

  void walk(const StmtRef &S) {
    if (!S)
      return;
    if (auto *L = dyn_cast<For>(S.get())) {
      From[L->V.get()] = {L};
      Around.push_back(L);
      walk(L->Body);
      Around.pop_back();
      return;
    }
    if (auto *D = dyn_cast<Decl>(S.get()))
      From[D->V.get()] = D->Init ? loopsOf(D->Init) : LoopSet();
    if (auto *A = dyn_cast<Assign>(S.get()))
      From[A->V.get()].insert(Around.begin(), Around.end());
    if (auto *St = dyn_cast<Store>(S.get());
        St && St->Value->Ty.isFloat() &&
        (St->Op == Combiner::Add || St->Op == Combiner::Sub)) {
      LoopSet Own;
      for (const auto *List : {&St->To.Indices, &St->To.Extents})
        for (const ExprRef &E : *List)
          Own.merge(loopsOf(E));
      Found.push_back({St, Around, std::move(Own)});
    }
    mapChildren(S, [&](const StmtRef &C) {
      walk(C);
      return C;
    });
  }

private:
  LoopSet loopsOf(const ExprRef &E) const {
    LoopSet Out;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      auto It = U ? From.find(U->V.get()) : From.end();
      if (It != From.end())
        Out.insert(It->second.begin(), It->second.end());
    });
    return Out;
  }

  std::map<const Var *, LoopSet> From; ///< what a variable hangs on
  std::vector<const For *> Around;
};

enum : unsigned { AsItIs = 1, RowsFirst };

class SplitSums : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const Obligations Before = N.Rests;
    if (auto Parts = split(S))
      return makeBlock(std::move(*Parts), L.Loc);
    N.Rests = Before;
    StmtRef Body = bodyOf(L, L);
    return Body == L.Body ? S : withLoopBody(L, std::move(Body));
  }

  /// The sum of S, a nest, that it comes back to, and what each buffer asks
  /// for; null where all ask for the same.
  const MemorySum *choose(const std::vector<MemorySum> &Sums) {
    const MemorySum *Chosen = nullptr;
    Labels.clear();
    for (const MemorySum &M : Sums)
      if (M.comesBack()) {
        if (!Chosen)
          Chosen = &M;
        else if (M.Loops != Chosen->Loops || M.Own != Chosen->Own)
          return nullptr;
        Labels[M.St->To.Buf.get()] = RowsFirst;
      }
    bool Others = false;
    for (const MemorySum &M : Sums)
      if (Chosen && !M.comesBack() && M.Loops == Chosen->Loops) {
        unsigned &Label = Labels[M.St->To.Buf.get()];
        if (Label == RowsFirst)
          return nullptr;
        Label = AsItIs;
        Others = true;
      }
    return Others ? Chosen : nullptr;
  }

  /// The label of what S stores to, where it is one.
  unsigned labelOf(const StmtRef &S) const {
    if (isa<If>(S.get())) // the test alone
      return 0;
    unsigned Label = 0;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      auto It = St ? Labels.find(St->To.Buf.get()) : Labels.end();
      if (It != Labels.end())
        Label = std::max(Label, It->second);
    });
    return Label;
  }

  /// Of Depth loops, from S on, those at the places in Rows first. What the
  /// outer ones declare is declared in the innermost. Null where something else
  /// stands between them.
  static StmtRef rowsFirst(const StmtRef &S, size_t Depth,
                           const std::set<size_t> &Rows) {
    std::vector<const For *> Loops;
    std::vector<StmtRef> Body;
    StmtRef At = S;
    for (size_t K = 0; K < Depth; ++K) {
      auto *L = dyn_cast<For>(At.get());
      if (!L)
        return nullptr;
      Loops.push_back(L);
      At = nullptr;
      for (const StmtRef &Sub : statements(L->Body)) {
        if (K + 1 == Depth)
          Body.push_back(Sub);
        else if (isCheap(Sub))
          Body.push_back(Sub);
        else if (At || !isa<For>(Sub.get()))
          return nullptr;
        else
          At = Sub;
      }
      if (!At && K + 1 < Depth)
        return nullptr;
    }
    std::vector<const For *> Order;
    for (bool Row : {true, false})
      for (size_t K = 0; K < Depth; ++K)
        if ((Rows.count(K) != 0) == Row)
          Order.push_back(Loops[K]);
    StmtRef Out = makeBlock(std::move(Body), Loops.back()->Loc);
    for (const For *L : llvm::reverse(Order))
      Out = withLoopBody(*L, Out);
    return Out;
  }

  std::optional<std::vector<StmtRef>> split(const StmtRef &S) {
    SumFinder Sums;
    Sums.walk(S);
    const MemorySum *Chosen = choose(Sums.Found);
    if (!Chosen)
      return std::nullopt;
    const std::vector<const For *> Nest = Chosen->Loops;
    const auto Chain = llvm::ArrayRef(Nest).drop_back();
    if (!mayReorder(Chain))
      return std::nullopt;
    auto Parts =
        apart(Nest, 0, [&](const StmtRef &Sub) { return labelOf(Sub); });
    if (!Parts)
      return std::nullopt;
    std::set<size_t> Rows;
    for (size_t K = 0; K < Chain.size(); ++K)
      if (Chosen->Own.count(Chain[K]))
        Rows.insert(K);
    for (StmtRef &Part : *Parts)
      if (labelOf(Part) == RowsFirst) {
        Part = rowsFirst(Part, Chain.size(), Rows);
        if (!Part)
          return std::nullopt;
      }
    return Parts;
  }

  std::map<const Buffer *, unsigned> Labels;
};

} // namespace

FunctionRef raise::splitSums(FunctionRef F, Context &Ctx) {
  return withBody(*F, SplitSums(*F, Ctx).run(F->Body));
}
