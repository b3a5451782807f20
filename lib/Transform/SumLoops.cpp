//===- SumLoops.cpp - loops whose iterations meet in sums -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SumLoops.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Sums in memory as atomic ones, or the other way round.
class SumsAtomic : public Rewriter {
public:
  explicit SumsAtomic(bool Atomic = true) : Atomic(Atomic) {}
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || !St->Value->Ty.isFloat() || St->To.Buf->Volatile ||
        (St->Op != Combiner::Add && St->Op != Combiner::Sub))
      return S;
    return std::make_shared<Store>(St->To, St->Op, St->Value, Atomic, St->Loc);
  }

private:
  const bool Atomic;
};

bool hasAtomics(const StmtRef &S) {
  bool Any = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *St = dyn_cast<Store>(Sub.get());
    Any |= St && St->Atomic;
  });
  return Any;
}

StmtRef replaced(const StmtRef &S, const For *Old,
                 const std::vector<StmtRef> &New) {
  if (S.get() == Old)
    return makeBlock(New);
  return mapChildren(S,
                     [&](const StmtRef &C) { return replaced(C, Old, New); });
}

} // namespace

std::shared_ptr<const For> raise::withLoopBody(const For &L, StmtRef Body) {
  return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                               L.DeclaresVar, std::move(Body), L.Loc);
}

bool raise::isCheap(const StmtRef &S) {
  auto *D = dyn_cast<Decl>(S.get());
  bool Cheap = D && D->Init;
  if (Cheap)
    forEachExpr(D->Init, [&](const ExprRef &E) {
      auto *B = dyn_cast<Binary>(E.get());
      Cheap &= !isa<Load>(*E) && !isa<Call>(*E) &&
               !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
    });
  return Cheap;
}

StmtRef SumLoops::run(const StmtRef &S) {
  if (auto *R = dyn_cast<Region>(S.get()))
    return inside(S, *R);
  if (auto *L = dyn_cast<For>(S.get()))
    return loop(S, *L);
  return mapChildren(S, [&](const StmtRef &C) { return run(C); });
}

StmtRef SumLoops::bodyOf(const For &L, const For &Now) {
  N.Loops.push_back(&Now);
  StmtRef Body = run(L.Body);
  N.Loops.pop_back();
  return Body;
}

/// What R tests is known in its body, and what loops there need is tested with
/// it.
StmtRef SumLoops::inside(const StmtRef &S, const Region &R) {
  llvm::SaveAndRestore<Nest> Outer(N);
  N.Root = R.Body;
  N.Rests = R.Rests;
  assignedVars(R.Body, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  // Conditions come before ranges, which may need them.
  std::vector<Guard> &Tests = N.Rests.Guards;
  const auto FirstRange =
      llvm::find_if(Tests, [](const Guard &G) { return !G.Cond; });
  const std::vector<Guard> Ranges(FirstRange, Tests.end());
  Tests.erase(FirstRange, Tests.end());
  MayTest = true;
  StmtRef Body = run(R.Body);
  MayTest = false;
  if (Body == R.Body)
    return S;
  llvm::append_range(Tests, Ranges);
  return std::make_shared<Region>(std::move(N.Rests), std::move(Body),
                                  R.Original, R.Loc);
}

/// What the tests so far say of variables that nothing here writes.
std::vector<ExprRef> SumLoops::known() const {
  std::vector<ExprRef> Out;
  for (const Guard &G : N.Rests.Guards) {
    bool Fixed = G.Cond != nullptr;
    if (G.Cond)
      forEachExpr(G.Cond, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        Fixed &= !isa<Load>(*E) && !(U && N.Inner.count(U->V.get()));
      });
    if (Fixed)
      Out.push_back(G.Cond);
  }
  return Out;
}

LoopQuery SumLoops::query(const For &L, const For &As) {
  const Liveness::VarSet &After = Live.liveAfter(&As);
  LiveOut.assign(After.begin(), After.end());
  LoopQuery Q;
  Q.Loop = &L;
  Q.Enclosing = N.Loops;
  Q.Known = known();
  Q.LiveOut = &LiveOut;
  Q.Separated = Ctx.Apart;
  return Q;
}

bool SumLoops::adopt(const std::vector<Guard> &Guards, const For &L) {
  const auto IsRange = [](const Guard &G) { return !G.Cond; };
  if (Guards.empty() || (MayTest && llvm::none_of(Guards, IsRange) &&
                         N.adopt(Guards, /*Outermost=*/N.Loops.empty())))
    return true;
  return leave({"CR1105",
                "what must be tested is not known before the first loop",
                L.Loc});
}

static bool touchesDerivative(const StmtRef &S) {
  bool Any = false;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *Ld = dyn_cast<Load>(E.get());
    Any |= Ld && Ld->From.Buf->Derivative != 0;
  });
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *St = dyn_cast<Store>(Sub.get());
    Any |= St && St->To.Buf->Derivative != 0;
  });
  return Any;
}

bool SumLoops::isFreeButForSums(const For &L, const For &As) {
  const bool Strict = Ctx.Opts.FP == FPMode::Strict ||
                      (Ctx.KeepPrimalSums && !touchesDerivative(L.Body));
  const StmtRef Body = SumsAtomic().run(L.Body);
  if (Body != L.Body && Strict)
    return leave({"CR1110", "sums keep their order", L.Loc});
  const For Sums(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar, Body,
                 L.Loc);
  LoopQuery Q = query(Sums, As);
  Q.UpdatesCommute = true;
  const LoopFacts Facts = analyseLoop(Q, F, Ctx);
  if (Facts.R != LoopFacts::Result::Independent)
    return leave(Facts.Why);
  if (!isFree(Facts, L))
    return leave({"CR1107", "the last iteration leaves a value", L.Loc});
  if (Strict && llvm::any_of(Facts.Reductions,
                             [](const ReductionInfo &R) { return R.Rounds; }))
    return leave({"CR1110", "sums keep their order", L.Loc});
  if (llvm::any_of(Facts.Reductions,
                   [](const ReductionInfo &R) { return R.keepsFirst(); }))
    return leave({"CR1110", "of zeros of both signs the first stays", L.Loc});
  return adopt(Facts.Guards, L);
}

bool SumLoops::mayReorder(llvm::ArrayRef<const For *> Nest) {
  const For &Outermost = *Nest.front();
  for (const For *L : Nest)
    if (!L->DeclaresVar || L->LKind != LoopKind::Serial ||
        !isFixedIn(L->Lo, Outermost) || !isFixedIn(L->Hi, Outermost) ||
        !isFixedIn(L->Step, Outermost))
      return false;
  const size_t Depth = N.Loops.size();
  bool Free = true;
  for (const For *L : Nest) {
    Free = Free && isFreeButForSums(*L);
    N.Loops.push_back(L);
  }
  N.Loops.resize(Depth);
  return Free;
}

std::optional<std::vector<StmtRef>>
SumLoops::apart(llvm::ArrayRef<const For *> Nest, size_t K,
                llvm::function_ref<unsigned(const StmtRef &)> LabelOf) {
  const For &L = *Nest[K];
  StmtRef Body = L.Body;
  if (K + 1 < Nest.size()) {
    N.Loops.push_back(&L);
    auto Inner = apart(Nest, K + 1, LabelOf);
    N.Loops.pop_back();
    if (!Inner)
      return std::nullopt;
    Body = replaced(Body, Nest[K + 1], *Inner);
  }
  const auto Both = withLoopBody(L, Body);
  auto Parts = distributeBy(query(*Both, L), F, Ctx, LabelOf);
  if (!Parts || Parts->Body.size() < 2 || !adopt(Parts->Guards, L))
    return std::nullopt;
  return std::move(Parts->Body);
}

std::optional<std::vector<StmtRef>>
SumLoops::inParts(const For &L,
                  llvm::function_ref<unsigned(const StmtRef &)> LabelOf) {
  if (hasAtomics(L.Body))
    return std::nullopt;
  // Where each statement of the atomic form comes from.
  std::map<const Stmt *, StmtRef> From;
  std::vector<StmtRef> Body;
  for (const StmtRef &S : statements(L.Body)) {
    Body.push_back(SumsAtomic().run(S));
    From[Body.back().get()] = S;
  }
  const auto As = withLoopBody(L, makeBlock(std::move(Body), L.Body->Loc));
  LoopQuery Q = query(*As, L);
  Q.UpdatesCommute = true;
  auto Parts = distributeBy(Q, F, Ctx, [&](const StmtRef &S) -> unsigned {
    const auto It = From.find(S.get());
    return It == From.end() ? 0 : LabelOf(It->second);
  });
  if (!Parts || !adopt(Parts->Guards, L))
    return std::nullopt;
  for (StmtRef &S : Parts->Body)
    S = SumsAtomic(/*Atomic=*/false).run(S);
  return std::move(Parts->Body);
}
