//===- LoopOrders.cpp - which order the iterations of a loop need ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SumLoops.h"
#include "raise/Transform/Passes.h"

using namespace raise;

namespace {

class LoopOrdersOf : SumLoops {
public:
  LoopOrdersOf(const Function &F, const std::set<const Var *> &Of, Context &Ctx,
               LoopOrders &Found)
      : SumLoops(F, Ctx), Of(Of), Found(Found) {}
  using SumLoops::run;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const StmtRef Body = bodyOf(L, L);
    if (!Of.count(L.V.get()))
      return Body == L.Body ? S : withLoopBody(L, Body);
    if (analyseLoop(query(L, L), F, Ctx).R == LoopFacts::Result::Independent)
      Found.Independent.insert(L.V.get());
    if (isFreeButForSums(L))
      Found.Free.insert(L.V.get());
    return withLoopBody(L, Body); // so that what is to be tested is
  }

  const std::set<const Var *> &Of;
  LoopOrders &Found;
};

} // namespace

FunctionRef raise::findLoopOrders(FunctionRef F,
                                  const std::set<const Var *> &Of, Context &Ctx,
                                  LoopOrders &Found) {
  return withBody(*F, LoopOrdersOf(*F, Of, Ctx, Found).run(F->Body));
}
