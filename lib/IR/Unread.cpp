//===- Unread.cpp - locals that nothing reads -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Unread.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace raise {
namespace {

/// Takes away declarations and assignments of Dead, and of arrays stores, and
/// what is empty then.
class Remover : public Rewriter {
public:
  DenseSet<const Var *> Dead;
  DenseSet<const Buffer *> Arrays;
  bool Turns = false; ///< an empty branch makes way for the other

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return Dead.count(D->V.get()) ? nullptr : S;
    if (auto *A = dyn_cast<Assign>(S.get()))
      return Dead.count(A->V.get()) ? nullptr : S;
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return Arrays.count(D->B.get()) ? nullptr : S;
    if (auto *St = dyn_cast<Store>(S.get()))
      return Arrays.count(St->To.Buf.get()) ? nullptr : S;
    if (auto *L = dyn_cast<For>(S.get()))
      return !Arrays.empty() && L->DeclaresVar && statements(L->Body).empty()
                 ? nullptr
                 : S;
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      return !Arrays.empty() && statements(T->Body).empty() ? nullptr : S;
    if (auto *I = dyn_cast<If>(S.get())) {
      bool Else = I->Else && !statements(I->Else).empty();
      if (statements(I->Then).empty() && (Turns || !Else))
        return Else ? std::make_shared<If>(build::logicalNot(I->Cond), I->Else,
                                           nullptr, I->Loc)
                    : nullptr;
    }
    return S;
  }
};

/// What is read, and what the originals of regions, which stay, so much as
/// name.
struct Needed : Visitor {
  DenseSet<const Var *> Found;
  DenseSet<const Buffer *> Arrays;
  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      Found.insert(U->V.get());
      if (U->V->Base)
        Arrays.insert(U->V->Base.get());
    } else if (auto *L = dyn_cast<Load>(E.get())) {
      Arrays.insert(L->From.Buf.get());
    } else if (auto *P = dyn_cast<NonNull>(E.get())) {
      Arrays.insert(P->Buf.get());
    }
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    // Loops write and compare their variable.
    if (auto *L = dyn_cast<For>(S.get()))
      Found.insert(L->V.get());
    if (auto *R = dyn_cast<Region>(S.get()); R && VisitOriginals)
      assignedVars(R->Original,
                   [&](const VarRef &V) { Found.insert(V.get()); });
    return true;
  }
};

} // namespace

StmtRef withoutUnread(const StmtRef &Body, bool Originals) {
  StmtRef Now = Body;
  while (true) {
    Remover R;
    bool Unknown = false;
    forEachStmt(Now, [&](const StmtRef &S) {
      Unknown |= isa<Opaque>(*S);
      if (auto *D = dyn_cast<Decl>(S.get()))
        R.Dead.insert(D->V.get());
      if (auto *D = dyn_cast<DeclBuffer>(S.get());
          D && D->B->Kind == BufferKind::Local &&
          D->B->Lies == ArrayHome::Automatic)
        R.Arrays.insert(D->B.get());
    });
    Needed N;
    N.VisitOriginals = Originals;
    R.Turns = Originals;
    N.walk(Now);
    for (const Var *V : N.Found)
      R.Dead.erase(V);
    for (const Buffer *B : N.Arrays)
      R.Arrays.erase(B);
    if (Unknown || (R.Dead.empty() && R.Arrays.empty()))
      return Now;
    Now = R.run(Now);
  }
}

} // namespace raise
