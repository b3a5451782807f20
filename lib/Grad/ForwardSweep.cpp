//===- ForwardSweep.cpp - the function, keeping what is needed ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointBuilder.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

void AdjointBuilder::forward(const List &L, Statements &Out) {
  for (const std::unique_ptr<Node> &Child : L.Nodes) {
    append_range(Out, kept().savesAt(before(*Child)));
    if (const auto At = Joined.find(Child.get()); At != Joined.end()) {
      append_range(Out, At->second.Before);
      Out.push_back(At->second.Loop);
      continue;
    }
    forward(*Child, Out);
  }
  append_range(Out, kept().savesAt({&L, unsigned(L.Nodes.size())}));
}

StmtRef AdjointBuilder::forward(const List &L) {
  Statements Out;
  forward(L, Out);
  return block(Out);
}

void AdjointBuilder::forward(const Node &S, Statements &Out) {
  switch (S.S->Kind) {
  case StmtKind::For: {
    auto *L = cast<For>(S.S.get());
    StmtRef Body = forward(*S.Body);
    if (const auto At = Snapped.find(&S); At != Snapped.end()) {
      append_range(Out, At->second.Before);
      Statements Each = At->second.EachStep;
      append_range(Each, statements(Body));
      Body = block(std::move(Each));
    }
    Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                        LoopKind::Serial, L->DeclaresVar, Body,
                                        L->Loc));
    return;
  }
  case StmtKind::While: {
    auto *W = cast<While>(S.S.get());
    // Those that were made without jumps count themselves.
    const bool Counts = !Plain.Counters.count(W) && Counted.count(&S);
    Statements Body;
    forward(*S.Body, Body);
    if (Counts) {
      const ExprRef One = build::intConst(1, S.Trips->Ty);
      Out.push_back(
          std::make_shared<Decl>(S.Trips, build::intConst(0, S.Trips->Ty)));
      Body.push_back(std::make_shared<Assign>(S.Trips, Combiner::Add, One));
    }
    Out.push_back(std::make_shared<While>(W->Cond, W->TestFirst, block(Body),
                                          W->Why, W->Loc));
    return;
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.S.get());
    Out.push_back(std::make_shared<If>(I->Cond, forward(*S.Body),
                                       S.Else ? forward(*S.Else) : nullptr,
                                       I->Loc));
    return;
  }
  case StmtKind::Return:
    return;
  default:
    Out.push_back(kept().withNames(S.S, before(S)));
  }
}

} // namespace raise::grad
