//===- PhaseLoops.cpp - pieces as loops over threads ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PhaseLoops.h"
#include "FoldConstants.h"
#include "LaunchForm.h"
#include "raise/IR/Effects.h"

using namespace llvm;

namespace raise {

std::shared_ptr<const For> PhaseLoops::loopOver(unsigned D, const VarRef &V,
                                                StmtRef Body) const {
  return std::make_shared<For>(V, build::intConst(0, V->Ty), BinaryOp::LT,
                               Launch.extentIn(D, V->Ty),
                               build::intConst(1, V->Ty), LoopKind::Parallel,
                               true, std::move(Body), Loc);
}

/// S, where it is declarations and an `if (t == 0 && ...)` for the iterator
/// V, with 0 for it.
static bool takeFirst(StmtRef &S, const VarRef &V) {
  const ArrayRef<StmtRef> List = statements(S);
  auto *I = List.empty() ? nullptr : dyn_cast<If>(List.back().get());
  if (!I || I->Else ||
      any_of(List.drop_back(), [](const StmtRef &D) { return !isa<Decl>(*D); }))
    return false;
  std::vector<ExprRef> All;
  conjuncts(I->Cond, All);
  ExprRef Rest;
  bool Found = false;
  for (const ExprRef &C : All) {
    auto *B = dyn_cast<Binary>(C.get());
    auto *U = B ? dyn_cast<VarUse>(withoutIntCasts(B->L.get())) : nullptr;
    auto *K = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    if (U && U->V == V && K && K->Value == 0 && B->Op == BinaryOp::EQ)
      Found = true;
    else
      Rest = build::logicalAnd(Rest, C);
  }
  if (!Found)
    return false;
  StmtList Out = List.drop_back().vec();
  if (Rest)
    Out.push_back(std::make_shared<If>(Rest, I->Then, nullptr, I->Loc));
  else
    append_range(Out, statements(I->Then));
  S = substitute(std::make_shared<Block>(std::move(Out), S->Loc), V,
                 build::intConst(0, V->Ty));
  S = withoutZeros(S);
  return true;
}

/// S for each thread; for the first alone where no other does anything.
StmtRef PhaseLoops::overThreads(StmtRef S, ArrayRef<unsigned> Dims) const {
  for (unsigned D : Dims)
    if (Launch.Iterator[D] && !takeFirst(S, Launch.Iterator[D])) {
      auto V = std::make_shared<Var>(*Launch.Iterator[D]);
      S = loopOver(D, V, substitute(S, Launch.Iterator[D], build::var(V)));
    }
  return S;
}

static bool hasTraps(const ExprRef &E) { return effectsOf(E).MayTrap; }

/// N's statement around its pieces; null where it would do nothing.
StmtRef PhaseLoops::around(const PhaseNode &N, ArrayRef<unsigned> Dims) const {
  StmtList Then, Else;
  write(N.Then, Dims, Then);
  write(N.Else, Dims, Else);
  const Stmt *S = N.Control.get();
  StmtRef Inner = std::make_shared<Block>(std::move(Then), S->Loc);
  if (auto *I = dyn_cast<If>(S);
      I && statements(Inner).empty() && Else.empty() && !hasTraps(I->Cond))
    return nullptr;
  if (auto *I = dyn_cast<If>(S))
    return std::make_shared<If>(
        I->Cond, Inner,
        I->Else ? std::make_shared<Block>(std::move(Else), S->Loc) : nullptr,
        S->Loc);
  if (auto *W = dyn_cast<While>(S))
    return std::make_shared<While>(W->Cond, W->TestFirst, Inner, W->Why, S->Loc,
                                   nullptr);
  auto *L = cast<For>(S);
  return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                               L->DeclaresVar, Inner, S->Loc);
}

void PhaseLoops::write(const PhaseList &List, ArrayRef<unsigned> Dims,
                       StmtList &Out) const {
  for (const PhaseNode &N : List)
    switch (N.Kind) {
    case PhaseNode::Wait:
      break;
    case PhaseNode::Once:
      append_range(Out, N.List);
      break;
    case PhaseNode::Threads:
      if (const auto It = InWarps.find(&N); It != InWarps.end())
        append_range(Out, statements(overThreads(It->second, OfWarps)));
      else if (!N.List.empty())
        append_range(Out,
                     statements(overThreads(makeBlock(N.List, Loc), Dims)));
      break;
    case PhaseNode::Nest:
      if (StmtRef S = around(N, Dims))
        Out.push_back(std::move(S));
      break;
    }
}

} // namespace raise
