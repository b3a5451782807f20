//===- MemorySums.cpp - sums of a nest, by the elements that get them -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemorySums.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using llvm::dyn_cast;
using llvm::isa;

namespace raise {

bool MemorySum::comesBack() const {
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

void SumFinder::walk(const StmtRef &S) {
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
  if (auto *St = dyn_cast<Store>(S.get()); St && St->Value->Ty.isFloat()) {
    LoopSet Own;
    for (const auto *List : {&St->To.Indices, &St->To.Extents})
      for (const ExprRef &E : *List)
        Own.merge(loopsOf(E));
    (St->Op == Combiner::Add || St->Op == Combiner::Sub ? Found : Replaced)
        .push_back({St, Around, std::move(Own)});
  }
  mapChildren(S, [&](const StmtRef &C) {
    walk(C);
    return C;
  });
}

LoopSet SumFinder::loopsOf(const ExprRef &E) const {
  LoopSet Out;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    auto It = U ? From.find(U->V.get()) : From.end();
    if (It != From.end())
      Out.insert(It->second.begin(), It->second.end());
  });
  return Out;
}

StmtRef rowsFirst(const StmtRef &S, size_t Depth, const std::set<size_t> &Rows,
                  llvm::function_ref<bool(const StmtRef &)> MayMove) {
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
      else if (MayMove(Sub))
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

} // namespace raise
