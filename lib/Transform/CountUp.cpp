//===- CountUp.cpp - loops that count down for no reason ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compilers vectorise a loop that runs down through memory badly or not at all.
//
//===----------------------------------------------------------------------===//
#include "LoopForm.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

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

class CountUp : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    std::shared_ptr<const For> Up = upwards(L);
    if (!Up)
      Up = upwardsFromEnd(L);
    const For &Now = Up ? *Up : L;
    StmtRef Body = bodyOf(Now, Now);
    if (!Up && Body == L.Body)
      return S;
    return std::make_shared<For>(Now.V, Now.Lo, Now.Cond, Now.Hi, Now.Step,
                                 Now.LKind, Now.DeclaresVar, std::move(Body),
                                 Now.Loc);
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

  /// `for (k = n; k > lo; --k) { i = k - 1; ... }`, as loops without a sign
  /// count down, by i.
  std::shared_ptr<const For> upwardsFromEnd(const For &L) {
    auto List = statements(L.Body);
    auto *D = List.empty() ? nullptr : dyn_cast<Decl>(List[0].get());
    auto *Less = D && D->Init ? dyn_cast<Binary>(D->Init.get()) : nullptr;
    auto *End = Less ? dyn_cast<VarUse>(Less->L.get()) : nullptr;
    auto *One = Less ? dyn_cast<IntConst>(Less->R.get()) : nullptr;
    if (!End || End->V != L.V || Less->Op != BinaryOp::Sub || !One ||
        One->Value != 1 || L.Cond != BinaryOp::GT || L.V->Ty.Signed ||
        !structurallyEqual(L.Step, build::intConst(-1, L.V->Ty)) ||
        !L.DeclaresVar || D->V->Ty != L.V->Ty || L.LKind != LoopKind::Serial ||
        !isFixed(L.Lo, L) || !isFixed(L.Hi, L))
      return nullptr;
    std::vector<StmtRef> Rest(List.begin() + 1, List.end());
    StmtRef Body = makeBlock(std::move(Rest), L.Body->Loc);
    if (uses(Body, L.V.get()) || assigns(Body, L.V.get()) ||
        assigns(Body, D->V.get()))
      return nullptr;
    auto Up = std::make_shared<For>(D->V, L.Hi, BinaryOp::LT, L.Lo,
                                    build::intConst(1, L.V->Ty), L.LKind, true,
                                    Body, L.Loc);
    return isFreeButForSums(*Up, L) ? Up : nullptr;
  }

  std::shared_ptr<const For> upwards(const For &L) {
    if ((L.Cond != BinaryOp::GE && L.Cond != BinaryOp::GT) || !L.DeclaresVar ||
        L.LKind != LoopKind::Serial || !isFixed(L.Lo, L) || !isFixed(L.Hi, L))
      return nullptr;
    const std::shared_ptr<const For> Up = header(L);
    return Up && isFreeButForSums(L) ? Up : nullptr;
  }
};

} // namespace

FunctionRef raise::countUp(FunctionRef F, Context &Ctx) {
  return withBody(*F, CountUp(*F, Ctx).run(F->Body));
}
