//===- Adjoint.cpp - reverse mode -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Adjoint.h"
#include "AdjointForm.h"
#include "Blocks.h"
#include "LastChoice.h"
#include "Launch.h"
#include "ReversedLoop.h"
#include "Unnamed.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace raise::grad {

namespace {

/// The two forms of an adjoint, and what chooses between them.
class Adjoints {
public:
  Adjoints(const FunctionRef &F, const Request &Asked, const Signature &Sig,
           Callees &Called)
      : F(F), Asked(Asked), Sig(Sig), Names(Sig.Names),
        Plain(F->Kind == FunctionKind::Kernel ? Structured() : plain()),
        Called(Called) {}

  FunctionRef run() {
    return F->Kind == FunctionKind::Kernel ? launch() : choose();
  }

  /// Of the kernel F, whose adjoint in the form of threads is OfThreads: see
  /// Differentiated::OverRange.
  FunctionRef overRange(const Function &OfThreads) {
    const std::optional<RangeOfLaunch> Range = rangeOfLaunch(F);
    auto *Threads = dyn_cast<Region>(OfThreads.Body.get());
    if (!Range || !Threads || OfThreads.GeneralForm.empty())
      return nullptr;
    Adjoints Loops(Range->F, Asked, Sig, Called);
    const FunctionRef Made = Loops.run();
    Apart = std::move(Loops.Apart);
    // What stands before the test of its forms goes into the one that is left.
    std::vector<StmtRef> Body = statements(Made->Body).vec();
    Obligations Rests = Range->Rests;
    if (!Made->GeneralForm.empty()) {
      const auto *Forms = cast<Region>(Body.back().get());
      const size_t Lead = Body.size() - 1;
      for (const Guard &G : Forms->Rests.Guards)
        if (Lead && asksForAny(G, ArrayRef(Body).take_front(Lead)))
          return nullptr;
      append_range(Rests.Guards, Forms->Rests.Guards);
      append_range(Rests.Assumptions, Forms->Rests.Assumptions);
      const StmtRef Fast = Forms->Body;
      Body.pop_back();
      append_range(Body, statements(Fast));
    }
    auto Whole = std::make_shared<Function>(OfThreads);
    Whole->Body = std::make_shared<Region>(
        std::move(Rests), std::make_shared<Block>(std::move(Body)),
        Threads->Original, Threads->Loc);
    return Whole;
  }

  std::vector<std::pair<const Buffer *, const Buffer *>> Apart;
  std::vector<Reason> NotSplit;
  Reason NotStepped;
  std::vector<std::string> Notes; ///< see Differentiated

private:
  /// Whether G uses what Lead declares.
  static bool asksForAny(const Guard &G, ArrayRef<StmtRef> Lead) {
    return any_of(Lead, [&](const StmtRef &S) {
      const Var *V = cast<Decl>(S.get())->V.get();
      return any_of(ArrayRef<ExprRef>{G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi},
                    [&](const ExprRef &E) { return E && uses(E, V); });
    });
  }

  /// A thread keeps what it may overwrite in variables of its own, which needs
  /// no second form.
  FunctionRef launch() {
    const auto OfThread = [this](const FunctionRef &Thread) {
      std::set<std::string> Own = Names;
      const Structured Steps = structured(Thread, Own);
      return adjointForm(*Thread, Steps, Sig, Asked.Alias, /*Later=*/nullptr,
                         Called, Own);
    };
    return ofLaunch(F, OfThread, /*Sums=*/true, Names);
  }

  FunctionRef choose() {
    Context Ctx;
    Ctx.Opts.Alias = Asked.Alias;
    Ctx.Apart = Sig.Apart;
    bool InSegments = false;
    FunctionRef General = general(Ctx, InSegments);
    Overwrites Later(*Plain.F, Ctx);
    std::optional<Stepping> Steps;
    if (Asked.Steps)
      Steps.emplace(Stepping{*Asked.Steps, Later, {}, {}});
    const FunctionRef Fast =
        build(AliasMode::Assume, &Later, Steps ? &*Steps : nullptr);
    if (Steps && Steps->Why.isSet()) {
      NotStepped = Steps->Why;
      return General;
    }
    if (FunctionRef Joint = jointly(*General, *Fast))
      return Joint;
    if (structurallyEqual(*General, *Fast))
      return General;
    Overwrites::Rests R = Later.rests();
    if (R.Why.isSet()) {
      if (!InSegments)
        NotStepped = {"CR1812",
                      "checkpoint: what the snapshots rest on cannot be "
                      "tested before the function: " +
                          R.Why.Text,
                      R.Why.Loc};
      return General;
    }
    if (Steps)
      Notes = Steps->Notes;
    if (!InSegments && !R.Guards.empty() && Steps)
      Notes.push_back("Where a test below fails, values of all steps are kept "
                      "instead.");
    addSeparation(*Fast, Ctx, R);
    return R.Guards.empty() ? Fast : guarded(*Fast, *General, std::move(R));
  }

  /// With a nest whose iterations are reversed one by one, in place of Fast;
  /// null where there is none, or nothing is gained.
  FunctionRef jointly(const Function &General, const Function &Fast) {
    if (Asked.Split || Asked.Steps || Asked.FP == FPMode::Strict ||
        Asked.Sweep == Request::Sweeps::Two)
      return nullptr;
    const auto Nests = jointNests(*Plain.F);
    for (const std::vector<const For *> &Nest : reverse(Nests))
      if (FunctionRef Made = jointly(Nest, General, Fast))
        return Made;
    return nullptr;
  }

  FunctionRef jointly(ArrayRef<const For *> Nest, const Function &General,
                      const Function &Fast) {
    const bool OnDevice = Asked.Sweep == Request::Sweeps::OnDevice,
               Pays = OnDevice && isPointwise(Nest);
    if (!Pays && !mayJointPay(Fast, Nest))
      return nullptr;
    Context Ctx;
    Ctx.Opts.Alias = Asked.Alias;
    Ctx.Opts.FP = Asked.FP;
    Ctx.Apart = Sig.Apart;
    Overwrites Later(*Plain.F, Ctx);
    JointLoops Loops;
    Loops.Loops.insert(Nest.begin(), Nest.end());
    const FunctionRef Made =
        adjointForm(*F, Plain, Sig, AliasMode::Assume, &Later, Called, Names,
                    nullptr, nullptr, &Loops);
    if (Loops.Failed || (!Pays && !isJointWorthIt(Fast, *Made, Nest)) ||
        (OnDevice && hasArraysInLoops(*Made)))
      return nullptr;
    Overwrites::Rests R = Later.rests();
    if (R.Why.isSet())
      return nullptr;
    Apart.clear();
    addSeparation(*Made, Ctx, R);
    append_range(Ctx.Apart, Apart);
    const FunctionRef Tested = withTestedOrders(
        Nest, guarded(*Made, General, std::move(R)), std::move(Ctx), Loops);
    if (!Tested)
      Apart.clear();
    return Tested;
  }

  /// Joint, in which the iterations of Nest may run in any order but for sums,
  /// and independently where those of the function do. Null where that is not
  /// so.
  FunctionRef withTestedOrders(ArrayRef<const For *> Nest,
                               const FunctionRef &Joint, Context Ctx,
                               const JointLoops &Loops) {
    std::set<const Var *> Of;
    for (const For *L : Nest)
      Of.insert(L->V.get());
    LoopOrders Made, Before;
    const FunctionRef Tested = findLoopOrders(
        withBody(*Joint, withOwnArrays(Joint->Body, Loops)), Of, Ctx, Made);
    (void)findLoopOrders(Plain.F, Of, Ctx, Before);
    if (Made.Free != Of ||
        !std::includes(Made.Independent.begin(), Made.Independent.end(),
                       Before.Independent.begin(), Before.Independent.end()))
      return nullptr;
    // Where an array is every iteration's, they run in order.
    for (const auto &[V, B] : Loops.Own)
      Made.Independent.erase(V);
    for (const Var *V : Made.Independent)
      Of.erase(V);
    if (Asked.Sweep == Request::Sweeps::OnDevice && !Of.empty())
      return nullptr; // a device's threads would have nothing to share
    const auto RegionOf = [](const FunctionRef &F) {
      return cast<Region>(statements(F->Body).back().get());
    };
    const Region *Forms = RegionOf(Joint);
    const StmtRef Fast = withArraysBefore(Forms->Body, Of);
    const Obligations &Rests = RegionOf(Tested)->Rests;
    std::vector<StmtRef> Body = statements(Joint->Body).drop_back().vec();
    auto Whole = std::make_shared<Function>(*Joint);
    if (Rests.Guards.empty()) {
      append_range(Body, statements(Fast));
      Whole->GeneralForm.clear();
    } else {
      Body.push_back(
          std::make_shared<Region>(Rests, Fast, Forms->Original, Forms->Loc));
    }
    Whole->Body = std::make_shared<Block>(std::move(Body));
    return Whole;
  }

  /// The form that is right for any overlap. InSegments: as far as it was asked
  /// for, that is also what is reversed by segments, which may need tests that
  /// this form cannot make.
  FunctionRef general(const Context &Ctx, bool &InSegments) {
    InSegments = true;
    if (Asked.Steps) {
      Overwrites Ranges(*Plain.F, Ctx);
      Stepping Steps{*Asked.Steps, Ranges, {}, {}};
      const FunctionRef Made = build(Asked.Alias, nullptr, &Steps);
      Notes = Steps.Notes;
      if (!Steps.Why.isSet() && !Ranges.boxesAreTested())
        return Made;
      InSegments = false;
    }
    return build(Asked.Alias, nullptr, nullptr);
  }

  Structured plain() {
    const Activity Active = activityOf(*F, Sig, Asked.Alias);
    DenseSet<const Var *> Last;
    const FunctionRef Marked = lastChoices(F, Active, Names, Last);
    Structured S = structured(Marked, Names);
    S.Last = std::move(Last);
    return S;
  }

  FunctionRef build(AliasMode Alias, Overwrites *Later, Stepping *Steps) {
    return adjointForm(*F, Plain, Sig, Alias, Later, Called, Names,
                       Asked.Split ? &NotSplit : nullptr, Steps);
  }

  /// The buffer whose overlap a test of B stands for: adjoints overlap as their
  /// primals do. Null: B overlaps nothing.
  BufferRef primalOf(const BufferRef &B) const {
    for (const Slot &S : Sig.Slots)
      if (S.Derivative.Buf == B)
        return F->Params[S.Index].Buf;
    return B;
  }

  static bool isAbout(const Guard &G, const Buffer *A, const Buffer *B) {
    return !G.Cond && ((G.A.Buf.get() == A && G.B.Buf.get() == B) ||
                       (G.A.Buf.get() == B && G.B.Buf.get() == A));
  }

  /// Adjoints are written where primals are only read: what tells them apart is
  /// tested too, if it can be, so that loops over them may run in parallel.
  void addSeparation(const Function &Fast, const Context &Ctx,
                     Overwrites::Rests &R) {
    Overwrites::Rests Whole = Overwrites(Fast, Ctx).rests();
    DenseSet<const Var *> Known;
    for (const Param &P : F->Params)
      if (P.Scalar)
        Known.insert(P.Scalar.get());
    for (const StmtRef &S : lead(Fast))
      Known.insert(cast<Decl>(S.get())->V.get());
    if (Whole.Why.isSet() || R.Guards.empty())
      return;
    std::vector<Guard> Conditions, Ranges;
    for (Guard G : Whole.Guards) {
      for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
        if (E && !usesOnly(E, Known))
          return;
      if (G.Cond) {
        if (none_of(R.Guards, [&](const Guard &Has) {
              return Has.Cond && structurallyEqual(Has.Cond, G.Cond);
            }))
          Conditions.push_back(std::move(G));
        continue;
      }
      G.A.Buf = primalOf(G.A.Buf);
      G.B.Buf = primalOf(G.B.Buf);
      const auto Same = [&](const Guard &Has) {
        return isAbout(Has, G.A.Buf.get(), G.B.Buf.get());
      };
      if (!G.A.Buf || !G.B.Buf || any_of(R.Guards, Same))
        continue;
      G.Why = G.A.Buf->Name + " and " + G.B.Buf->Name + " do not overlap";
      Ranges.push_back(std::move(G));
    }
    // After those that they may need, before the ranges, which may need them.
    const auto FirstRange =
        find_if(R.Guards, [](const Guard &G) { return !G.Cond; });
    R.Guards.insert(FirstRange, Conditions.begin(), Conditions.end());
    append_range(R.Guards, Ranges);
    for (const Param &A : Fast.Params)
      for (const Param &B : Fast.Params)
        if (A.Buf && B.Buf && A.Buf != B.Buf &&
            A.Buf->Derivative == B.Buf->Derivative) {
          const BufferRef PA = primalOf(A.Buf), PB = primalOf(B.Buf);
          if (!PA || !PB || any_of(R.Guards, [&](const Guard &G) {
                return isAbout(G, PA.get(), PB.get());
              }))
            Apart.push_back({A.Buf.get(), B.Buf.get()});
        }
  }

  static bool usesOnly(const ExprRef &E, const DenseSet<const Var *> &Known) {
    bool Only = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Only &= !U || Known.count(U->V.get());
    });
    return Only;
  }

  /// The declarations of the source that Fast begins with.
  std::vector<StmtRef> lead(const Function &Fast) const {
    const ArrayRef<StmtRef> Source = statements(Plain.F->Body);
    std::vector<StmtRef> Out;
    for (const StmtRef &S : statements(Fast.Body)) {
      if (!isa<Decl>(*S) || !is_contained(Source, S))
        break;
      Out.push_back(S);
    }
    return Out;
  }

  /// Declarations that begin both stand before the test, which uses them.
  FunctionRef guarded(const Function &Fast, const Function &General,
                      Overwrites::Rests R) {
    const ArrayRef<StmtRef> Body = statements(Fast.Body);
    std::vector<StmtRef> Out = lead(Fast);
    const size_t K = Out.size();
    std::vector<StmtRef> Original;
    for (const StmtRef &S : statements(General.Body))
      if (!is_contained(Out, S))
        Original.push_back(S);
    Obligations Rests;
    Rests.Guards = std::move(R.Guards);
    Rests.Assumptions = std::move(R.Assumed);
    Out.push_back(std::make_shared<Region>(
        std::move(Rests), std::make_shared<Block>(Body.drop_front(K).vec()),
        std::make_shared<Block>(std::move(Original)), Fast.Loc));
    auto Both = std::make_shared<Function>(Fast);
    Both->Body = std::make_shared<Block>(std::move(Out));
    Both->GeneralForm = generalName(Fast, Names);
    return Both;
  }

  const FunctionRef F;
  const Request &Asked;
  const Signature &Sig;
  std::set<std::string> Names;
  const Structured Plain; ///< nothing for a kernel
  Callees &Called;
};

} // namespace

std::vector<FunctionRef> calledOf(const Function &F,
                                  ArrayRef<FunctionRef> Helpers) {
  struct Finder : Visitor {
    DenseSet<const Function *> Found;
    bool visitExpr(const ExprRef &E) override {
      auto *C = dyn_cast<Call>(E.get());
      if (C && C->Fn->Definition &&
          Found.insert(C->Fn->Definition.get()).second)
        walk(C->Fn->Definition->Body);
      return true;
    }
  } V;
  V.VisitOriginals = true;
  V.walk(F.Body);
  std::vector<FunctionRef> Out;
  copy_if(Helpers, std::back_inserter(Out),
          [&](const FunctionRef &H) { return V.Found.count(H.get()) != 0; });
  return Out;
}

Differentiated adjointOf(const FunctionRef &Given, const Request &Asked) {
  Differentiated D;
  const BlockForm Form = inBlocks(Given, Asked.FP);
  if (Form.Why.isSet()) {
    D.Refused = {Form.Why};
    return D;
  }
  const FunctionRef F = Form.F->Kind == FunctionKind::Kernel
                            ? Form.F
                            : withBody(*Form.F, withPlainEnds(Form.F->Body));
  // What is not understood may be what reads and writes.
  D.Refused = whyNotDifferentiable(*F, Signature(), Asked.Alias);
  if (!D.Refused.empty())
    return D;
  if (Asked.Split && F->Kind == FunctionKind::Kernel) {
    D.Refused.push_back(
        {"CR1807",
         "--split: the threads of a kernel keep nothing between two launches",
         F->Loc});
    return D;
  }
  if (Asked.Split && Asked.Steps && Asked.Steps->Snapshots) {
    D.Refused.push_back(
        {"CR1807",
         "--split: a tape may be used several times, and with 'scheme: "
         "binomial' the reverse sweep overwrites what is kept; use 'scheme: "
         "periodic'",
         F->Loc});
    return D;
  }
  if (Asked.Steps && F->Kind == FunctionKind::Kernel) {
    D.Refused.push_back({"CR1812",
                         "checkpoint: a thread of a kernel keeps no snapshots",
                         F->Loc});
    return D;
  }
  D.Sig = signatureOf(*F, Asked, Mode::Reverse, D.Refused);
  if (!D.Refused.empty())
    return D;
  const Reason NoRoom = settleUnnamed(*F, D.Sig, Asked.Alias);
  D.Refused = withReason(whyNotDifferentiable(*F, D.Sig, Asked.Alias), NoRoom);
  if (!D.Refused.empty())
    return D;
  Callees Called;
  Adjoints Both(F, Asked, D.Sig, Called);
  const FunctionRef Made = Both.run();
  D.F = forItsLaunches(Made, Form);
  if (Form.F->Kind == FunctionKind::Kernel && Form.Rests.Guards.empty())
    D.OverRange = Both.overRange(*Made);
  // Not those that only a form calls that was tried.
  D.Helpers = calledOf(*D.F, Called.InOrder);
  if (D.OverRange)
    for (const FunctionRef &H : calledOf(*D.OverRange, Called.InOrder))
      if (!is_contained(D.Helpers, H))
        D.Helpers.push_back(H);
  if (!Both.NotSplit.empty()) {
    D.F = nullptr;
    D.Refused = {Both.NotSplit.front()};
    return D;
  }
  if (Both.NotStepped.isSet()) {
    D.F = nullptr;
    D.Refused = {Both.NotStepped};
    return D;
  }
  D.Apart = std::move(Both.Apart);
  append_range(D.Apart, D.Sig.Apart);
  D.Notes = std::move(Both.Notes);
  if (std::string Note = noteOf(Form); !Note.empty())
    D.Notes.push_back(std::move(Note));
  return D;
}

Differentiated derivativeOf(const FunctionRef &F, const Request &Asked,
                            Mode M) {
  // Counters that all of a function shares (`int i, j;`) would be left over
  // where loops have their own.
  const FunctionRef Own =
      F->Kind == FunctionKind::Host ? withOwnCounters(F) : F;
  return M == Mode::Forward ? tangentOf(Own, Asked) : adjointOf(Own, Asked);
}

} // namespace raise::grad
