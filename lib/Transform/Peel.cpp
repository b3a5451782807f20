//===- Peel.cpp - the first iteration of a loop, apart --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Peel.h"
#include "FoldConstants.h"
#include "LoopForm.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

bool raise::isFixedIn(const ExprRef &E, const For &L) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Ok &= !isa<Load>(Sub.get()) && !isa<Call>(Sub.get());
    if (auto *B = dyn_cast<Binary>(Sub.get());
        B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem)) {
      const auto By = constantValue(B->R);
      Ok &= By && *By > 0;
    }
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      Ok &= U->V != L.V && !assigns(L.Body, U->V.get());
  });
  return Ok;
}

bool raise::runsThrough(const For &L, bool Arrays) {
  struct Finder : Visitor {
    bool Found = false;
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &S) override {
      Found |= isa<Break>(S.get()) || isa<Continue>(S.get());
      return !isa<For>(S.get()) && !isa<While>(S.get());
    }
  } Jumps;
  Jumps.walk(L.Body);
  bool Ok = !Jumps.Found && L.LKind == LoopKind::Serial;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    Ok &= !isa<Return>(S.get()) && !isa<Opaque>(S.get()) &&
          !isa<TensorOp>(S.get()) && !isa<Region>(S.get()) &&
          !isa<Barrier>(S.get());
    auto *D = dyn_cast<DeclBuffer>(S.get());
    Ok &= !D || (Arrays && llvm::all_of(D->B->Extents, [](const ExprRef &X) {
                   return X && isa<IntConst>(X.get());
                 }));
  });
  return Ok;
}

StmtRef raise::withOwnVariables(StmtRef S) {
  std::vector<VarRef> Own;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Own.push_back(D->V);
    if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
      Own.push_back(L->V);
  });
  for (const VarRef &V : Own)
    S = renameVar(S, V, std::make_shared<Var>(*V));
  return S;
}

ExprRef raise::stepped(const ExprRef &I, const For &L, int Times) {
  auto C = constantValue(L.Step);
  if (C && !L.V->Ty.Signed && L.V->Ty.Bits == 32)
    C = static_cast<int32_t>(*C);
  if (!C || *C <= INT32_MIN || *C > INT32_MAX)
    return Times < 0 ? build::sub(I, L.Step) : build::add(I, L.Step);
  return plusConstant(I, Times * *C);
}

ExprRef raise::indexAfter(const For &L, const ExprRef &Before) {
  Type In = Before->Ty;
  ExprRef Way = build::mul(build::cast(L.Step, In), Before);
  return build::cast(build::add(build::cast(L.Lo, In), Way), L.V->Ty);
}

ExprRef raise::lastIndex(const For &L, const TripCount &Count) {
  return Count.Trips ? indexAfter(L, plusConstant(Count.Trips, -1)) : nullptr;
}

FixedBounds raise::fixBounds(const For &L) {
  FixedBounds F;
  auto Fixed = [&](const ExprRef &E, const char *Suffix) {
    if (isFixedIn(E, L))
      return E;
    auto V = std::make_shared<Var>();
    V->Name = L.V->Name + Suffix;
    V->Ty = E->Ty;
    V->Const = true;
    F.Lets.push_back(std::make_shared<Decl>(V, E));
    return build::var(V);
  };
  ExprRef Lo = Fixed(L.Lo, "_first"), Hi = Fixed(L.Hi, "_end");
  F.Loop = std::make_shared<For>(L.V, Lo, L.Cond, Hi, L.Step, L.LKind,
                                 L.DeclaresVar, L.Body, L.Loc);
  F.Runs = build::binary(L.Cond, build::cast(Lo, Hi->Ty), Hi);
  return F;
}

bool raise::useLets(const std::vector<Guard> &Guards, const FixedBounds &F) {
  return llvm::any_of(Guards, [&](const Guard &G) {
    return llvm::any_of(F.Lets, [&](const StmtRef &Let) {
      const Var *V = llvm::cast<Decl>(Let.get())->V.get();
      return llvm::any_of(std::initializer_list<ExprRef>{G.Cond, G.A.Lo, G.A.Hi,
                                                         G.B.Lo, G.B.Hi},
                          [&](const ExprRef &E) { return E && uses(E, V); });
    });
  });
}

std::optional<PeeledLoop> raise::peelFirst(const For &L) {
  if (!runsThrough(L) || !isFixedIn(L.Step, L))
    return std::nullopt;
  FixedBounds F = fixBounds(L);
  const For &Whole = *F.Loop;
  if (auto *C = dyn_cast<IntConst>(F.Runs.get()); C && !C->Value)
    return std::nullopt;
  PeeledLoop P;
  P.Lets = F.Lets;
  P.Runs = F.Runs;
  P.Lo = Whole.Lo;
  P.Count = countTrips(Whole);
  if (P.Count)
    P.LastIndex = lastIndex(Whole, *P.Count);
  StmtRef First =
      ConstantFolder().run(substitute(withOwnVariables(L.Body), L.V, Whole.Lo));
  P.First = statements(First).vec();
  P.Rest = std::make_shared<For>(L.V, stepped(Whole.Lo, L, 1), L.Cond, Whole.Hi,
                                 L.Step, L.LKind, L.DeclaresVar, L.Body, L.Loc);
  return P;
}

StmtRef raise::assemble(const PeeledLoop &P, const StmtRef &Rest, const For &L,
                        const Liveness::VarSet &After) {
  std::vector<StmtRef> Run = P.First;
  llvm::append_range(Run, statements(Rest));
  llvm::append_range(Run, P.Last);
  std::vector<StmtRef> Out = P.Lets;
  auto *Always = dyn_cast<IntConst>(P.Runs.get());
  if (Always && Always->Value) {
    llvm::append_range(Out, Run);
    return makeBlock(std::move(Out));
  }
  StmtRef Else;
  if (!L.DeclaresVar && After.count(L.V.get()))
    Else = std::make_shared<Assign>(L.V, Combiner::None, P.Lo);
  Out.push_back(std::make_shared<If>(P.Runs, makeBlock(std::move(Run)), Else));
  return makeBlock(std::move(Out));
}
