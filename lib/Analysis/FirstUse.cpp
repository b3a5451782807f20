//===- FirstUse.cpp - read or set first? ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FirstUse.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::analysis {

First firstUse(const ExprRef &E, const Var *V) {
  return E && uses(E, V) ? First::Reads : First::Nothing;
}

static First firstUseOfLoop(const For &L, const Var *V) {
  if (uses(L.Lo, V) || uses(L.Hi, V) || uses(L.Step, V))
    return First::Reads;
  if (L.V.get() == V)
    return First::Sets;
  // It may run not at all.
  return firstUse(L.Body, V) == First::Reads ? First::Reads : First::Nothing;
}

First firstUse(const StmtRef &S, const Var *V) {
  if (!S)
    return First::Nothing;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      if (First U = firstUse(Sub, V); U != First::Nothing)
        return U;
    return First::Nothing;
  case StmtKind::If: {
    const auto *I = cast<If>(S.get());
    if (uses(I->Cond, V))
      return First::Reads;
    First Then = firstUse(I->Then, V), Else = firstUse(I->Else, V);
    if (Then == First::Reads || Else == First::Reads)
      return First::Reads;
    return Then == Else ? Then : First::Nothing;
  }
  case StmtKind::For:
    return firstUseOfLoop(*cast<For>(S.get()), V);
  case StmtKind::Decl: {
    const auto *D = cast<Decl>(S.get());
    if (firstUse(D->Init, V) == First::Reads)
      return First::Reads;
    return D->V.get() == V ? First::Sets : First::Nothing;
  }
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S.get());
    if (A->V.get() != V || A->Op != Combiner::None || uses(A->Value, V))
      return uses(S, V) ? First::Reads : First::Nothing;
    return First::Sets;
  }
  default:
    return uses(S, V) || assigns(S, V) ? First::Reads : First::Nothing;
  }
}

} // namespace raise::analysis
