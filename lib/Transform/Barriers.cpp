//===- Barriers.cpp - barriers that not all threads reach -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Barriers.h"
#include "ThreadVarying.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// The first barrier of S that stands under a condition that differs; Divergent
/// is one around S, if there is any.
void find(const StmtRef &S, const ThreadVarying &Varying, const Stmt *Divergent,
          Reason &Found) {
  if (Found.isSet())
    return;
  if (isa<Barrier>(S.get()) && Divergent) {
    std::string Line = Divergent->Loc.isValid()
                           ? " at line " + std::to_string(Divergent->Loc.Line)
                           : "";
    Found = {"CR1404",
             "not all threads of a block reach this barrier: the condition" +
                 Line + " differs among them",
             S->Loc};
    return;
  }
  ExprRef Cond = conditionOf(S.get());
  if (Cond && Varying.varies(Cond))
    Divergent = S.get();
  forEachPart(
      S, [&](const StmtRef &Sub) { find(Sub, Varying, Divergent, Found); });
}

} // namespace

Reason raise::findDivergentBarrier(const Function &Kernel) {
  std::set<const Var *> Threads;
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (L && (L->LKind == LoopKind::BlockX || L->LKind == LoopKind::BlockY ||
              L->LKind == LoopKind::BlockZ))
      Threads.insert(L->V.get());
  });
  Reason Found;
  find(Kernel.Body, ThreadVarying(Kernel.Body, std::move(Threads)), nullptr,
       Found);
  return Found;
}
