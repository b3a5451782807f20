//===- LoopPasses.cpp - loops as sequences, as passes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Liveness.h"
#include "raise/Transform/Passes.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

namespace {

using Restructure = std::optional<LoopSequence> (*)(const LoopQuery &,
                                                    const Function &,
                                                    const Context &);

/// Puts a region with what Apply makes of it in place of each loop that it
/// changes, outermost loops first.
class EachLoop {
public:
  EachLoop(const Function &F, const Context &Ctx, Restructure Apply)
      : F(F), Ctx(Ctx), Apply(Apply), Live(F) {}

  StmtRef run(const StmtRef &S, std::vector<const For *> Around = {}) const {
    if (!S)
      return S;
    if (auto *B = dyn_cast<Block>(S.get())) {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : B->Body)
        Out.push_back(run(Sub, Around));
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    if (auto *I = dyn_cast<If>(S.get()))
      return std::make_shared<If>(I->Cond, run(I->Then, Around),
                                  run(I->Else, Around), I->Loc);
    auto *L = dyn_cast<For>(S.get());
    if (!L)
      return S;
    const auto &After = Live.liveAfter(L);
    std::vector<const Var *> LiveOut(After.begin(), After.end());
    LoopQuery Q;
    Q.Loop = L;
    Q.Enclosing = Around;
    Q.LiveOut = &LiveOut;
    if (auto New = Apply(Q, F, Ctx)) {
      Obligations Rests;
      Rests.Guards = std::move(New->Guards);
      Rests.Assumptions = std::move(New->Assumed);
      return std::make_shared<Region>(
          std::move(Rests), makeBlock(std::move(New->Body)), S, S->Loc);
    }
    Around.push_back(L);
    return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                 L->DeclaresVar, run(L->Body, Around), L->Loc);
  }

private:
  const Function &F;
  const Context &Ctx;
  Restructure Apply;
  Liveness Live;
};

} // namespace

FunctionRef raise::distributePass(FunctionRef F, Context &Ctx) {
  return withBody(*F, EachLoop(*F, Ctx, distribute).run(F->Body));
}

FunctionRef raise::splitRangePass(FunctionRef F, Context &Ctx) {
  return withBody(*F, EachLoop(*F, Ctx, splitRange).run(F->Body));
}
