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
    auto *L = llvm::dyn_cast_or_null<For>(S.get());
    if (auto New = L ? Apply(*L, Live.liveAfter(L)) : std::nullopt)
      return *New;
    return mapChildren(S, [&](const StmtRef &Sub) { return run(Sub); });
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
