//===- Summary.cpp - the scalars that a statement reads and sets ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Summary.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

/// A loop of fewer iterations than this is unrolled by compilers, which then
/// see by themselves what does not change.
static constexpr int64_t FewTrips = 16;

bool raise::isCostlyCall(const Expr &E) {
  auto *C = dyn_cast<Call>(&E);
  bool Loops = false;
  if (C && C->Fn->Definition)
    forEachStmt(C->Fn->Definition->Body, [&](const StmtRef &S) {
      Loops |= isa<For>(S.get()) || isa<While>(S.get());
    });
  return Loops;
}

static bool runsOften(const For &L) {
  auto Lo = constantValue(L.Lo), Hi = constantValue(L.Hi),
       Step = constantValue(L.Step);
  if (!Lo || !Hi || !Step || *Step == 0)
    return true;
  int64_t Way = 0;
  if (__builtin_sub_overflow(*Hi, *Lo, &Way) || Way == INT64_MIN)
    return true;
  return std::abs(Way) / FewTrips >= std::abs(*Step);
}

namespace {

class Summariser {
public:
  Summary Result;

  void expr(const ExprRef &E);
  void stmt(const StmtRef &S);
  void finish();

private:
  Summary::VarSet Set;   ///< surely, at the current place
  Summary::VarSet Inner; ///< declared in blocks of their own
  unsigned Loops = 0, Depth = 0;

  void read(const Var *V) {
    Result.Reads.insert(V);
    if (!Set.count(V))
      Result.Exposed.insert(V);
  }
  void write(const Var *V) {
    Result.Writes.insert(V);
    Set.insert(V);
  }
  void access(const Access &A) {
    for (const ExprRef &E : A.Extents)
      expr(E);
    for (const ExprRef &E : A.Indices)
      expr(E);
    if (A.Buf->Volatile)
      Result.Free = false;
  }
  void forLoop(const For &L);
  void unknown(const StmtRef &S);
};

void Summariser::expr(const ExprRef &E) {
  if (!E)
    return;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      read(U->V.get());
    Result.Costly |= isCostlyCall(*Sub);
    BufferRef Buf;
    if (auto *L = dyn_cast<Load>(Sub.get()))
      Buf = L->From.Buf;
    else if (auto *N = dyn_cast<NonNull>(Sub.get()))
      Buf = N->Buf;
    if (!Buf)
      return;
    Result.Free &= !Buf->Volatile;
    if (!llvm::is_contained(Result.Loads, Buf))
      Result.Loads.push_back(Buf);
  });
}

void Summariser::forLoop(const For &L) {
  expr(L.Lo);
  expr(L.Hi);
  expr(L.Step);
  Result.Costly |= runsOften(L);
  write(L.V.get());
  if (L.DeclaresVar)
    Inner.insert(L.V.get());
  Summary::VarSet Before = Set;
  ++Loops;
  ++Depth;
  stmt(L.Body);
  --Depth;
  --Loops;
  Set = std::move(Before); // it may not run
}

/// Whatever a statement of another kind may do.
void Summariser::unknown(const StmtRef &S) {
  Result.Free = false;
  forEachExpr(S, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      read(U->V.get());
  });
  assignedVars(S, [&](const VarRef &V) {
    Result.Writes.insert(V.get());
    read(V.get());
  });
}

void Summariser::stmt(const StmtRef &S) {
  if (!S)
    return;
  switch (S->Kind) {
  case StmtKind::Block:
    ++Depth;
    for (const StmtRef &Sub : statements(S))
      stmt(Sub);
    --Depth;
    return;
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    expr(D->Init);
    Result.Writes.insert(D->V.get());
    if (D->Init)
      Set.insert(D->V.get());
    else
      Set.erase(D->V.get());
    if (Depth > 0)
      Inner.insert(D->V.get());
    return;
  }
  case StmtKind::Assign: {
    auto *A = cast<Assign>(S.get());
    expr(A->Value);
    if (A->Op != Combiner::None)
      read(A->V.get());
    return write(A->V.get());
  }
  case StmtKind::Store: {
    auto *St = cast<Store>(S.get());
    Result.Free = false;
    access(St->To);
    return expr(St->Value);
  }
  case StmtKind::For:
    return forLoop(*cast<For>(S.get()));
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    expr(I->Cond);
    Summary::VarSet Before = Set;
    ++Depth;
    stmt(I->Then);
    std::swap(Before, Set);
    stmt(I->Else);
    --Depth;
    for (auto It = Set.begin(); It != Set.end();)
      It = Before.count(*It) ? std::next(It) : Set.erase(It);
    return;
  }
  case StmtKind::Break:
  case StmtKind::Continue:
    Result.Free &= Loops > 0;
    return;
  case StmtKind::Opaque: {
    auto *O = cast<Opaque>(S.get());
    if (!O->Pure)
      return unknown(S);
    for (const PureCall::Argument &A : O->Pure->Args)
      expr(A.Value);
    Result.Calls.push_back(O);
    Result.Costly = true;
    return write(O->Pure->Result.get());
  }
  default:
    return unknown(S);
  }
}

void Summariser::finish() {
  for (const Var *V : Inner)
    for (Summary::VarSet *Of :
         {&Result.Reads, &Result.Exposed, &Result.Writes, &Set})
      Of->erase(V);
  Result.Surely = Set;
}

} // namespace

Summary raise::summarise(const StmtRef &S) {
  Summariser Of;
  Of.stmt(S);
  Of.finish();
  return std::move(Of.Result);
}

Summary raise::summarise(const ExprRef &E) {
  Summariser Of;
  Of.expr(E);
  Of.finish();
  return std::move(Of.Result);
}
