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
#include "MemorySums.h"
#include "Peel.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

enum : unsigned { AsItIs = 1, RowsFirst, Beside };

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

  /// What Nest stores beside its innermost loop is a part of its own: of a sum
  /// with nothing beside it there may be tiles.
  void labelOthers(const std::vector<const For *> &Nest) {
    std::set<const Buffer *> Inside;
    forEachStmt(Nest.back()->Body, [&](const StmtRef &Sub) {
      if (auto *St = dyn_cast<Store>(Sub.get()))
        Inside.insert(St->To.Buf.get());
    });
    forEachStmt(Nest.front()->Body, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      if (St && !Inside.count(St->To.Buf.get()))
        Labels.insert({St->To.Buf.get(), Beside});
    });
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
    const auto Label = [&](const StmtRef &Sub) { return labelOf(Sub); };
    const auto Two = Labels;
    const Obligations Before = N.Rests;
    labelOthers(Nest);
    auto Parts = apart(Nest, 0, Label);
    if (!Parts) {
      Labels = Two;
      N.Rests = Before;
      Parts = apart(Nest, 0, Label);
    }
    if (!Parts)
      return std::nullopt;
    std::set<size_t> Rows;
    for (size_t K = 0; K < Chain.size(); ++K)
      if (Chosen->Own.count(Chain[K]))
        Rows.insert(K);
    for (StmtRef &Part : *Parts)
      if (labelOf(Part) == RowsFirst) {
        Part = rowsFirst(Part, Chain.size(), Rows, isCheap);
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
