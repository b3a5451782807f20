//===- Hoist.cpp - what every iteration computes alike --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HoistLoop.h"
#include "LoopForm.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise::hoisting;
using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

HoistRules raise::hoistRules(const Function &F, const Options &Opts) {
  HoistRules R;
  R.Alias = Opts.Alias;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *O = dyn_cast<Opaque>(S.get());
    R.KeepsPointers |= O && !O->Pure;
  });
  return R;
}

namespace {

/// Whether an iteration of L runs from its first statement to its last and no
/// inner loop has a directive of its own.
bool isPlain(const For &L) {
  if (L.LKind != LoopKind::Serial && L.LKind != LoopKind::Claimed &&
      L.LKind != LoopKind::Simd)
    return false;
  bool Ok = true;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    auto *O = dyn_cast<Opaque>(S.get());
    auto *Inner = dyn_cast<For>(S.get());
    Ok &= !(O && !O->Pure) && !(Inner && Inner->LKind != LoopKind::Serial) &&
          !isa<While>(S.get()) && !isa<Return>(S.get()) &&
          !isa<Barrier>(S.get()) && !isa<TensorOp>(S.get()) &&
          !isa<Region>(S.get());
  });
  struct Jumps : Visitor {
    bool Found = false;
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &S) override {
      Found |= isa<Break>(S.get()) || isa<Continue>(S.get());
      return !isa<For>(S.get());
    }
  } J;
  J.walk(L.Body);
  return Ok && !J.Found;
}

} // namespace

//===-- The whole nest ----------------------------------------------------===//

static StmtRef hoistFrom(const For &L, const Liveness::VarSet &After,
                         const HoistRules &Rules, NestState &Nest);

/// S with the loops in it that lose something.
static StmtRef withInnerHoisted(const StmtRef &S, const HoistRules &Rules,
                                NestState &Nest) {
  if (!S)
    return S;
  if (auto *B = dyn_cast<Block>(S.get())) {
    std::vector<StmtRef> List;
    for (const StmtRef &Sub : B->Body) {
      StmtRef New = withInnerHoisted(Sub, Rules, Nest);
      if (New != Sub && isa<For>(Sub.get()))
        llvm::append_range(List, statements(New));
      else
        List.push_back(std::move(New));
    }
    return std::make_shared<Block>(std::move(List), S->Loc);
  }
  if (auto *I = dyn_cast<If>(S.get()))
    return std::make_shared<If>(I->Cond, withInnerHoisted(I->Then, Rules, Nest),
                                withInnerHoisted(I->Else, Rules, Nest), I->Loc);
  auto *Inner = dyn_cast<For>(S.get());
  StmtRef New =
      Inner ? hoistFrom(*Inner, {Inner->V.get()}, Rules, Nest) : nullptr;
  return New ? New : S;
}

/// L without what it and the loops inside lose; null where that is nothing.
static StmtRef hoistFrom(const For &L, const Liveness::VarSet &After,
                         const HoistRules &Rules, NestState &Nest) {
  unsigned Known = Nest.Moves;
  StmtRef Inside = withInnerHoisted(L.Body, Rules, Nest);
  bool Changed = Nest.Moves > Known;
  auto With = [&](StmtRef Body) {
    return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                                 L.DeclaresVar, std::move(Body), L.Loc);
  };
  NamedCalls Calls;
  auto Named = With(nameCalls(Inside, L, Calls));
  StmtRef Result = isPlain(L)
                       ? LoopHoister(*Named, After, Rules, Calls, Nest).run()
                       : nullptr;
  Nest.Out.FromWhole = Result != nullptr;
  if (Result)
    ++Nest.Moves;
  else if (Changed)
    Result = With(std::move(Inside));
  return Result;
}

/// S, whose loops have variables of their own where nothing reads them after:
/// `int i, j;` before all of them ties together what has nothing in common.
static StmtRef ownCounters(const StmtRef &S, const Liveness &Live) {
  if (!S)
    return S;
  if (auto *B = dyn_cast<Block>(S.get())) {
    std::vector<StmtRef> List;
    for (const StmtRef &Sub : B->Body)
      List.push_back(ownCounters(Sub, Live));
    return std::make_shared<Block>(std::move(List), S->Loc);
  }
  if (auto *I = dyn_cast<If>(S.get()))
    return std::make_shared<If>(I->Cond, ownCounters(I->Then, Live),
                                ownCounters(I->Else, Live), I->Loc);
  auto *L = dyn_cast<For>(S.get());
  if (!L)
    return S;
  VarRef V = L->V;
  StmtRef Body = ownCounters(L->Body, Live);
  bool Own = !L->DeclaresVar && !Live.isLiveAfter(L, V.get());
  if (Own) {
    auto New = std::make_shared<Var>(*V);
    New->Kind = VarKind::Local;
    Body = renameVar(Body, V, New);
    V = New;
  }
  return std::make_shared<For>(V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                               L->DeclaresVar || Own, std::move(Body), L->Loc);
}

Hoisting raise::hoistInvariants(const For &L, const Liveness &Live,
                                const HoistRules &Rules) {
  NestState Nest;
  if (!isPlain(L))
    return std::move(Nest.Out);
  For Apart(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar,
            ownCounters(L.Body, Live), L.Loc);
  Nest.Out.Result = hoistFrom(Apart, Live.liveAfter(&L), Rules, Nest);
  return std::move(Nest.Out);
}
