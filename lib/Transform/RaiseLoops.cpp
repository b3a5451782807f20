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
#include "HoistNest.h"
#include "LoopForm.h"
#include "NestGuards.h"
#include "Operations.h"
#include "ReductionForm.h"
#include "Reroll.h"
#include "raise/Analysis/Loops.h"
#include "raise/Analysis/Order.h"
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

namespace {

class LoopRaiser {
public:
  LoopRaiser(FunctionRef F, Context &Ctx)
      : F(std::move(F)), Ctx(Ctx), OfFunction(*this->F),
        Rules(hoistRules(*this->F, Ctx.Opts)) {}

  FunctionRef run() {
    if (F->Kind == FunctionKind::Kernel)
      return raiseKernel();
    StmtRef Body = raiseIn(F->Body, {});
    return withBody(*F, Body);
  }

private:
  FunctionRef F;
  Context &Ctx;
  Liveness OfFunction;
  HoistRules Rules;
  /// A directive that would be kept claims what does not hold.
  bool Refuted = false;
  /// Of what is being raised: the function's, or that of a rewritten loop.
  const Liveness *Live = &OfFunction;

  //===-- Functions ------------------------------------------------------===//

  /// Tries every loop of S, outermost first; Around are the loops that were
  /// left.
  StmtRef raiseIn(const StmtRef &S, std::vector<const For *> Around) {
    if (!S)
      return S;
    switch (S->Kind) {
    case StmtKind::Block: {
      if (auto Raised = raiseWhile(S, Around))
        return *Raised;
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
        // `for (i = 0, s = 0; ...)` is a block of what the header does first
        // and the loop: one text, of which the loop alone cannot be replaced.
        auto *L = dyn_cast<For>(Sub.get());
        if (L && !Out.empty() && L->Loc.isValid() &&
            L->Loc.Begin == S->Loc.Begin && L->Loc.End == S->Loc.End) {
          Ctx.miss("CR1206",
                   "the header of the loop does more than set its variable",
                   L->Loc);
          std::vector<const For *> Inner = Around;
          Inner.push_back(L);
          Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi,
                                              L->Step, L->LKind, L->DeclaresVar,
                                              raiseIn(L->Body, Inner), L->Loc));
          continue;
        }
        Out.push_back(raiseIn(Sub, Around));
      }
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      return std::make_shared<If>(I->Cond, raiseIn(I->Then, Around),
                                  raiseIn(I->Else, Around), I->Loc);
    }
    case StmtKind::While: {
      auto *W = cast<While>(S.get());
      if (auto Raised = raiseWhile(S, Around))
        return *Raised;
      // A statement that is not understood may be all that keeps the loop from
      // having a range.
      const Opaque *Unknown = nullptr;
      forEachStmt(W->Body, [&](const StmtRef &Sub) {
        auto *O = dyn_cast<Opaque>(Sub.get());
        if (!Unknown && O && !O->NoReturn)
          Unknown = O;
      });
      if (Unknown)
        Ctx.miss(Unknown->Code, Unknown->Why, Unknown->Loc);
      else
        Ctx.miss("CR1201", whyNoRange(*W), W->Loc);
      return std::make_shared<While>(W->Cond, W->TestFirst,
                                     raiseIn(W->Body, Around), W->Why, W->Loc);
    }
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      if (auto Raised = raiseRolled(S, Around))
        return *Raised;
      Nest N;
      N.Root = S;
      N.Loops = Around;
      assignedVars(S, [&](const VarRef &V) { N.Inner.insert(V.get()); });
      size_t Missed = Ctx.Missed.size();
      Reason Stays;
      if (auto Raised = raiseHoisted(S, Around, Stays))
        return *Raised;
      if (auto Raised = raiseLoop(*L, N, /*Outermost=*/true))
        return std::make_shared<Region>(std::move(N.Rests), *Raised, S, S->Loc);
      if (auto Raised = raiseOtherwise(S, Around, N)) {
        Ctx.Missed.resize(Missed);
        return *Raised;
      }
      // Of a call without a body it is known why it is still there.
      if (Stays.isSet() && Ctx.Missed.size() > Missed &&
          Ctx.Missed[Missed].Code == Stays.Code)
        Ctx.Missed[Missed] = Stays;
      Around.push_back(L);
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar,
                                   raiseIn(L->Body, Around), L->Loc);
    }
    default:
      return S;
    }
  }

  //===-- Kernels --------------------------------------------------------===//

  FunctionRef raiseKernel() {
    auto *R = dyn_cast<Region>(F->Body.get());
    if (!R)
      return F; // mergeLaunch has said why
    Nest N;
    N.Root = R->Body;
    N.Kernel = true;
    N.Rests = R->Rests;
    assignedVars(R->Body, [&](const VarRef &V) { N.Inner.insert(V.get()); });
    std::vector<StmtRef> Out;
    for (const StmtRef &S : statements(R->Body)) {
      auto *L = dyn_cast<For>(S.get());
      if (!L) {
        Out.push_back(S);
        continue;
      }
      auto Raised = raiseLoop(*L, N, /*Outermost=*/true);
      if (!Raised)
        return withBody(*F, R->Original);
      Out.push_back(*Raised);
    }
    return withBody(*F, std::make_shared<Region>(std::move(N.Rests),
                                                 makeBlock(std::move(Out)),
                                                 R->Original, R->Loc));
  }

  //===-- One loop -------------------------------------------------------===//

  LoopQuery query(const For &L, const Nest &N) {
    LoopQuery Q;
    Q.Loop = &L;
    Q.Enclosing = N.Loops;
    Q.Known = N.Known;
    Q.Separated = N.Separated;
    return Q;
  }

  LoopFacts analyse(const For &L, const Nest &N, bool Threads) {
    LoopQuery Q = query(L, N);
    const auto &After = Live->liveAfter(&L);
    std::vector<const Var *> LiveOut(After.begin(), After.end());
    Q.LiveOut = &LiveOut;
    Q.Threads = Threads;
    return analyseLoop(Q, *F, Ctx);
  }

  /// What Facts of L asks for, taken over into N.
  static bool adopt(const LoopFacts &Facts, const For &L, Nest &N,
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

  /// The loop as a TensorOp (and what must follow it), or nothing and a reason
  /// in Ctx.
  std::optional<StmtRef> raiseLoop(const For &L, Nest &N, bool Outermost) {
    bool Threads = L.LKind == LoopKind::Parallel && N.Kernel;
    LoopFacts Facts = analyse(L, N, Threads);
    if (Facts.R == LoopFacts::Result::Conflict ||
        (Facts.R == LoopFacts::Result::Unknown && !Threads)) {
      Ctx.Missed.push_back(againstClaim(L, Facts));
      return std::nullopt;
    }
    bool Rounds = llvm::any_of(Facts.Reductions,
                               [](const ReductionInfo &R) { return R.Rounds; });
    Reason Why;
    auto Form = ascendingForm(L, /*KeepOrder=*/Rounds, Why);
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
      Ctx.miss("CR1202",
               "the last value of '" + NeedsLast->Name +
                   "' is used after the loop",
               L.Loc);
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
    bool Counts = !Outermost || Threads ||
                  N.addCountFits(Form->Lo, Form->Hi, Facts.Guards);
    if (!Threads && (!Counts || !adopt(Facts, L, N, Outermost))) {
      if (Outermost || N.Loops.empty())
        Ctx.miss("CR1203",
                 "what the proof needs cannot be tested before the loop",
                 L.Loc);
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

  //===-- Loops that compute the same in every iteration -----------------===//

  /// Whether S calls a function without a body.
  static bool hasCall(const StmtRef &S) {
    bool Yes = false;
    forEachStmt(S, [&](const StmtRef &Sub) { Yes |= isa<Opaque>(Sub.get()); });
    return Yes;
  }

  /// Every loop of S as an operation, or as it is. Without tests of all that
  /// the nest touches, a loop that is left keeps those inside of it.
  StmtRef raiseEach(const StmtRef &S, Nest &N, bool Separated) {
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

  /// S with what its iterations compute alike before it, and all loops of that
  /// as far as they can be raised. Where something left inner loops only, S as
  /// a whole must be an operation: else they do better on their own. Stays is
  /// set where a call could have been hoisted and was not.
  std::optional<StmtRef> raiseHoisted(const StmtRef &S,
                                      const std::vector<const For *> &Around,
                                      Reason &Stays) {
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

  //===-- Loops that are rewritten first ---------------------------------===//

  /// Every loop of S, outermost ones; nothing if one of them is left.
  std::optional<StmtRef> raiseAll(const StmtRef &S, Nest &N) {
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

  /// A loop that is no operation as it stands, for the reason recorded last:
  /// rewritten, or in its order.
  std::optional<StmtRef> raiseOtherwise(const StmtRef &S,
                                        const std::vector<const For *> &Around,
                                        Nest &N) {
    auto *L = cast<For>(S.get());
    // Whether the author's claim holds is said of the loop as it stands.
    if (L->LKind == LoopKind::Claimed)
      return std::nullopt;
    Reason AsItStands = Ctx.Missed.back();
    size_t Missed = Ctx.Missed.size();
    auto Tried = [&](auto Try, bool KeepsRests) -> std::optional<StmtRef> {
      Nest Other;
      Other.Root = S;
      Other.Loops = Around;
      Other.KeepsRests = KeepsRests;
      auto Raised = (this->*Try)(*L, Other);
      Ctx.Missed.resize(Missed);
      if (!Raised)
        return std::nullopt;
      if (KeepsRests)
        for (std::string &Proved : Other.Rests.Proved)
          Proved = "of the loops that are free: " + Proved;
      return std::make_shared<Region>(std::move(Other.Rests), *Raised, S,
                                      S->Loc);
    };
    for (auto Try :
         {&LoopRaiser::raiseRestructured, &LoopRaiser::raiseSequence})
      if (auto Raised = Tried(Try, false))
        return Raised;
    auto Ordered = raiseInOrder(*L, N);
    if (!Ordered)
      return Tried(&LoopRaiser::raiseSequence, true);
    N.Rests.Ordered.push_back({AsItStands.Text, AsItStands.Loc});
    return std::make_shared<Region>(std::move(N.Rests), *Ordered, S, S->Loc);
  }

  /// A loop whose body was unrolled by hand, with one copy of what it repeats,
  /// if every loop of that is raised.
  std::optional<StmtRef> raiseRolled(const StmtRef &S,
                                     const std::vector<const For *> &Around) {
    auto *L = cast<For>(S.get());
    Nest N;
    auto New = L->LKind == LoopKind::Claimed ? std::nullopt
                                             : reroll(*L, Ctx.Opts.FP, N.Known);
    if (!New)
      return std::nullopt;
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

  /// L after the rewrites that take values from one iteration to the next out
  /// of it, if every loop of the result is raised.
  std::optional<StmtRef> raiseRestructured(const For &L, Nest &N) {
    auto Rewritten = rewriteScalars(L, Live->liveAfter(&L));
    if (!Rewritten)
      return std::nullopt;
    const StmtRef &New = *Rewritten;
    N.Root = New;
    Liveness Own(New, &L, *Live);
    llvm::SaveAndRestore<const Liveness *> Within(Live, &Own);
    return raiseAll(New, N);
  }

  /// L as several loops in a row, if every one of them is raised.
  std::optional<StmtRef> raiseSequence(const For &L, Nest &N) {
    if (N.Covered) // L is one of a sequence
      return std::nullopt;
    LoopQuery Q = query(L, N);
    const auto &After = Live->liveAfter(&L);
    std::vector<const Var *> LiveOut(After.begin(), After.end());
    Q.LiveOut = &LiveOut;
    for (auto Apart : {splitRange, distribute}) {
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

  std::optional<StmtRef> raiseParts(const For &L, LoopSequence &Parts,
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

  /// A loop of a sequence that is not free, for the reason recorded last.
  std::optional<StmtRef> raiseRest(const For &L, Nest &N) {
    N.Rests.Ordered.push_back({Ctx.Missed.back().Text, Ctx.Missed.back().Loc});
    if (auto Ordered = raiseInOrder(L, N))
      return Ordered;
    StmtRef Kept = keepSerial(L, N);
    return isa<TensorOp>(Kept.get()) ? std::optional(Kept) : std::nullopt;
  }

  //===-- Loops that stay in their order ---------------------------------===//

  /// A loop whose iterations build on one another, as an operation that keeps
  /// their order; nothing if it is none, or holds another loop.
  std::optional<StmtRef> raiseInOrder(const For &L, Nest &N) {
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

  /// Likewise, where some iteration may be the last.
  std::optional<StmtRef> raiseLeaving(const For &L, const LoopForm &Form,
                                      const OrderFacts &Facts, bool NeedsLast,
                                      Nest &N) {
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
    if (!ascendingForm(*Own.Loop, /*KeepOrder=*/true, Why))
      Own.Loop = countedUp(*Own.Loop, Form);
    std::vector<StmtRef> Out = std::move(Own.Before);
    Out.push_back(build(*Own.Loop, Own.Loop->Body, Form, Kind, {}, N));
    llvm::append_range(Out, Own.After);
    return makeBlock(std::move(Out), L.Loc);
  }

  static std::string whyNoRange(const While &W) {
    return W.Why.empty() ? "the loop has no range that is known before it"
                         : W.Why;
  }

  /// A while loop that walks over elements until one says to stop: S, or the
  /// last statement of S where S is a `for` that is none, what its header does
  /// first before it.
  std::optional<StmtRef> raiseWhile(const StmtRef &S,
                                    const std::vector<const For *> &Around) {
    auto List = statements(S);
    auto *W = wholeWhile(S);
    Reason Why;
    auto Counted = W ? countedWhile(*W, Why) : std::nullopt;
    if (!Counted)
      return std::nullopt;
    Nest N;
    N.Root = S;
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
    return std::make_shared<Region>(std::move(N.Rests),
                                    makeBlock(std::move(Out)), S, S->Loc);
  }

  /// A loop inside a raised one that is not raised itself: its order is kept.
  StmtRef keepSerial(const For &L, Nest &N) {
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

  StmtRef build(const For &L, StmtRef Body, const LoopForm &Form, IterKind Kind,
                const std::vector<VarRef> &Private, Nest &N) {
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
    }
    Body = declareInside(Body, Private);
    std::vector<StmtRef> Out;
    Iterator It{V, Form.Lo, Form.Hi, Form.Step, Kind};
    Out.push_back(makeOperation(It, Body, L.Loc));
    if (!L.DeclaresVar && Live->isLiveAfter(&L, L.V.get()))
      Out.push_back(std::make_shared<Assign>(L.V, Combiner::None, Form.Last));
    return makeBlock(std::move(Out), L.Loc);
  }

  StmtRef raiseBody(const StmtRef &S, Nest &N) {
    if (!S)
      return S;
    switch (S->Kind) {
    case StmtKind::Block: {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
        StmtRef New = raiseBody(Sub, N);
        if (isa<Block>(New.get()) && !isa<Block>(Sub.get())) {
          auto List = statements(New);
          Out.insert(Out.end(), List.begin(), List.end());
        } else {
          Out.push_back(std::move(New));
        }
      }
      return makeBlock(std::move(Out), S->Loc);
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      size_t Old = N.Known.size();
      N.Known.push_back(I->Cond);
      StmtRef Then = raiseBody(I->Then, N);
      N.Known.resize(Old);
      return std::make_shared<If>(I->Cond, Then, raiseBody(I->Else, N), I->Loc);
    }
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      size_t Missed = Ctx.Missed.size();
      if (auto Raised = raiseLoop(*L, N, /*Outermost=*/false))
        return *Raised;
      Ctx.Missed.resize(Missed); // it runs in order inside what was raised
      return keepSerial(*L, N);
    }
    default:
      return S;
    }
  }
};

} // namespace

FunctionRef raise::raiseLoops(FunctionRef F, Context &Ctx) {
  return LoopRaiser(std::move(F), Ctx).run();
}
