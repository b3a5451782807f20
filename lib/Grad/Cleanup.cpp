//===- Cleanup.cpp - what generated code does not need --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Cleanup.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

class Dropper : public Rewriter {
public:
  DenseSet<const Var *> Read;
  std::function<bool(const Var &)> MayDrop;
  bool Changed = false;

  StmtRef rewriteStmt(const StmtRef &S) override {
    const Var *V = nullptr;
    if (auto *D = dyn_cast<Decl>(S.get()))
      V = D->V.get();
    else if (auto *A = dyn_cast<Assign>(S.get()))
      V = A->V.get();
    if (V && !Read.count(V) && MayDrop(*V)) {
      Changed = true;
      return nullptr;
    }
    auto *I = dyn_cast<If>(S.get());
    auto *L = dyn_cast<For>(S.get());
    if ((I && isEmpty(I->Then) && isEmpty(I->Else)) ||
        (L && L->DeclaresVar && L->Cond != BinaryOp::NE && isEmpty(L->Body))) {
      Changed = true;
      return nullptr;
    }
    return S;
  }

private:
  static bool isEmpty(const StmtRef &S) {
    auto *B = S ? dyn_cast<Block>(S.get()) : nullptr;
    return !S || (B && B->Body.empty());
  }
};

} // namespace

namespace {

/// What is read other than for a new value of the variable itself.
struct Reads : Visitor {
  DenseSet<const Var *> Found;
  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Found.insert(U->V.get());
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    auto *A = dyn_cast<Assign>(S.get());
    if (!A)
      return true;
    forEachExpr(A->Value, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      if (U && U->V != A->V)
        Found.insert(U->V.get());
    });
    return false;
  }
};

} // namespace

StmtRef dropUnread(StmtRef S, std::function<bool(const Var &)> MayDrop) {
  for (;;) {
    Dropper D;
    D.MayDrop = MayDrop;
    Reads R;
    R.walk(S);
    D.Read = std::move(R.Found);
    // Indices of what is stored to are expressions that the walk above sees;
    // a loop's own variable is read by the loop.
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *L = dyn_cast<For>(Sub.get()))
        D.Read.insert(L->V.get());
      else if (auto *O = dyn_cast<Opaque>(Sub.get()))
        for (const VarRef &V : O->Touches)
          D.Read.insert(V.get());
    });
    S = D.run(S);
    if (!D.Changed)
      return S;
  }
}

} // namespace raise::grad
