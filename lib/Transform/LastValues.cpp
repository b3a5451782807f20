//===- LastValues.cpp - scalars that are read after the loop --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A scalar that a loop sets and that is read only afterwards has the value of
// the last assignment. If that is the function e(i) of its iteration, it is
// enough to know the iteration: the last one, where every iteration assigns;
// else the largest in which the condition held, which is a maximum over the
// iterations, in whatever order they run. e is then evaluated once, after the
// loop, in an iteration in which the loop evaluated it too.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IterationValues.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using VarSet = Liveness::VarSet;

/// Every place that assigns a scalar.
struct AssignFinder : Visitor {
  const VarRef &V;
  std::vector<const Assign *> Found;
  bool Other = false; ///< set by something else, or in an inner loop
  unsigned Loops = 0;
  explicit AssignFinder(const VarRef &V) : V(V) {}
  bool visitExpr(const ExprRef &) override { return false; }
  bool visitStmt(const StmtRef &S) override {
    bool Loop = isa<For>(S.get()) || isa<While>(S.get());
    Loops += Loop;
    if (auto *F = dyn_cast<For>(S.get()))
      Other |= F->V == V;
    if (auto *D = dyn_cast<Decl>(S.get()))
      Other |= D->V == V;
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V == V) {
      Found.push_back(A);
      Other |= Loops != 0 || A->Op != Combiner::None;
    }
    return true;
  }
  void leaveStmt(const StmtRef &S) override {
    Loops -= isa<For>(S.get()) || isa<While>(S.get());
  }
};

/// Puts New, if not null, in place of the assignments of V.
StmtRef replaceAssigns(const StmtRef &S, const VarRef &V, const StmtRef &New) {
  struct Replacer : Rewriter {
    VarRef V;
    StmtRef New;
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *A = dyn_cast<Assign>(S.get());
      return A && A->V == V ? New : S;
    }
  } R;
  R.V = V;
  R.New = New;
  StmtRef Out = R.run(S);
  return Out ? Out : std::make_shared<Block>(std::vector<StmtRef>{});
}

class LastValues {
public:
  LastValues(const For &L, const VarSet &After) : L(L), After(After) {}

  std::optional<StmtRef> run() {
    if (!runsThrough(L) || !isFixedIn(L.Step, L))
      return std::nullopt;
    Bounds = fixBounds(L);
    auto Counted = countTrips(*Bounds.Loop);
    auto *Always = dyn_cast<IntConst>(Bounds.Runs.get());
    if (!Counted || (Always && !Always->Value))
      return std::nullopt;
    Count = *Counted;
    Body = L.Body;
    IterationValues Values(L);
    std::vector<VarRef> Assigned;
    assignedVars(L.Body, [&](const VarRef &V) {
      if (After.count(V.get()) && !llvm::is_contained(Assigned, V))
        Assigned.push_back(V);
    });
    for (const VarRef &V : Assigned)
      take(V, Values);
    if (Then.empty())
      return std::nullopt;
    std::vector<StmtRef> Out = Bounds.Lets;
    llvm::append_range(Out, Starts);
    const For &B = *Bounds.Loop;
    Out.push_back(std::make_shared<For>(L.V, B.Lo, L.Cond, B.Hi, L.Step,
                                        L.LKind, L.DeclaresVar, Body, L.Loc));
    llvm::append_range(Out, Then);
    return makeBlock(std::move(Out));
  }

private:
  const For &L;
  const VarSet &After;
  FixedBounds Bounds;
  TripCount Count;
  StmtRef Body;
  std::vector<StmtRef> Starts, Then; ///< before and after the loop

  ExprRef at(const ExprRef &End, const ExprRef &I) const {
    return ConstantFolder().run(substitute(End, L.V, I));
  }

  /// The first that the body does with V is to assign it, at A.
  bool isSetFirst(const VarRef &V, const Assign *A) const {
    for (const StmtRef &S : statements(L.Body))
      if (uses(S, V.get()) || assigns(S, V.get()))
        return S.get() == A && !uses(S, V.get());
    return false;
  }

  void take(const VarRef &V, const IterationValues &Values) {
    AssignFinder F(V);
    F.walk(L.Body);
    if (F.Other || F.Found.size() != 1 || V == L.V)
      return;
    ExprRef End = Values.setBy(F.Found[0]);
    if (!End || !Values.isIndependent(End))
      return;
    if (isSetFirst(V, F.Found[0]))
      takeEach(V, End);
    else if (!uses(L.Body, V.get()))
      takeSome(V, F.Found[0], End);
  }

  /// Every iteration sets V, which becomes its own.
  void takeEach(const VarRef &V, const ExprRef &End) {
    ExprRef Last = lastIndex(*Bounds.Loop, Count);
    if (!Last)
      return;
    auto Own = std::make_shared<Var>(*V);
    Own->Kind = V->Kind == VarKind::Param ? VarKind::Local : V->Kind;
    Own->Const = false;
    std::vector<StmtRef> List{std::make_shared<Decl>(Own, nullptr)};
    StmtRef Renamed = renameVar(Body, V, Own);
    if (uses(Renamed, Own.get()))
      llvm::append_range(List, statements(Renamed));
    else
      List = statements(replaceAssigns(Renamed, Own, nullptr)).vec();
    Body = std::make_shared<Block>(std::move(List), Body->Loc);
    finish(V, End, Last, Bounds.Runs);
  }

  /// Some iterations may set V: the largest of them is a maximum.
  void takeSome(const VarRef &V, const Assign *A, const ExprRef &End) {
    ExprRef Before = Count.Before;
    if (!Before->Ty.Signed) {
      if (Before->Ty.Bits > 32)
        return;
      Before = build::cast(Before, Type::getI64());
    }
    auto Last = std::make_shared<Var>();
    Last->Name = V->Name + "_last";
    Last->Ty = Before->Ty;
    Starts.push_back(
        std::make_shared<Decl>(Last, build::intConst(-1, Last->Ty)));
    Body = replaceAssigns(
        Body, V, std::make_shared<Assign>(Last, Combiner::Max, Before, A->Loc));
    ExprRef Any = build::binary(BinaryOp::GE, build::var(Last),
                                build::intConst(0, Last->Ty));
    // An unsigned index is computed modulo 2^n, as the loop does.
    ExprRef Times = build::var(Last);
    if (!L.V->Ty.Signed)
      Times = build::cast(Times, L.V->Ty);
    finish(V, End, indexAfter(*Bounds.Loop, Times), Any);
  }

  void finish(const VarRef &V, const ExprRef &End, const ExprRef &Index,
              const ExprRef &Where) {
    StmtRef Set = std::make_shared<Assign>(V, Combiner::None, at(End, Index));
    auto *C = dyn_cast<IntConst>(Where.get());
    Then.push_back(C ? Set : std::make_shared<If>(Where, Set, nullptr));
  }
};

} // namespace

std::optional<StmtRef> raise::rewriteLastValues(const For &L,
                                                const Liveness::VarSet &After) {
  return LastValues(L, After).run();
}
