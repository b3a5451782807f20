//===- IterationValues.cpp - scalars as functions of the iteration --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IterationValues.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

/// What is computed twice should be small.
static constexpr unsigned MaxSize = 64;

IterationValues::IterationValues(const For &L) : L(L) {
  for (const MemoryAccess &A : effectsOf(L.Body).Memory)
    if (A.How != MemoryAccess::Mode::Read)
      Written.push_back(A.At.Buf);
  run(L.Body);
}

void IterationValues::run(const StmtRef &S) {
  if (!S)
    return;
  if (llvm::isa<Block>(S.get())) {
    for (const StmtRef &Sub : statements(S))
      run(Sub);
    return;
  }
  if (auto *D = dyn_cast<Decl>(S.get())) {
    Values[D->V.get()] = D->Init ? eval(D->Init) : nullptr;
    return;
  }
  if (auto *A = dyn_cast<Assign>(S.get())) {
    ExprRef New = A->Op == Combiner::None ? eval(A->Value) : nullptr;
    Values[A->V.get()] = Sites[A] = New;
    return;
  }
  if (auto *I = dyn_cast<If>(S.get())) {
    Map Before = Values;
    run(I->Then);
    Values = std::move(Before);
    run(I->Else);
  }
  assignedVars(S, [&](const VarRef &V) { Values[V.get()] = nullptr; });
}

bool IterationValues::isKept(const Buffer &B) const {
  return !B.Volatile && llvm::all_of(Written, [&](const BufferRef &W) {
    return alias(*W, B) == AliasResult::No;
  });
}

ExprRef IterationValues::eval(const ExprRef &E) const {
  Substitution Known;
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *Ld = dyn_cast<Load>(Sub.get());
    Ok &= !Ld || isKept(*Ld->From.Buf);
    auto *U = dyn_cast<VarUse>(Sub.get());
    auto It = U ? Values.find(U->V.get()) : Values.end();
    if (It == Values.end())
      return;
    Ok &= It->second != nullptr;
    Known[U->V.get()] = It->second;
  });
  if (!Ok)
    return nullptr;
  ExprRef New = substitute(E, Known);
  unsigned Size = 0;
  forEachExpr(New, [&](const ExprRef &) { ++Size; });
  return Size <= MaxSize ? New : nullptr;
}

ExprRef IterationValues::atEnd(const VarRef &V) const {
  auto It = Values.find(V.get());
  return It == Values.end() ? nullptr : It->second;
}

ExprRef IterationValues::setBy(const Assign *A) const {
  auto It = Sites.find(A);
  return It == Sites.end() ? nullptr : It->second;
}

bool IterationValues::isIndependent(const ExprRef &E) const {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Ok &= !U || U->V == L.V || !assigns(L.Body, U->V.get());
  });
  return Ok;
}
