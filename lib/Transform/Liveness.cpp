//===- Liveness.cpp - scalars that may still be read ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Liveness.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

using VarSet = Liveness::VarSet;

static void addReads(const ExprRef &E, VarSet &Out) {
  if (!E)
    return;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      Out.insert(U->V.get());
  });
}

static void addReads(const Access &A, VarSet &Out) {
  for (const ExprRef &I : A.Indices)
    addReads(I, Out);
  for (const ExprRef &X : A.Extents)
    addReads(X, Out);
}

static void merge(VarSet &Into, const VarSet &From) {
  Into.insert(From.begin(), From.end());
}

Liveness::Liveness(const Function &F) {
  bool Jumps = false;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *O = dyn_cast<Opaque>(S.get());
    Jumps |= O && O->Code == "CR1006";
    if (O)
      for (const VarRef &V : O->Keeps)
        Always.insert(V.get());
  });
  if (Jumps)
    forEachExpr(F.Body, [&](const ExprRef &E) { addReads(E, Always); });
  before(F.Body, {}, {});
}

Liveness::Liveness(const StmtRef &S, const Stmt *Old, const Liveness &Of)
    : Always(Of.Always) {
  before(S, Of.liveAfter(Old), {});
}

const VarSet &Liveness::liveAfter(const Stmt *S) const {
  auto It = After.find(S);
  assert(It != After.end() && "statement of another function");
  return It->second;
}

/// Live variables at the top of a loop whose test reads AtTop: a fixed point,
/// reached after two rounds since sets only grow along one back edge.
VarSet Liveness::beforeLoop(const StmtRef &Body, const VarSet &AfterLoop,
                            const VarSet &AtTop) {
  VarSet Top = AfterLoop;
  merge(Top, AtTop);
  for (;;) {
    VarSet In = before(Body, Top, {AfterLoop, Top});
    VarSet Next = Top;
    merge(Next, In);
    if (Next == Top)
      return Top;
    Top = std::move(Next);
  }
}

VarSet Liveness::before(const StmtRef &S, VarSet Live, const Exits &E) {
  if (!S)
    return Live;
  merge(Live, Always);
  merge(After[S.get()], Live);
  switch (S->Kind) {
  case StmtKind::Block: {
    auto &Body = cast<Block>(S.get())->Body;
    for (auto It = Body.rbegin(); It != Body.rend(); ++It)
      Live = before(*It, std::move(Live), E);
    return Live;
  }
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    Live.erase(D->V.get());
    addReads(D->Init, Live);
    return Live;
  }
  case StmtKind::DeclBuffer: {
    auto *D = cast<DeclBuffer>(S.get());
    for (const ExprRef &X : D->B->Extents)
      addReads(X, Live);
    for (const ExprRef &X : D->Init)
      addReads(X, Live);
    return Live;
  }
  case StmtKind::Assign: {
    auto *A = cast<Assign>(S.get());
    if (A->Op == Combiner::None)
      Live.erase(A->V.get());
    else
      Live.insert(A->V.get());
    addReads(A->Value, Live);
    return Live;
  }
  case StmtKind::Store: {
    auto *St = cast<Store>(S.get());
    addReads(St->To, Live);
    addReads(St->Value, Live);
    return Live;
  }
  case StmtKind::For: {
    auto *L = cast<For>(S.get());
    VarSet Top = beforeLoop(L->Body, Live, {L->V.get()});
    Top.erase(L->V.get());
    addReads(L->Lo, Top);
    addReads(L->Hi, Top);
    addReads(L->Step, Top);
    return Top;
  }
  case StmtKind::While: {
    auto *W = cast<While>(S.get());
    VarSet Cond;
    addReads(W->Cond, Cond);
    return beforeLoop(W->Body, Live, Cond);
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    VarSet Then = before(I->Then, Live, E);
    VarSet Else = I->Else ? before(I->Else, Live, E) : Live;
    merge(Then, Else);
    addReads(I->Cond, Then);
    return Then;
  }
  case StmtKind::Barrier:
    return Live;
  case StmtKind::Return: {
    VarSet Out;
    addReads(cast<Return>(S.get())->Value, Out);
    return Out;
  }
  case StmtKind::Break:
    return E.OnBreak;
  case StmtKind::Continue:
    return E.OnContinue;
  case StmtKind::Opaque: {
    auto *O = cast<Opaque>(S.get());
    if (O->Pure)
      Live.erase(O->Pure->Result.get());
    else
      for (const VarRef &V : O->Touches)
        Live.insert(V.get());
    if (O->Pure)
      for (const PureCall::Argument &A : O->Pure->Args)
        addReads(A.Value, Live);
    return Live;
  }
  case StmtKind::TensorOp: {
    auto *T = cast<TensorOp>(S.get());
    VarSet Top = beforeLoop(T->Body, Live, {});
    addReads(T->Mask, Top);
    for (const Iterator &I : llvm::reverse(T->Iterators)) {
      Top.erase(I.V.get());
      addReads(I.Lo, Top);
      addReads(I.Hi, Top);
      addReads(I.Step, Top);
    }
    return Top;
  }
  case StmtKind::Region: {
    auto *R = cast<Region>(S.get());
    VarSet Body = before(R->Body, Live, E);
    merge(Body, before(R->Original, Live, E));
    for (const Guard &G : R->Rests.Guards)
      for (const ExprRef &X : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
        addReads(X, Body);
    return R->Rests.Inspection ? before(R->Rests.Inspection, Body, E) : Body;
  }
  }
  llvm_unreachable("unknown statement");
}
