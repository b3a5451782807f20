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
    auto Inside = [&](const StmtRef &Sub) { return run(Sub, Around); };
    auto *L = llvm::dyn_cast_or_null<For>(S.get());
    if (!L)
      return mapChildren(S, Inside);
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
    return mapChildren(S, Inside);
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

FunctionRef raise::interchangePass(FunctionRef F, Context &Ctx) {
  return withBody(*F, EachLoop(*F, Ctx, interchange).run(F->Body));
}

FunctionRef raise::runOncePass(FunctionRef F, Context &Ctx) {
  return withBody(*F, EachLoop(*F, Ctx, runOnce).run(F->Body));
}
