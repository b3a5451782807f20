//===- CountUp.cpp - loops that count down for no reason ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compilers vectorise a loop that runs down through memory badly or not at all.
// Iterations that only meet in sums may run in any order, so `x[i] += e` counts
// as an atomic update here: analyseLoop then says whether anything else keeps
// the order.
//
//===----------------------------------------------------------------------===//
#include "LoopForm.h"
#include "NestGuards.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Floating sums in memory, which any order of iterations makes, as atomic.
class SumsAtomic : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || !St->Value->Ty.isFloat() || St->To.Buf->Volatile ||
        (St->Op != Combiner::Add && St->Op != Combiner::Sub))
      return S;
    return std::make_shared<Store>(St->To, St->Op, St->Value, /*Atomic=*/true,
                                   St->Loc);
  }
};

/// Whether E can be evaluated before each iteration of L instead of once.
bool isFixed(const ExprRef &E, const For &L) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Ok &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
    auto *U = dyn_cast<VarUse>(Sub.get());
    Ok &= !U || (U->V != L.V && !assigns(L.Body, U->V.get()));
    auto *B = dyn_cast<Binary>(Sub.get());
    auto *By = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    Ok &= !B || (B->Op != BinaryOp::Div && B->Op != BinaryOp::Rem) ||
          (By && By->Value > 0);
  });
  return Ok;
}

class CountUp {
public:
  CountUp(const Function &F, Context &Ctx) : F(F), Ctx(Ctx), Live(F) {}

  StmtRef run(const StmtRef &S) {
    if (auto *R = dyn_cast<Region>(S.get()))
      return inside(S, *R);
    auto *L = dyn_cast<For>(S.get());
    if (!L)
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    const std::shared_ptr<const For> Up = upwards(*L);
    const For &Now = Up ? *Up : *L;
    N.Loops.push_back(&Now);
    StmtRef Body = run(L->Body);
    N.Loops.pop_back();
    if (!Up && Body == L->Body)
      return S;
    return std::make_shared<For>(Now.V, Now.Lo, Now.Cond, Now.Hi, Now.Step,
                                 Now.LKind, Now.DeclaresVar, std::move(Body),
                                 Now.Loc);
  }

private:
  /// What R tests is known in its body, and what loops there need is tested
  /// with it.
  StmtRef inside(const StmtRef &S, const Region &R) {
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
  std::vector<ExprRef> known() const {
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

  /// Whether a loop around has a variable of less than the greatest value where
  /// E is this variable.
  bool isBelowMost(const ExprRef &E) const {
    auto *U = dyn_cast<VarUse>(E.get());
    return U && llvm::any_of(N.Loops, [&](const For *L) {
             if (L->V != U->V || assigns(L->Body, L->V.get()) ||
                 L->Hi->Ty != L->V->Ty)
               return false;
             auto *Step = dyn_cast<IntConst>(L->Step.get());
             auto *Start = dyn_cast<Binary>(L->Lo.get());
             auto *Less = Start ? dyn_cast<IntConst>(Start->R.get()) : nullptr;
             const bool Down = Step && Step->Value < 0 && Less &&
                               Start->Op == BinaryOp::Sub && Less->Value > 0;
             return L->Cond == BinaryOp::LT || Down;
           });
  }

  /// L's header the other way round; null where that might overflow.
  std::shared_ptr<const For> header(const For &L) const {
    const ExprRef One = build::intConst(1, L.V->Ty);
    Reason Why;
    if (auto Form = ascendingForm(L, /*KeepOrder=*/false, Why))
      return std::make_shared<For>(L.V, Form->Lo, BinaryOp::LT, Form->Hi, One,
                                   L.LKind, true, L.Body, L.Loc);
    // Up to and including a value that is not the greatest.
    auto *Step = dyn_cast<IntConst>(L.Step.get());
    if (L.Cond == BinaryOp::GE && Step && Step->Value == -1 &&
        L.Hi->Ty == L.V->Ty && L.V->Ty.Signed && isBelowMost(L.Lo))
      return std::make_shared<For>(L.V, L.Hi, BinaryOp::LE, L.Lo, One, L.LKind,
                                   true, L.Body, L.Loc);
    return nullptr;
  }

  bool leave(Reason Why) {
    Ctx.Missed.push_back(std::move(Why));
    return false;
  }

  /// Whether L's iterations may run in the other order, but for how sums round.
  bool isFreeButForSums(const For &L) {
    const StmtRef Body = SumsAtomic().run(L.Body);
    if (Body != L.Body && Ctx.Opts.FP == FPMode::Strict)
      return leave({"CR1110", "sums keep their order", L.Loc});
    const For Sums(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar,
                   Body, L.Loc);
    const Liveness::VarSet &After = Live.liveAfter(&L);
    const std::vector<const Var *> LiveOut(After.begin(), After.end());
    LoopQuery Q;
    Q.Loop = &Sums;
    Q.Enclosing = N.Loops;
    Q.Known = known();
    Q.LiveOut = &LiveOut;
    Q.Separated = Ctx.Apart;
    const LoopFacts Facts = analyseLoop(Q, F, Ctx);
    if (Facts.R != LoopFacts::Result::Independent)
      return leave(Facts.Why);
    if (!isFree(Facts, L))
      return leave({"CR1107", "the last iteration leaves a value", L.Loc});
    if (Ctx.Opts.FP == FPMode::Strict &&
        llvm::any_of(Facts.Reductions,
                     [](const ReductionInfo &R) { return R.Rounds; }))
      return leave({"CR1110", "sums keep their order", L.Loc});
    const auto IsRange = [](const Guard &G) { return !G.Cond; };
    if (Facts.Guards.empty())
      return true;
    if (!MayTest || llvm::any_of(Facts.Guards, IsRange) ||
        !N.adopt(Facts.Guards, /*Outermost=*/N.Loops.empty()))
      return leave({"CR1105",
                    "what must be tested is not known before the "
                    "first loop",
                    L.Loc});
    return true;
  }

  std::shared_ptr<const For> upwards(const For &L) {
    if ((L.Cond != BinaryOp::GE && L.Cond != BinaryOp::GT) || !L.DeclaresVar ||
        L.LKind != LoopKind::Serial || !isFixed(L.Lo, L) || !isFixed(L.Hi, L))
      return nullptr;
    const std::shared_ptr<const For> Up = header(L);
    return Up && isFreeButForSums(L) ? Up : nullptr;
  }

  const Function &F;
  Context &Ctx;
  const Liveness Live;
  Nest N;
  bool MayTest = false; ///< within a region, that is
};

} // namespace

FunctionRef raise::countUp(FunctionRef F, Context &Ctx) {
  return withBody(*F, CountUp(*F, Ctx).run(F->Body));
}
