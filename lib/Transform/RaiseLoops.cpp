//===- RaiseLoops.cpp - proved loops become tensor operations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outermost loops are tried first; where one is left, the loops inside it are
// tried. A loop whose iterations are independent becomes a Parallel iterator,
// one whose iterations only combine becomes a Reduction iterator; loops inside
// it that are neither keep their order as Serial iterators. What a proof needs
// at run time is collected in the Region around the outermost of them, so it
// must be known there.
//
//===----------------------------------------------------------------------===//
#include "EarlyExits.h"
#include "FoldCopies.h"
#include "HoistNest.h"
#include "LoopForm.h"
#include "LoopRaiser.h"
#include "NestGuards.h"
#include "ReductionForm.h"
#include "Reroll.h"
#include "WideSubscripts.h"
#include "raise/Analysis/Loops.h"
#include "raise/Analysis/Order.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "raise/Transform/Liveness.h"
#include "raise/Transform/Passes.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>
#include <utility>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

FunctionRef LoopRaiser::run() {
  if (F->Kind == FunctionKind::Kernel)
    return raiseKernel();
  return withBody(*F, foldCopies(raiseIn(F->Body, {})));
}

std::vector<const Decl *> LoopRaiser::factsIn(const StmtRef &S) const {
  std::vector<const Decl *> Given;
  llvm::copy_if(Facts, std::back_inserter(Given),
                [&](const Decl *D) { return holdsThrough(*D, S); });
  return Given;
}

Nest LoopRaiser::nestOf(const StmtRef &S) const {
  Nest N;
  N.Root = S;
  for (const Decl *D : factsIn(S))
    N.know(*D);
  return N;
}

namespace {

class AssumptionNamer : public Rewriter {
public:
  explicit AssumptionNamer(std::vector<std::string> Says)
      : Says(std::move(Says)) {}

private:
  const std::vector<std::string> Says;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    Obligations Rests = R->Rests;
    addOnce(Rests.Assumptions, Says);
    return std::make_shared<Region>(std::move(Rests), R->Body, R->Original,
                                    R->Loc);
  }
};

} // namespace

StmtRef LoopRaiser::resting(const StmtRef &S,
                            llvm::ArrayRef<const Decl *> Given) {
  if (Given.empty())
    return S;
  std::vector<std::string> Says;
  for (const Decl *D : Given)
    Says.push_back(saysOf(*D).str());
  return AssumptionNamer(std::move(Says)).run(S);
}

StmtRef LoopRaiser::raiseIn(const StmtRef &S, std::vector<const For *> Around) {
  if (!S || (!isa<For>(S.get()) && !isa<While>(S.get())))
    return raiseStatement(S, std::move(Around));
  // In a loop only what holds in every iteration is of use.
  const llvm::SaveAndRestore Saved(Facts, factsIn(S));
  return resting(raiseStatement(S, std::move(Around)), Facts);
}

StmtRef LoopRaiser::raiseBlock(const StmtRef &S,
                               const std::vector<const For *> &Around) {
  if (auto Raised = raiseWhile(S, Around))
    return resting(*Raised, factsIn(S));
  if (auto Raised = raiseBounded(S, Around))
    return resting(*Raised, factsIn(S));
  const llvm::SaveAndRestore Saved(Facts);
  std::vector<StmtRef> Out;
  for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
    if (const Decl *Fact = asFact(*Sub))
      Facts.push_back(Fact);
    // `for (i = 0, s = 0; ...)` is a block of what the header does first
    // and the loop: one text, of which the loop alone cannot be replaced.
    auto *L = dyn_cast<For>(Sub.get());
    if (L && !Out.empty() && L->Loc.isValid() && L->Loc.Begin == S->Loc.Begin &&
        L->Loc.End == S->Loc.End) {
      Ctx.miss("CR1206",
               "the header of the loop does more than set its variable",
               L->Loc);
      std::vector<const For *> Inner = Around;
      Inner.push_back(L);
      Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                          L->LKind, L->DeclaresVar,
                                          raiseIn(L->Body, Inner), L->Loc));
    } else {
      Out.push_back(raiseIn(Sub, Around));
    }
    llvm::erase_if(Facts, [&](const Decl *D) {
      return D != Sub.get() && !holdsThrough(*D, Sub);
    });
  }
  return std::make_shared<Block>(std::move(Out), S->Loc);
}

StmtRef LoopRaiser::raiseStatement(const StmtRef &S,
                                   std::vector<const For *> Around) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Block:
    return raiseBlock(S, Around);
  case StmtKind::If:
    return mapChildren(
        S, [&](const StmtRef &Sub) { return raiseIn(Sub, Around); });
  case StmtKind::While: {
    auto *W = cast<While>(S.get());
    if (auto Raised = raiseWhile(S, Around))
      return *Raised;
    Ctx.Missed.push_back(whyLeft(*W, Around));
    return std::make_shared<While>(W->Cond, W->TestFirst,
                                   raiseIn(W->Body, Around), W->Why, W->Loc,
                                   W->AsIf);
  }
  case StmtKind::For: {
    auto *L = cast<For>(S.get());
    if (Ctx.Brief.count(L->V.get()))
      return S;
    StmtRef Own = ownStart(*L);
    const size_t Missed = Ctx.Missed.size();
    if (auto Raised =
            Own ? raiseFromItself(S, Own, Around) : raiseFor(S, Around))
      return *Raised;
    if (auto Raised = raiseBounded(S, Around)) {
      Ctx.Missed.resize(Missed);
      return *Raised;
    }
    Around.push_back(L);
    return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                 L->DeclaresVar, raiseIn(L->Body, Around),
                                 L->Loc);
  }
  default:
    return S;
  }
}

std::optional<StmtRef>
LoopRaiser::raiseFor(const StmtRef &S, const std::vector<const For *> &Around) {
  auto *L = cast<For>(S.get());
  if (auto Raised = raiseRolled(S, Around))
    return Raised;
  Nest N = nestOf(S);
  N.Loops = Around;
  assignedVars(S, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  size_t Missed = Ctx.Missed.size();
  Reason Stays;
  if (auto Raised = raiseHoisted(S, Around, Stays))
    return Raised;
  if (auto Raised = raiseLoop(*L, N, /*Outermost=*/true))
    return std::make_shared<Region>(std::move(N.Rests), *Raised, S, S->Loc);
  if (auto Raised = raiseOtherwise(S, Around, N)) {
    Ctx.Missed.resize(Missed);
    return Raised;
  }
  // Of a call without a body it is known why it is still there.
  if (Stays.isSet() && Ctx.Missed.size() > Missed &&
      Ctx.Missed[Missed].Code == Stays.Code)
    Ctx.Missed[Missed] = Stays;
  if (Ctx.Missed.size() > Missed)
    if (Reason More = whyLeftAnyway(*L, Around, Ctx.Missed[Missed]);
        More.isSet())
      Ctx.Missed[Missed] = More;
  return std::nullopt;
}

std::optional<StmtRef>
LoopRaiser::raiseFromItself(const StmtRef &S, const StmtRef &Own,
                            const std::vector<const For *> &Around) {
  auto *L = cast<For>(S.get());
  Liveness After(Own, L, *Live);
  bool NeedsLast = Live->isLiveAfter(L, L->V.get());
  llvm::SaveAndRestore<const Liveness *> Within(Live, &After);
  auto Raised = raiseFor(Own, Around);
  auto *R = Raised ? dyn_cast<Region>(Raised->get()) : nullptr;
  if (!R)
    return std::nullopt;
  auto Out = statements(R->Body).vec();
  if (NeedsLast) {
    Reason Why;
    auto Form = ascendingForm(*L, /*KeepOrder=*/false, Why);
    if (!Form || !Form->Last) {
      missLast(*L->V, *L);
      return std::nullopt;
    }
    Out.push_back(std::make_shared<Assign>(L->V, Combiner::None, Form->Last));
  }
  return std::make_shared<Region>(R->Rests, makeBlock(std::move(Out)), S,
                                  S->Loc);
}

void LoopRaiser::missLast(const Var &V, const For &L) {
  Ctx.miss("CR1202",
           "the last value of '" + V.Name + "' is used after the loop", L.Loc);
}

/// Whether loops over threads stand in S.
static bool holdsThreads(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *L = dyn_cast<For>(Sub.get());
    Found |= L && L->LKind == LoopKind::Parallel;
  });
  return Found;
}

/// Whether R's original is no other form, but ends the program.
static bool stopsElse(const Region &R) {
  const llvm::ArrayRef<StmtRef> All = statements(R.Original);
  auto *O =
      All.size() == 1 ? llvm::dyn_cast<Opaque>(All.front().get()) : nullptr;
  return O && O->NoReturn;
}

/// Whether threads of a block have more to do with each other in S, what one of
/// them does, than that they are launched together.
static bool sharesAmongThreads(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *D = dyn_cast<DeclBuffer>(Sub.get());
    Found |= isa<Barrier>(*Sub) || (D && D->B->Kind == BufferKind::Shared);
  });
  return Found;
}

FunctionRef LoopRaiser::raiseKernel() {
  auto *R = dyn_cast<Region>(F->Body.get());
  if (!R)
    return F; // mergeLaunch has said why
  const FunctionRef Left = stopsElse(*R) ? F : withBody(*F, R->Original);
  Nest N;
  N.Root = R->Body;
  N.Kernel = true;
  N.Rests = R->Rests;
  for (const Guard &G : R->Rests.Guards) {
    auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
    auto *U =
        B && B->Op == BinaryOp::LE ? dyn_cast<VarUse>(B->L.get()) : nullptr;
    auto *Most = U ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    if (Most && U->V->Kind == VarKind::Launch)
      MostThreads[U->V.get()] = Most->Value;
  }
  assignedVars(R->Body, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  const bool OfBlock = sharesAmongThreads(R->Original);
  std::vector<StmtRef> Out;
  for (const StmtRef &S : statements(R->Body)) {
    if (const Decl *Fact = asFact(*S); Fact && holdsThrough(*Fact, R->Body)) {
      N.rest(*Fact);
      continue;
    }
    auto *L = dyn_cast<For>(S.get());
    if (!L || (L->LKind != LoopKind::Parallel &&
               (stopsElse(*R) || holdsThreads(L->Body)))) {
      Out.push_back(raiseBody(S, N)); // of the only block
      continue;
    }
    const size_t Missed = Ctx.Missed.size();
    if (auto Raised = raiseLoop(*L, N, /*Outermost=*/true)) {
      Out.push_back(*Raised);
      continue;
    }
    if (L->LKind == LoopKind::Parallel || !OfBlock)
      return Left;
    Ctx.Missed.resize(Missed); // what the only block does, in its order
    Out.push_back(raiseBody(S, N));
  }
  if (Race.isSet()) {
    Ctx.Missed.push_back(Race);
    return Left;
  }
  return withBody(*F, std::make_shared<Region>(std::move(N.Rests),
                                               makeBlock(std::move(Out)),
                                               R->Original, R->Loc));
}

LoopQuery LoopRaiser::query(const For &L, const Nest &N) {
  LoopQuery Q;
  Q.Loop = &L;
  Q.Enclosing = N.Loops;
  Q.Known = N.Known;
  Q.Sizes = N.Sizes;
  Q.Separated = N.Separated;
  llvm::append_range(Q.Separated, Ctx.Apart);
  return Q;
}

namespace {
/// Loops over as many threads as a block has at most: what holds of all of them
/// holds of the first ones.
class OverMost : public Rewriter {
public:
  explicit OverMost(const std::map<const Var *, int64_t> &Most) : Most(Most) {}

private:
  const std::map<const Var *, int64_t> &Most;
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    if (!L || L->LKind != LoopKind::Parallel)
      return S;
    ExprRef Threads = L->Hi;
    while (auto *C = dyn_cast<Cast>(Threads.get()))
      Threads = C->Operand;
    auto *U = dyn_cast<VarUse>(Threads.get());
    const auto It = U ? Most.find(U->V.get()) : Most.end();
    if (It == Most.end())
      return S;
    return std::make_shared<For>(
        L->V, L->Lo, L->Cond, build::intConst(It->second, L->Hi->Ty), L->Step,
        L->LKind, L->DeclaresVar, L->Body, L->Loc);
  }
};
} // namespace

LoopFacts LoopRaiser::analyse(const For &L, const Nest &N, bool Threads) {
  LoopQuery Q = query(L, N);
  StmtRef Larger;
  if (Threads && !MostThreads.empty()) {
    Larger = OverMost(MostThreads).run(std::make_shared<For>(L));
    Q.Loop = cast<For>(Larger.get());
  }
  const auto &After = Live->liveAfter(&L);
  std::vector<const Var *> LiveOut(After.begin(), After.end());
  Q.LiveOut = &LiveOut;
  Q.Threads = Threads;
  return analyseLoop(Q, *F, Ctx);
}

bool LoopRaiser::adopt(const LoopFacts &Facts, const For &L, Nest &N,
                       bool Outermost) {
  bool Looks = !Facts.Inspections.empty();
  Obligations Old = N.Rests;
  if (Looks && (!Outermost || N.Covered || !N.inspect(Facts.Inspections, L)))
    return false;
  if (!N.adopt(Facts.Guards, Outermost)) {
    N.Rests = std::move(Old);
    return false;
  }
  if (Outermost)
    N.separate(Facts.Guards);
  return true;
}

std::optional<StmtRef> LoopRaiser::raiseLoop(const For &L, Nest &N,
                                             bool Outermost) {
  bool Threads = L.LKind == LoopKind::Parallel && N.Kernel && !F->InOrder;
  LoopFacts Facts = analyse(L, N, Threads);
  if (Facts.R == LoopFacts::Result::Conflict ||
      (Facts.R == LoopFacts::Result::Unknown && !Threads)) {
    Ctx.Missed.push_back(againstClaim(L, Facts));
    return std::nullopt;
  }
  if (Threads && !N.adopt(Facts.RaceFree, Outermost)) {
    Ctx.Missed.push_back(Facts.Race);
    return std::nullopt;
  }
  const bool KeepsOrder =
      llvm::any_of(Facts.Reductions, [](const ReductionInfo &R) {
        return R.Rounds || R.keepsFirst();
      });
  Reason Why;
  auto Form = ascendingForm(L, KeepsOrder, Why);
  if (!Form) {
    Ctx.Missed.push_back(Why);
    return std::nullopt;
  }
  // The loop's own variable has a last value that its range gives.
  VarRef NeedsLast;
  for (const VarRef &V : Facts.LastValue)
    if (V != L.V)
      NeedsLast = V;
  if (!L.DeclaresVar && !Form->Last && Live->isLiveAfter(&L, L.V.get()))
    NeedsLast = L.V;
  if (NeedsLast) {
    missLast(*NeedsLast, L);
    return std::nullopt;
  }
  StmtRef Body = L.Body;
  for (const ReductionInfo &R : Facts.Reductions)
    if (!(Body = canonicalReduction(Body, R))) {
      Ctx.miss("CR1205",
               "the update is a reduction, but not in a form that can be "
               "written as one",
               R.Loc);
      return std::nullopt;
    }
  // Threads are unordered whatever their stores are; for them no test is
  // needed, and none is made.
  bool Counts = !Outermost || Threads || N.addCountFits(*Form, Facts.Guards);
  if (!Threads && (!Counts || !adopt(Facts, L, N, Outermost))) {
    if (Outermost || N.Loops.empty())
      Ctx.miss("CR1203",
               "what the proof needs cannot be tested before the loop", L.Loc);
    return std::nullopt;
  }
  if (!Threads || Facts.Guards.empty())
    addOnce(N.Rests.Proved, Facts.Proved);
  addOnce(N.Rests.Assumptions, Facts.Assumed);
  if (Threads &&
      (Facts.R == LoopFacts::Result::Unknown || !Facts.Guards.empty()))
    addOnce(N.Rests.Proved, {"CUDA leaves the order of threads open, so "
                             "their loop needs no proof"});
  IterKind Kind =
      Facts.Reductions.empty() ? IterKind::Parallel : IterKind::Reduction;
  if (Body == L.Body)
    return build(L, Body, *Form, Kind, Facts.Private, N);
  auto Rewritten = std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step,
                                         L.LKind, L.DeclaresVar, Body, L.Loc);
  Liveness Own(Rewritten, &L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  return build(*Rewritten, Body, *Form, Kind, Facts.Private, N);
}

StmtRef LoopRaiser::keepSerial(const For &L, Nest &N) {
  Reason Why;
  auto Form = ascendingForm(L, /*KeepOrder=*/true, Why);
  if (Form && !leavesEarly(L.Body) && !Live->isLiveAfter(&L, L.V.get()))
    return build(L, L.Body, *Form, IterKind::Serial, {}, N);
  Nest Inside = N;
  Inside.Loops.push_back(&L);
  StmtRef Body = raiseBody(L.Body, Inside);
  N.Rests = Inside.Rests;
  return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                               L.DeclaresVar, Body, L.Loc);
}

StmtRef LoopRaiser::build(const For &L, StmtRef Body, const LoopForm &Form,
                          IterKind Kind, const std::vector<VarRef> &Private,
                          Nest &N) {
  Nest Inside = N;
  Inside.Loops.push_back(&L);
  Body = raiseBody(Body, Inside);
  N.Rests = Inside.Rests;

  // The iterator is declared by the operation itself.
  VarRef V = L.V;
  if (!L.DeclaresVar || Form.Lo->Ty != V->Ty) {
    auto Own = std::make_shared<Var>(*L.V);
    Own->Ty = Form.Lo->Ty;
    Own->Kind = VarKind::Local;
    V = Own;
    Body = substitute(Body, L.V, build::cast(build::var(V), L.V->Ty));
    if (V->Ty.Bits == 64 && L.V->Ty.Bits == 32 &&
        (V->Ty.Signed || !L.V->Ty.Signed))
      Body = widenSubscripts(Body, *V, Type::getInt(32, L.V->Ty.Signed));
  }
  Body = declareInside(Body, Private);
  std::vector<StmtRef> Out;
  Iterator It{V, Form.Lo, Form.Hi, Form.Step, Kind};
  Out.push_back(makeOperation(It, Body, L.Loc));
  if (!L.DeclaresVar && Live->isLiveAfter(&L, L.V.get()))
    Out.push_back(std::make_shared<Assign>(L.V, Combiner::None, Form.Last));
  return makeBlock(std::move(Out), L.Loc);
}

StmtRef LoopRaiser::raiseBody(const StmtRef &S, Nest &N) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Block: {
    std::vector<StmtRef> Out;
    const Nest::Knowledge Before = N.knowledge();
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      if (const Decl *Fact = asFact(*Sub)) {
        if (holdsThrough(*Fact, S))
          N.rest(*Fact);
        continue; // what was said stands in the obligations
      }
      StmtRef New = raiseBody(Sub, N);
      if (isa<Block>(New.get()) && !isa<Block>(Sub.get())) {
        auto List = statements(New);
        Out.insert(Out.end(), List.begin(), List.end());
      } else {
        Out.push_back(std::move(New));
      }
    }
    N.forget(Before);
    return makeBlock(std::move(Out), S->Loc);
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    size_t Old = N.Known.size();
    bool Stays = true; // all through the branch
    forEachExpr(I->Cond, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Stays &= !U || !assigns(I->Then, U->V.get());
    });
    if (Stays)
      N.Known.push_back(I->Cond);
    StmtRef Then = raiseBody(I->Then, N);
    N.Known.resize(Old);
    return std::make_shared<If>(I->Cond, Then, raiseBody(I->Else, N), I->Loc);
  }
  case StmtKind::For: {
    auto *L = cast<For>(S.get());
    size_t Missed = Ctx.Missed.size();
    if (Ctx.Brief.count(L->V.get()))
      return keepSerial(*L, N);
    if (auto Raised = raiseLoop(*L, N, /*Outermost=*/false))
      return *Raised;
    if (N.Kernel && L->LKind == LoopKind::Parallel) { // threads that race
      if (!Race.isSet() && Ctx.Missed.size() > Missed)
        Race = Ctx.Missed[Missed];
      return S;
    }
    Ctx.Missed.resize(Missed); // it runs in order inside what was raised
    return keepSerial(*L, N);
  }
  case StmtKind::While: {
    if (!N.Kernel)
      return S;
    auto *W = cast<While>(S.get());
    return std::make_shared<While>(W->Cond, W->TestFirst, raiseBody(W->Body, N),
                                   W->Why, W->Loc, W->AsIf);
  }
  default:
    return S;
  }
}

namespace {

class FewerGuards : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    Obligations Rests = R->Rests;
    dropImplied(Rests.Guards);
    return Rests.Guards.size() == R->Rests.Guards.size()
               ? S
               : std::make_shared<Region>(std::move(Rests), R->Body,
                                          R->Original, R->Loc);
  }
};

} // namespace

FunctionRef raise::raiseLoops(FunctionRef F, Context &Ctx) {
  const FunctionRef Raised = LoopRaiser(std::move(F), Ctx).run();
  return withBody(*Raised, FewerGuards().run(Raised->Body));
}
