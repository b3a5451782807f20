//===- ScalarPasses.cpp - rewrites of scalars as passes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;

namespace {

using Rewrite = std::optional<StmtRef> (*)(const For &,
                                           const Liveness::VarSet &);

/// Applies a rewrite to the loops of a function, the outermost that it changes.
class EachLoop {
public:
  EachLoop(const Function &F, Rewrite Apply) : Live(F), Apply(Apply) {}

  StmtRef run(const StmtRef &S) {
    if (!S)
      return S;
    switch (S->Kind) {
    case StmtKind::Block: {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
        StmtRef New = run(Sub);
        if (New != Sub && Sub->Kind == StmtKind::For)
          llvm::append_range(Out, statements(New));
        else
          Out.push_back(std::move(New));
      }
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      return std::make_shared<If>(I->Cond, run(I->Then), run(I->Else), I->Loc);
    }
    case StmtKind::While: {
      auto *W = cast<While>(S.get());
      return std::make_shared<While>(W->Cond, W->TestFirst, run(W->Body),
                                     W->Why, W->Loc);
    }
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      if (auto New = Apply(*L, Live.liveAfter(L)))
        return *New;
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, run(L->Body),
                                   L->Loc);
    }
    default:
      return S;
    }
  }

private:
  Liveness Live;
  Rewrite Apply;
};

} // namespace

FunctionRef raise::substituteInductionsPass(FunctionRef F, Context &) {
  return withBody(*F, EachLoop(*F, substituteInductions).run(F->Body));
}

FunctionRef raise::expandWrapAroundsPass(FunctionRef F, Context &) {
  return withBody(*F, EachLoop(*F, expandWrapArounds).run(F->Body));
}

FunctionRef raise::rewriteLastValuesPass(FunctionRef F, Context &) {
  return withBody(*F, EachLoop(*F, rewriteLastValues).run(F->Body));
}

FunctionRef raise::splitArgExtremaPass(FunctionRef F, Context &) {
  return withBody(*F, EachLoop(*F, splitArgExtremum).run(F->Body));
}

FunctionRef raise::rewriteScalarsPass(FunctionRef F, Context &) {
  return withBody(*F, EachLoop(*F, rewriteScalars).run(F->Body));
}
