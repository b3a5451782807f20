//===- GradSchedule.cpp - loops of derivatives, laid out ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradSchedule.h"
#include "raise/Emit/Exchange.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Grad/IdleStores.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// Loops that do nothing.
class WithoutEmpty : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *T = dyn_cast<TensorOp>(S.get());
    return T && statements(T->Body).empty() ? nullptr : S;
  }
};

/// Regions become their originals where their text would not pay. What they
/// test joins the tests of the form that they stand in, if there are two.
class Choose : public Rewriter {
public:
  /// Holding: tests that hold wherever the form is chosen; null where others
  /// may be added to those of the form.
  Choose(const Function &F, const Region *Form, const Options &Opts,
         const std::vector<Guard> *Holding)
      : F(F), Form(Form), Opts(Opts), Holding(Holding),
        Movable(movableArrays(F, Opts)) {
    if (!Form)
      return;
    Tests = Form->Rests.Guards;
    // Conditions come before ranges, which may need them.
    const auto FirstRange =
        find_if(Tests, [](const Guard &G) { return !G.Cond; });
    Ranges.assign(FirstRange, Tests.end());
    Tests.erase(FirstRange, Tests.end());
  }

  /// Variables whose value is known, and final, where the form is chosen.
  DenseSet<const Var *> Known;

  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *Raised = dyn_cast<Region>(S.get());
    if (!Raised)
      return S;
    // Names that change places cost nothing.
    if (const ArrayRef<StmtRef> Was = statements(Raised->Original);
        Was.size() == 1 && exchangeOf(Was[0], Movable))
      return Raised->Original;
    // What the forward sweep has no use for is not computed.
    const StmtRef Body = WithoutEmpty().run(withoutUnread(Raised->Body));
    if (statements(Body).empty())
      return nullptr;
    const auto R = std::make_shared<Region>(Raised->Rests, Body,
                                            Raised->Original, Raised->Loc);
    if (!Form)
      return whyNotEmit(*R, F, Opts).isSet() ? R->Original : R;
    std::vector<Guard> More;
    for (const Guard &G : R->Rests.Guards) {
      if (!G.Cond || !isKnown(G.Cond))
        return R->Original;
      if (none_of(Tests, [&](const Guard &Has) {
            return Has.Cond && structurallyEqual(Has.Cond, G.Cond);
          }))
        More.push_back(G);
    }
    if (Holding) {
      if (!all_of(More, [&](const Guard &G) { return holds(G); }))
        return R->Original;
      More.clear();
    }
    Obligations Rests = R->Rests;
    Rests.Guards.clear();
    auto New = std::make_shared<Region>(std::move(Rests), R->Body, R->Original,
                                        R->Loc);
    if (R->Rests.Inspection || whyNotEmit(*New, F, Opts).isSet())
      return R->Original;
    append_range(Tests, More);
    return New;
  }

  std::vector<Guard> tests() const {
    std::vector<Guard> All = Tests;
    append_range(All, Ranges);
    return All;
  }

private:
  bool holds(const Guard &G) const {
    return any_of(*Holding, [&](const Guard &Has) {
      return Has.Cond && structurallyEqual(Has.Cond, G.Cond);
    });
  }

  bool isKnown(const ExprRef &E) const {
    bool All = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      All &= !isa<Load>(*Sub) && !(U && !Known.count(U->V.get()));
    });
    return All;
  }

  const Function &F;
  const Region *Form;
  const Options &Opts;
  const std::vector<Guard> *Holding;
  const MovableArrays Movable;
  std::vector<Guard> Tests, Ranges;
};

} // namespace

/// The region that ends F's body, if it is all that F does, and the program
/// ends where it is not entered.
static const Region *onlyForm(const Function &F) {
  const ArrayRef<StmtRef> Body = statements(F.Body);
  auto *R = Body.empty() ? nullptr : dyn_cast<Region>(Body.back().get());
  const ArrayRef<StmtRef> Else =
      R ? statements(R->Original) : ArrayRef<StmtRef>();
  auto *Stop =
      Else.size() == 1 ? dyn_cast<Opaque>(Else.front().get()) : nullptr;
  return Stop && Stop->NoReturn ? R : nullptr;
}

/// `block.x <= 2147483647`: CUDA accepts no other launch.
static bool holdsForAnyLaunch(const Guard &G) {
  auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  auto *Limit = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  if (!Limit || B->Op != BinaryOp::LE || Limit->Value < INT32_MAX)
    return false;
  bool Launch = true;
  forEachExpr(B->L, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Launch &= isa<VarUse, Cast>(*E) && (!U || U->V->Kind == VarKind::Launch);
  });
  return Launch;
}

/// Where F and Raised end the program for launches that they are not for, the
/// tests of Raised that F does without.
static std::vector<Guard> furtherTests(const Function &F,
                                       const Function &Raised) {
  std::vector<Guard> More;
  const Region *Before = onlyForm(F), *After = onlyForm(Raised);
  if (!Before || !After)
    return More;
  for (const Guard &G : After->Rests.Guards)
    if (!holdsForAnyLaunch(G) &&
        none_of(Before->Rests.Guards, [&](const Guard &Has) {
          return Has.Cond && G.Cond ? structurallyEqual(Has.Cond, G.Cond)
                                    : !Has.Cond && !G.Cond && Has.Why == G.Why;
        }))
      More.push_back(G);
  return More;
}

/// Raised, for all that F is for.
static FunctionRef forAllOf(const FunctionRef &F, const FunctionRef &Raised) {
  const std::vector<Guard> More = furtherTests(*F, *Raised);
  if (More.empty())
    return Raised;
  const Region *Before = onlyForm(*F), *After = onlyForm(*Raised);
  Obligations Rests = After->Rests;
  Rests.Guards = More;
  const StmtRef Both = std::make_shared<Region>(std::move(Rests), After->Body,
                                                Before->Body, Before->Loc);
  return withBody(*F, std::make_shared<Region>(Before->Rests, Both,
                                               Before->Original, Before->Loc));
}

/// The adjoint of a kernel, in which each thread has its own. A device has the
/// threads.
static FunctionRef ofThreads(const FunctionRef &F, const Options &Opts) {
  if (Opts.Target == Dialect::Cuda && !onlyForm(*F)) {
    auto *Covered = dyn_cast<Region>(statements(F->Body).back().get());
    auto Threads = std::make_shared<Function>(*F);
    Threads->GeneralForm.clear();
    if (Covered)
      Threads->Body = Covered->Original;
    return Threads;
  }
  Context Ctx;
  Ctx.Opts = Opts;
  return forAllOf(F, raiseFunction(F, Ctx));
}

static FunctionRef scheduled(const grad::Differentiated &Made,
                             const Options &Opts,
                             const std::vector<Guard> *Holding) {
  const FunctionRef &F = Made.OverRange ? Made.OverRange : Made.F;
  if (F->Kind == FunctionKind::Kernel && !Made.OverRange)
    return ofThreads(F, Opts);
  const ArrayRef<StmtRef> Body = statements(F->Body);
  if (Body.empty() || (!Opts.OpenMP && Opts.Target == Dialect::OpenMP))
    return F;
  const Region *TwoForms =
      F->GeneralForm.empty() ? nullptr : dyn_cast<Region>(Body.back().get());
  std::vector<StmtRef> Whole = Body.vec();
  if (TwoForms) {
    Whole.pop_back();
    append_range(Whole, statements(TwoForms->Body));
  }
  const size_t Lead = TwoForms ? Body.size() - 1 : 0;
  Context Ctx;
  Ctx.Opts = Opts;
  Ctx.Apart = Made.Apart;
  Ctx.Brief = Made.Brief;
  auto Plain = std::make_shared<Function>(*F);
  Plain->Kind = FunctionKind::Host; // of a launch there is only the range here
  Plain->Body = std::make_shared<Block>(std::move(Whole));
  const FunctionRef Raised = raiseFunction(Plain, Ctx);

  Choose Chooser(*Raised, TwoForms, Opts, Holding);
  for (const Param &P : F->Params)
    if (P.Scalar)
      Chooser.Known.insert(P.Scalar.get());
  for (const VarRef &V : F->LaunchDims)
    if (V)
      Chooser.Known.insert(V.get());
  for (const StmtRef &S : Body.take_front(Lead))
    Chooser.Known.insert(cast<Decl>(S.get())->V.get());
  for (const StmtRef &S : statements(Plain->Body).drop_front(Lead))
    assignedVars(S, [&](const VarRef &V) { Chooser.Known.erase(V.get()); });
  const StmtRef Chosen = Chooser.run(Raised->Body);
  if (!TwoForms)
    return withBody(*F, withoutUnread(Chosen, /*Originals=*/true));
  // What stands before the test is not to change.
  const ArrayRef<StmtRef> New = statements(Chosen);
  if (New.size() < Lead || !equal(New.take_front(Lead), Body.drop_back()))
    return F;
  std::vector<StmtRef> Out = New.take_front(Lead).vec();
  Obligations Rests = TwoForms->Rests;
  Rests.Guards = Chooser.tests();
  Out.push_back(std::make_shared<Region>(
      std::move(Rests),
      withoutUnread(std::make_shared<Block>(New.drop_front(Lead).vec()),
                    /*Originals=*/true),
      Made.OverRange ? ofThreads(Made.F, Opts)->Body : TwoForms->Original,
      TwoForms->Loc));
  auto Both = std::make_shared<Function>(*Raised);
  Both->Kind = F->Kind;
  Both->GeneralForm = F->GeneralForm;
  Both->Body = std::make_shared<Block>(std::move(Out));
  return Both;
}

FunctionRef scheduled(const grad::Differentiated &Made, const Options &Opts) {
  return scheduled(Made, Opts, nullptr);
}

FunctionRef scheduledAfter(const grad::Differentiated &Made,
                           const Function &First, const Options &Opts) {
  std::vector<Guard> Holding;
  const ArrayRef<StmtRef> Body = statements(First.Body);
  if (!First.GeneralForm.empty() && !Body.empty())
    if (auto *R = dyn_cast<Region>(Body.back().get()))
      Holding = R->Rests.Guards;
  return scheduled(Made, Opts, &Holding);
}

/// Whether threads share all that Form, one of F's, does, or vectors.
static bool isAllRaised(const Function &F) {
  const auto *Form = dyn_cast<Region>(statements(F.Body).back().get());
  bool All = Form != nullptr;
  const std::function<void(const StmtRef &)> Look = [&](const StmtRef &S) {
    if (auto *B = dyn_cast<Block>(S.get()))
      for (const StmtRef &Sub : B->Body)
        Look(Sub);
    else if (auto *I = dyn_cast<If>(S.get())) {
      Look(I->Then);
      if (I->Else)
        Look(I->Else);
    } else if (auto *R = dyn_cast<Region>(S.get()))
      Look(R->meaning());
    else if (auto *T = dyn_cast<TensorOp>(S.get()))
      All &= !isOrdered(T->Iterators.front().Kind);
    else
      All &= !isa<For, While>(*S);
  };
  if (Form)
    Look(Form->Body);
  return All;
}

/// F, of Made, with its loops in good order. Those that run a few times at most
/// become Made's.
static FunctionRef inGoodOrder(const FunctionRef &F, grad::Differentiated &Made,
                               bool OverThreads, const Options &Opts) {
  Context Ctx;
  Ctx.Opts = Opts;
  if (!OverThreads)
    Ctx.Apart = Made.Apart;
  Ctx.KeepPrimalSums = true;
  FunctionRef Ordered =
      orderSums(gatherSums(splitSums(countUp(F, Ctx), Ctx), Ctx), Ctx);
  if (Opts.Target == Dialect::Cuda)
    Ordered = pointSums(std::move(Ordered), Ctx);
  if (!furtherTests(*F, *Ordered).empty())
    return F;
  Made.Brief.insert(Ctx.Brief.begin(), Ctx.Brief.end());
  // Sums that were gathered are often the first ones.
  return OverThreads
             ? Ordered
             : withBody(*Ordered, grad::withoutIdleStores(Ordered->Body));
}

grad::Differentiated inGoodOrder(grad::Differentiated Made,
                                 const Options &Opts) {
  if (!Made.F || Made.Sig.M != grad::Mode::Reverse)
    return Made;
  Made.F =
      inGoodOrder(Made.F, Made, Made.F->Kind == FunctionKind::Kernel, Opts);
  if (!Made.OverRange)
    return Made;
  Made.OverRange = inGoodOrder(Made.OverRange, Made, false, Opts);
  if (!isAllRaised(*scheduled(Made, Opts)))
    Made.OverRange = nullptr;
  return Made;
}

} // namespace raise
