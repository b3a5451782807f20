//===- RegionPass.cpp - passes that lay out regions anew ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RegionPass.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"

using namespace raise;

namespace {

class Regions : public Rewriter {
public:
  explicit Regions(llvm::function_ref<StmtRef(const Region &)> LayOut)
      : LayOut(LayOut) {}

private:
  const llvm::function_ref<StmtRef(const Region &)> LayOut;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = llvm::dyn_cast<Region>(S.get());
    StmtRef New = R ? LayOut(*R) : nullptr;
    return New ? New : S;
  }
};

} // namespace

FunctionRef
raise::mapRegions(const FunctionRef &F,
                  llvm::function_ref<StmtRef(const Region &)> LayOut) {
  return withBody(*F, Regions(LayOut).run(F->Body));
}

StmtRef raise::laidOut(const Region &R, StmtRef Body, Obligations Rests) {
  if (!Rests.Means)
    Rests.Means = R.Body;
  return std::make_shared<Region>(std::move(Rests), std::move(Body), R.Original,
                                  R.Loc);
}

bool raise::areSeparate(llvm::ArrayRef<Guard> Guards, const Context &Ctx,
                        const Buffer &A, const Buffer &B) {
  if (areApart(Guards, A, B) ||
      (&A != &B && Ctx.Opts.Alias == AliasMode::Assume))
    return true;
  return llvm::any_of(Ctx.Apart, [&](const auto &Pair) {
    return Pair == std::pair(&A, &B) || Pair == std::pair(&B, &A);
  });
}

bool raise::takesVectorLoops(const Function &F, const Options &Opts) {
  return Opts.Target == Dialect::OpenMP && Opts.OpenMPSimd &&
         hasPlainOriginals(F);
}
