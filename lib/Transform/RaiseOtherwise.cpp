//===- RaiseOtherwise.cpp - loops that are no operation as they stand -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop whose iterations are not independent may become one, or several, that
// are: without what they compute alike, rolled up, with closed forms for its
// scalars, taken apart, or cut where its dependences cross. What is left is
// raised in its order, if that is one that has a name.
//
//===----------------------------------------------------------------------===//
#include "CommutingUpdates.h"
#include "EarlyExits.h"
#include "FixedLoads.h"
#include "HoistNest.h"
#include "LoopForm.h"
#include "LoopRaiser.h"
#include "NestGuards.h"
#include "ReductionForm.h"
#include "Reroll.h"
#include "raise/Analysis/Loops.h"
#include "raise/Analysis/Order.h"
#include "raise/Analysis/Separation.h"
#include "raise/IR/Effects.h"
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

bool LoopRaiser::hasCall(const StmtRef &S) {
  bool Yes = false;
  forEachStmt(S, [&](const StmtRef &Sub) { Yes |= isa<Opaque>(Sub.get()); });
  return Yes;
}

StmtRef LoopRaiser::raiseEach(const StmtRef &S, Nest &N, bool Separated) {
  if (auto *I = dyn_cast<If>(S.get()))
    return std::make_shared<If>(
        I->Cond, raiseEach(I->Then, N, Separated),
        I->Else ? raiseEach(I->Else, N, Separated) : nullptr, I->Loc);
  if (auto *B = dyn_cast<Block>(S.get())) {
    std::vector<StmtRef> Out;
    for (const StmtRef &Sub : B->Body) {
      StmtRef New = raiseEach(Sub, N, Separated);
      if (isa<Block>(New.get()) && !isa<Block>(Sub.get()))
        llvm::append_range(Out, statements(New));
      else
        Out.push_back(std::move(New));
    }
    return makeBlock(std::move(Out), S->Loc);
  }
  auto *L = dyn_cast<For>(S.get());
  if (!L || keepsDirective(*L) || hasCall(L->Body)) {
    if (L && L->LKind == LoopKind::Claimed)
      Refuted |= againstClaim(*L, analyse(*L, N, false)).Code == "CR1030";
    return S;
  }
  Obligations Before = N.Rests;
  if (auto Raised = raiseLoop(*L, N, /*Outermost=*/!Separated))
    return *Raised;
  N.Rests = std::move(Before);
  return Separated ? keepSerial(*L, N) : S;
}

std::optional<StmtRef> LoopRaiser::raiseHoisted(
    const StmtRef &S, const std::vector<const For *> &Around, Reason &Stays) {
  auto *L = cast<For>(S.get());
  Hoisting H = hoistInvariants(*L, *Live, Rules);
  Stays = H.Why;
  auto N = H.Result ? nestOfHoisted(S, Around, H, *F, Ctx) : std::nullopt;
  if (!N)
    return std::nullopt;
  size_t Missed = Ctx.Missed.size();
  Liveness Own(H.Result, L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  StmtRef Raised = raiseEach(H.Result, *N, H.NeedsSeparation);
  Ctx.Missed.resize(Missed);
  if (std::exchange(Refuted, false))
    return std::nullopt;
  auto *T = dyn_cast<TensorOp>(statements(Raised).front().get());
  bool Whole = T && (T->Iterators[0].Kind == IterKind::Parallel ||
                     T->Iterators[0].Kind == IterKind::Reduction);
  if (!H.FromWhole && !Whole && !keepsDirective(*L))
    return std::nullopt;
  if (H.FromWhole)
    Raised = joinTests(Raised, *N);
  return std::make_shared<Region>(std::move(N->Rests), Raised, S, S->Loc);
}

std::optional<StmtRef> LoopRaiser::raiseAll(const StmtRef &S, Nest &N) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Block: {
    std::vector<StmtRef> Out;
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      auto Raised = raiseAll(Sub, N);
      if (!Raised)
        return std::nullopt;
      auto List = statements(*Raised);
      if (isa<Block>(Sub.get()))
        Out.push_back(*Raised);
      else
        Out.insert(Out.end(), List.begin(), List.end());
    }
    return makeBlock(std::move(Out), S->Loc);
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    auto Then = raiseAll(I->Then, N), Else = raiseAll(I->Else, N);
    if (!Then || !Else)
      return std::nullopt;
    return std::make_shared<If>(I->Cond, *Then, *Else, I->Loc);
  }
  default:
    // Tests are made before all of it: what was set by then they cannot use.
    assignedVars(S, [&](const VarRef &V) { N.Inner.insert(V.get()); });
    if (auto *L = dyn_cast<For>(S.get())) {
      if (auto Raised = raiseLoop(*L, N, /*Outermost=*/true))
        return Raised;
      return N.KeepsRests ? raiseRest(*L, N) : raiseSequence(*L, N);
    }
    return isa<While>(S.get()) ? std::nullopt : std::optional<StmtRef>(S);
  }
}

std::optional<StmtRef>
LoopRaiser::raiseOtherwise(const StmtRef &S,
                           const std::vector<const For *> &Around, Nest &N) {
  auto *L = cast<For>(S.get());
  // Whether the author's claim holds is said of the loop as it stands.
  if (L->LKind == LoopKind::Claimed)
    return std::nullopt;
  Reason AsItStands = Ctx.Missed.back();
  std::string Closed; ///< the code of what stops the loop with closed forms
  size_t Missed = Ctx.Missed.size();
  auto Tried = [&](auto Try, bool KeepsRests) -> std::optional<StmtRef> {
    Nest Other;
    Other.Root = S;
    Other.Loops = Around;
    Other.KeepsRests = KeepsRests;
    auto Raised = (this->*Try)(*L, Other);
    if (!Raised && Ctx.Missed.size() > Missed && Closed.empty())
      Closed = Ctx.Missed[Missed].Code;
    Ctx.Missed.resize(Missed);
    if (!Raised)
      return std::nullopt;
    if (KeepsRests)
      for (std::string &Proved : Other.Rests.Proved)
        Proved = "of the loops that are free: " + Proved;
    return std::make_shared<Region>(std::move(Other.Rests), *Raised, S, S->Loc);
  };
  for (auto Try : {&LoopRaiser::raiseRestructured, &LoopRaiser::raiseSequence,
                   &LoopRaiser::raiseUpdates})
    if (auto Raised = Tried(Try, false))
      return Raised;
  if (auto Rolled = raiseRolledInOrder(S, Around, AsItStands))
    return Rolled;
  auto Ordered = raiseInOrder(*L, N);
  // Of a scalar with a closed form, that it is carried is half of the reason.
  if (!Ordered && AsItStands.Code == "CR1107" && !Closed.empty() &&
      Closed != "CR1107")
    Ctx.Missed.back().Text +=
        Closed == "CR1106"
            ? "; computed from the loops' variables instead, it is not proved "
              "to fit its type"
            : ", and as an expression of the loop's variables it is not proved "
              "to keep iterations apart";
  if (!Ordered)
    return Tried(&LoopRaiser::raiseSequence, true);
  N.Rests.Ordered.push_back({AsItStands.Text, AsItStands.Loc});
  return std::make_shared<Region>(std::move(N.Rests), *Ordered, S, S->Loc);
}

std::optional<StmtRef>
LoopRaiser::raiseRolled(const StmtRef &S,
                        const std::vector<const For *> &Around) {
  auto *L = cast<For>(S.get());
  std::vector<ExprRef> Known;
  auto New = L->LKind == LoopKind::Claimed ? std::nullopt
                                           : reroll(*L, Ctx.Opts.FP, Known);
  if (!New)
    return std::nullopt;
  Nest N = nestOf(S);
  llvm::append_range(N.Known, Known);
  N.Root = *New;
  N.Loops = Around;
  size_t Missed = Ctx.Missed.size();
  Liveness Own(*New, L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  auto Raised = raiseAll(*New, N);
  Ctx.Missed.resize(Missed);
  if (!Raised)
    return std::nullopt;
  return std::make_shared<Region>(std::move(N.Rests), *Raised, S, S->Loc);
}

std::optional<StmtRef>
LoopRaiser::raiseRolledInOrder(const StmtRef &S,
                               const std::vector<const For *> &Around,
                               const Reason &AsItStands) {
  auto *L = cast<For>(S.get());
  Nest N = nestOf(S);
  std::vector<ExprRef> Known;
  const auto New = reroll(*L, Ctx.Opts.FP, Known);
  llvm::append_range(N.Known, Known);
  const auto *Rolled = New ? dyn_cast<For>(New->get()) : nullptr;
  if (!Rolled)
    return std::nullopt;
  N.Root = *New;
  N.Loops = Around;
  const size_t Missed = Ctx.Missed.size();
  Liveness Own(*New, L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  auto Ordered = raiseInOrder(*Rolled, N);
  Ctx.Missed.resize(Missed);
  // A value that is handed on stops several copies as it stops one.
  const auto *T = Ordered ? dyn_cast<TensorOp>(Ordered->get()) : nullptr;
  if (!T || T->Iterators.front().Kind != IterKind::Serial)
    return std::nullopt;
  N.Rests.Ordered.push_back({AsItStands.Text, AsItStands.Loc});
  return std::make_shared<Region>(std::move(N.Rests), *Ordered, S, S->Loc);
}

std::optional<StmtRef> LoopRaiser::raiseRestructured(const For &L, Nest &N) {
  auto Rewritten = rewriteScalars(L, Live->liveAfter(&L));
  if (!Rewritten)
    return std::nullopt;
  const StmtRef &New = *Rewritten;
  N.Root = New;
  Liveness Own(New, &L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  return raiseAll(New, N);
}

std::optional<StmtRef> LoopRaiser::raiseSequence(const For &L, Nest &N) {
  LoopQuery Q = query(L, N);
  const auto &After = Live->liveAfter(&L);
  std::vector<const Var *> LiveOut(After.begin(), After.end());
  Q.LiveOut = &LiveOut;
  for (auto Apart : {runOnce, interchange, splitRange, distribute}) {
    if (N.Covered && Apart != interchange)
      continue; // L is one of a sequence
    if (N.KeepsRests && Apart == splitRange)
      continue; // order in one piece is order in all
    Obligations Before = N.Rests;
    if (auto New = Apart(Q, *F, Ctx))
      if (auto Raised = raiseParts(L, *New, N))
        return Raised;
    N.Rests = std::move(Before);
  }
  return std::nullopt;
}

std::optional<StmtRef> LoopRaiser::raiseUpdates(const For &L, Nest &N) {
  // Inside of another loop, threads would start again and again.
  if (!N.Loops.empty() || !Ctx.Opts.OpenMP || !hasPlainOriginals(*F) ||
      Ctx.Opts.Target == Dialect::Eigen)
    return std::nullopt;
  const auto New = withCommutingUpdates(L, Ctx.Opts);
  if (!New || !N.adopt(New->Tests, /*Outermost=*/true))
    return std::nullopt;
  if (!New->Rows.empty()) {
    // To analyseLoop, updates that commute may meet in any two arrays.
    LoopQuery Q = query(L, N);
    Separation Apart = separateBuffers(Q, *F, Ctx);
    llvm::erase_if(Apart.Guards, [&](const Guard &G) {
      return !G.Cond && !llvm::is_contained(New->Rows, G.A.Buf) &&
             !llvm::is_contained(New->Rows, G.B.Buf);
    });
    if (Apart.Why.isSet() || !N.adopt(Apart.Guards, /*Outermost=*/true))
      return std::nullopt;
    addOnce(N.Rests.Assumptions, Apart.Assumed);
  }
  N.Root = New->Loop;
  assignedVars(N.Root, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  Liveness Own(N.Root, &L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  return raiseLoop(*New->Loop, N, /*Outermost=*/true);
}

std::optional<StmtRef> LoopRaiser::raiseParts(const For &L, LoopSequence &Parts,
                                              Nest &N) {
  if (!N.adopt(Parts.Guards, /*Outermost=*/true))
    return std::nullopt;
  addOnce(N.Rests.Assumptions, Parts.Assumed);
  StmtRef Body = makeBlock(std::move(Parts.Body), L.Loc);
  Liveness Own(Body, &L, *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  llvm::SaveAndRestore<bool> Covered(N.Covered, true);
  size_t Known = N.Known.size();
  llvm::append_range(N.Known, Parts.Known);
  auto Raised = raiseAll(Body, N);
  N.Known.resize(Known);
  return Raised;
}

std::optional<StmtRef> LoopRaiser::raiseRest(const For &L, Nest &N) {
  const Reason AsItStands = Ctx.Missed.back();
  if (auto Raised = raiseSequence(L, N))
    return Raised;
  N.Rests.Ordered.push_back({AsItStands.Text, AsItStands.Loc});
  if (auto Ordered = raiseInOrder(L, N))
    return Ordered;
  StmtRef Kept = keepSerial(L, N);
  return isa<TensorOp>(Kept.get()) ? std::optional(Kept) : std::nullopt;
}

std::optional<StmtRef> LoopRaiser::raiseInOrder(const For &L, Nest &N) {
  bool Inner = false;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    Inner |= isa<For>(S.get()) || isa<While>(S.get());
  });
  if (Inner)
    return std::nullopt;
  OrderFacts Facts = analyseOrder(query(L, N), *F, Ctx);
  Reason Why;
  auto Form = Facts.Recognised ? ascendingForm(L, /*KeepOrder=*/false, Why)
                               : std::nullopt;
  bool NeedsLast = !L.DeclaresVar && Live->isLiveAfter(&L, L.V.get());
  if (!Form || (NeedsLast && !Form->Last) ||
      !N.adopt(Facts.Guards, /*Outermost=*/true))
    return std::nullopt;
  addOnce(N.Rests.Assumptions, Facts.Assumed);
  IterKind Kind = Facts.Carried.empty() ? IterKind::Serial : IterKind::Scan;
  if (Facts.Leaves)
    return raiseLeaving(L, *Form, Facts, NeedsLast, N);
  if (ascendingForm(L, /*KeepOrder=*/true, Why))
    return build(L, L.Body, *Form, Kind, {}, N);
  auto Up = countedUp(L, *Form);
  std::vector<StmtRef> Out{build(*Up, Up->Body, *Form, Kind, {}, N)};
  if (NeedsLast)
    Out.push_back(std::make_shared<Assign>(L.V, Combiner::None, Form->Last));
  return makeBlock(std::move(Out), L.Loc);
}

std::optional<StmtRef> LoopRaiser::raiseLeaving(const For &L,
                                                const LoopForm &Form,
                                                const OrderFacts &Facts,
                                                bool NeedsLast, Nest &N) {
  IterKind Kind = !Facts.LeavesByState    ? IterKind::Search
                  : Facts.Carried.empty() ? IterKind::Serial
                                          : IterKind::Scan;
  OwnedLoop Own;
  if (L.DeclaresVar)
    Own.Loop = std::make_shared<For>(L);
  else if (auto New = withOwnVariable(L, NeedsLast ? Form.Last : nullptr))
    Own = std::move(*New);
  else
    return std::nullopt;
  Reason Why;
  auto OwnForm = ascendingForm(*Own.Loop, /*KeepOrder=*/false, Why);
  if (!OwnForm)
    return std::nullopt;
  if (!ascendingForm(*Own.Loop, /*KeepOrder=*/true, Why))
    Own.Loop = countedUp(*Own.Loop, *OwnForm);
  std::vector<StmtRef> Out = std::move(Own.Before);
  Out.push_back(build(*Own.Loop, Own.Loop->Body, *OwnForm, Kind, {}, N));
  llvm::append_range(Out, Own.After);
  return makeBlock(std::move(Out), L.Loc);
}

/// Whether Cond, or a part of it that must hold, compares a variable that Body
/// steps once in each iteration. What an Opaque of Body does is left out.
static bool comparesStepped(const ExprRef &Cond, const StmtRef &Body) {
  auto *B = dyn_cast<Binary>(Cond.get());
  if (!B)
    return false;
  if (B->Op == BinaryOp::LAnd)
    return comparesStepped(B->L, Body) || comparesStepped(B->R, Body);
  if (!isComparison(B->Op) || B->Op == BinaryOp::EQ)
    return false;
  auto Stepped = [&](const ExprRef &E) {
    auto *C = dyn_cast<Cast>(E.get());
    auto *U = dyn_cast<VarUse>(C ? C->Operand.get() : E.get());
    if (!U)
      return false;
    bool Once = false;
    unsigned Writes = 0;
    for (const StmtRef &S : statements(Body)) {
      auto *A = dyn_cast<Assign>(S.get());
      Once |= A && A->V == U->V;
    }
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *A = dyn_cast<Assign>(S.get()))
        Writes += A->V == U->V;
      if (auto *F = dyn_cast<For>(S.get()))
        Writes += F->V == U->V;
    });
    return Once && Writes == 1;
  };
  return Stepped(B->L) || Stepped(B->R);
}

/// Whether W might have a range but for what is not understood in its body.
bool LoopRaiser::mayHaveRange(const While &W) {
  // Without a condition it may be left anywhere.
  return isa<IntConst>(W.Cond.get()) ||
         (W.TestFirst && comparesStepped(W.Cond, W.Body));
}

std::string LoopRaiser::whyNoRange(const While &W) {
  return W.Why.empty() ? "the loop has no range that is known before it"
                       : W.Why;
}

std::optional<StmtRef>
LoopRaiser::raiseWhile(const StmtRef &S,
                       const std::vector<const For *> &Around) {
  auto List = statements(S);
  auto *W = wholeWhile(S);
  Reason Why;
  auto Counted = W ? countedWhile(*W, Why) : std::nullopt;
  if (!Counted)
    return std::nullopt;
  Nest N = nestOf(S);
  N.Loops = Around;
  auto Raised = raiseInOrder(*Counted->Loop, N);
  // A test would be made of a range that has no end.
  if (!Raised || !N.Rests.Guards.empty())
    return std::nullopt;
  N.Rests.Ordered.push_back({whyNoRange(*W), W->Loc});
  std::vector<StmtRef> Out(List.begin(), List.end() - 1);
  llvm::append_range(Out, Counted->Before);
  llvm::append_range(Out, statements(*Raised));
  llvm::append_range(Out, Counted->After);
  return std::make_shared<Region>(std::move(N.Rests), makeBlock(std::move(Out)),
                                  S, S->Loc);
}

std::optional<StmtRef>
LoopRaiser::raiseBounded(const StmtRef &S,
                         const std::vector<const For *> &Around) {
  // (Text of the IR has no places.)
  const bool OneText =
      isa<For>(S.get()) || wholeWhile(S) || S->Loc.Begin == S->Loc.End;
  auto Fixed = OneText ? fixLoads(S) : std::nullopt;
  if (!Fixed)
    return std::nullopt;
  Nest N = nestOf(S);
  N.Root = Fixed->Loop;
  N.Loops = Around;
  assignedVars(S, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  LoopQuery Q = query(*cast<For>(Fixed->Touches.get()), N);
  Separation Apart = separateBuffers(Q, *F, Ctx);
  llvm::erase_if(Apart.Guards, [&](const Guard &G) {
    return !G.Cond && !llvm::is_contained(Fixed->From, G.A.Buf) &&
           !llvm::is_contained(Fixed->From, G.B.Buf);
  });
  std::vector<Guard> Runs;
  for (const ExprRef &E : Fixed->Runs) {
    Runs.emplace_back().Cond = E;
    Runs.back().Why = "the loop runs";
  }
  if (Apart.Why.isSet() || !N.adopt(Runs, /*Outermost=*/true) ||
      !N.adopt(Apart.Guards, /*Outermost=*/true))
    return std::nullopt;
  const size_t Missed = Ctx.Missed.size();
  Liveness Own(Fixed->Loop, S.get(), *Live);
  llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
  auto Raised = raiseFor(Fixed->Loop, Around);
  auto *R = Raised ? dyn_cast<Region>(Raised->get()) : nullptr;
  if (!R || !N.adopt(R->Rests.Guards, /*Outermost=*/true)) {
    Ctx.Missed.resize(Missed);
    return std::nullopt;
  }
  Obligations Rests = R->Rests;
  Rests.Guards = std::move(N.Rests.Guards);
  addOnce(Rests.Assumptions, Apart.Assumed);
  dropImplied(Rests.Guards);
  // Tests come before the lets.
  for (Guard &G : Rests.Guards)
    for (ExprRef *E : {&G.Cond, &G.A.Lo, &G.A.Hi, &G.B.Lo, &G.B.Hi})
      if (*E)
        *E = substitute(*E, Fixed->Values);
  if (Rests.Inspection)
    Rests.Inspection = substitute(Rests.Inspection, Fixed->Values);
  std::vector<StmtRef> Body = std::move(Fixed->Lets);
  llvm::append_range(Body, statements(R->Body));
  return std::make_shared<Region>(std::move(Rests), makeBlock(std::move(Body)),
                                  S, S->Loc);
}
