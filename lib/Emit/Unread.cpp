//===- Unread.cpp - locals that nothing reads -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace raise {
namespace {

/// Takes away declarations and assignments of Dead, and what is empty then.
class Remover : public Rewriter {
public:
  DenseSet<const Var *> Dead;

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return Dead.count(D->V.get()) ? nullptr : S;
    if (auto *A = dyn_cast<Assign>(S.get()))
      return Dead.count(A->V.get()) ? nullptr : S;
    if (auto *I = dyn_cast<If>(S.get())) {
      bool Else = I->Else && !statements(I->Else).empty();
      if (statements(I->Then).empty() && !Else)
        return nullptr;
    }
    return S;
  }
};

} // namespace

StmtRef withoutUnread(const StmtRef &Body) {
  StmtRef Now = Body;
  while (true) {
    Remover R;
    bool Unknown = false;
    forEachStmt(Now, [&](const StmtRef &S) {
      Unknown |= isa<Opaque>(*S);
      if (auto *D = dyn_cast<Decl>(S.get()))
        R.Dead.insert(D->V.get());
    });
    // Loops write and compare their variable.
    forEachStmt(Now, [&](const StmtRef &S) {
      if (auto *L = dyn_cast<For>(S.get()))
        R.Dead.erase(L->V.get());
    });
    forEachExpr(Now, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        R.Dead.erase(U->V.get());
    });
    if (Unknown || R.Dead.empty())
      return Now;
    Now = R.run(Now);
  }
}

} // namespace raise
