//===- Distinct.cpp - a variable for each declaration ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Distinct.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace raise::grad {

namespace {

class Rename : public Rewriter {
public:
  Rename(const VarRef &From, VarRef To) : From(From), To(std::move(To)) {}

private:
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == From ? std::make_shared<VarUse>(To, U->Loc) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V == From)
      return std::make_shared<Decl>(To, D->Init, D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V == From)
      return std::make_shared<Assign>(To, A->Op, A->Value, A->Loc);
    if (auto *L = dyn_cast<For>(S.get()); L && L->V == From)
      return std::make_shared<For>(To, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                   L->DeclaresVar, L->Body, L->Loc);
    return S;
  }

  const VarRef From, To;
};

class Distinct {
public:
  StmtRef run(const StmtRef &S) {
    auto *B = dyn_cast<Block>(S.get());
    if (B)
      return list(S, *B);
    auto *L = dyn_cast<For>(S.get());
    if (L && L->DeclaresVar && !Seen.insert(L->V.get()).second)
      return run(Rename(L->V, own(*L->V)).run(S));
    return mapChildren(S, [&](const StmtRef &C) { return run(C); });
  }

private:
  VarRef own(const Var &V) {
    Made.push_back(std::make_shared<Var>(V));
    return Made.back();
  }

  StmtRef list(const StmtRef &S, const Block &B) {
    std::vector<StmtRef> List = B.Body;
    bool Changed = false;
    for (size_t K = 0; K < List.size(); ++K) {
      auto *D = dyn_cast<Decl>(List[K].get());
      if (D && !Seen.insert(D->V.get()).second) {
        Rename R(D->V, own(*D->V));
        for (size_t I = K; I < List.size(); ++I)
          List[I] = R.run(List[I]);
        Seen.insert(cast<Decl>(List[K].get())->V.get());
        Changed = true;
        continue;
      }
      const StmtRef New = run(List[K]);
      Changed |= New != List[K];
      List[K] = New;
    }
    return Changed ? std::make_shared<Block>(std::move(List), S->Loc) : S;
  }

  DenseSet<const Var *> Seen;
  std::vector<VarRef> Made; ///< kept, so that no address is used twice
};

} // namespace

StmtRef withDistinctVariables(const StmtRef &S) { return Distinct().run(S); }

} // namespace raise::grad
