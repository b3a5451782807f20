//===- Nest.cpp - a function's statements with what is around them --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

bool isWithin(const List *Inner, const List *L) {
  for (; Inner; Inner = outer(*Inner))
    if (Inner == L)
      return true;
  return false;
}

Nest::Nest(const Function &F, const DenseMap<const While *, VarRef> &Counters,
           std::set<std::string> &Names)
    : Counters(Counters), Names(Names) {
  for (const Param &P : F.Params)
    if (P.Scalar)
      Vars.insert(P.Scalar.get());
    else
      Buffers.insert(P.Buf.get());
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Vars.insert(U->V.get());
    else if (auto *L = dyn_cast<Load>(E.get()))
      Buffers.insert(L->From.Buf.get());
    else if (auto *N = dyn_cast<NonNull>(E.get()))
      Buffers.insert(N->Buf.get());
  });
  add(F.Body, Root);
  summarise(Root);
}

void Nest::add(const StmtRef &S, List &To) {
  if (auto *B = dyn_cast<Block>(S.get())) {
    for (const StmtRef &Child : B->Body)
      add(Child, To);
    return;
  }
  auto N = std::make_unique<Node>();
  N->S = S;
  N->In = &To;
  N->Index = To.Nodes.size();
  const auto Open = [&](const StmtRef &Body) {
    auto L = std::make_unique<List>();
    L->Owner = N.get();
    add(Body, *L);
    return L;
  };
  if (auto *D = dyn_cast<Decl>(S.get())) {
    Vars.insert(D->V.get());
    VarScopes[D->V.get()] = &To;
  } else if (auto *B = dyn_cast<DeclBuffer>(S.get())) {
    Buffers.insert(B->B.get());
    BufferScopes[B->B.get()] = &To;
  } else if (auto *A = dyn_cast<Assign>(S.get())) {
    Vars.insert(A->V.get());
  } else if (auto *St = dyn_cast<Store>(S.get())) {
    Buffers.insert(St->To.Buf.get());
  } else if (auto *L = dyn_cast<For>(S.get())) {
    Vars.insert(L->V.get());
    N->Body = Open(L->Body);
    if (L->DeclaresVar)
      VarScopes[L->V.get()] = N->Body.get();
  } else if (auto *W = dyn_cast<While>(S.get())) {
    N->Body = Open(W->Body);
    N->Trips = Counters.lookup(W);
    if (!N->Trips) {
      auto V = std::make_shared<Var>();
      V->Name = "trips";
      while (!Names.insert(V->Name).second)
        V->Name += '_';
      V->Ty = Type::getI64();
      N->Trips = V;
      VarScopes[V.get()] = &To;
    }
    Vars.insert(N->Trips.get());
  } else if (auto *I = dyn_cast<If>(S.get())) {
    N->Body = Open(I->Then);
    if (I->Else)
      N->Else = Open(I->Else);
  } else if (auto *O = dyn_cast<Opaque>(S.get())) {
    for (const VarRef &V : O->Touches)
      Vars.insert(V.get());
  }
  To.Nodes.push_back(std::move(N));
}

void Nest::summarise(List &L) {
  for (const std::unique_ptr<Node> &N : L.Nodes) {
    if (auto *D = dyn_cast<Decl>(N->S.get())) {
      N->Sets.insert(D->V.get());
    } else if (auto *A = dyn_cast<Assign>(N->S.get())) {
      N->Sets.insert(A->V.get());
    } else if (auto *F = dyn_cast<For>(N->S.get())) {
      N->Sets.insert(F->V.get());
    } else if (auto *O = dyn_cast<Opaque>(N->S.get())) {
      for (const VarRef &V : O->Touches)
        N->Sets.insert(V.get());
    } else if (auto *B = dyn_cast<DeclBuffer>(N->S.get())) {
      N->Declares.insert(B->B.get());
    } else if (auto *St = dyn_cast<Store>(N->S.get())) {
      N->Stores.push_back(St);
      Stores.push_back({St, N.get()});
    }
    if (N->Trips)
      N->Sets.insert(N->Trips.get());
    for (List *Inner : {N->Body.get(), N->Else.get()}) {
      if (!Inner)
        continue;
      summarise(*Inner);
      for (const std::unique_ptr<Node> &Child : Inner->Nodes) {
        N->Sets.insert(Child->Sets.begin(), Child->Sets.end());
        append_range(N->Stores, Child->Stores);
        N->Declares.insert(Child->Declares.begin(), Child->Declares.end());
      }
    }
  }
}

} // namespace raise::grad
