//===- EquationLoops.cpp - loops as ranges of equations, and as sums ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EquationReader.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
namespace equations {

int combinerClass(Combiner Op) {
  switch (Op) {
  case Combiner::Add:
  case Combiner::Sub:
    return 1;
  case Combiner::Mul:
  case Combiner::Min:
  case Combiner::Max:
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
  case Combiner::LAnd:
  case Combiner::LOr:
    return int(Op) + 2;
  default:
    return 0;
  }
}

bool combinesExactly(Combiner Op, const Type &To, const Type &From) {
  if (To == From)
    return !To.isBool() || Op == Combiner::LAnd || Op == Combiner::LOr ||
           Op == Combiner::And || Op == Combiner::Or || Op == Combiner::Xor;
  bool Plain =
      Op == Combiner::Add || Op == Combiner::Sub || Op == Combiner::Mul;
  return Plain && !To.isBool() && (To.isFloat() || From.isInt());
}

std::vector<VarRef> Reader::assignedIn(const StmtRef &Loop) const {
  std::vector<VarRef> Found;
  DenseSet<const Var *> Own;
  forEachStmt(Loop, [&](const StmtRef &S) {
    if (auto *X = dyn_cast<Decl>(S.get()))
      Own.insert(X->V.get());
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        Own.insert(I.V.get());
    if (auto *F = dyn_cast<For>(S.get()); F && F->DeclaresVar)
      Own.insert(F->V.get());
  });
  assignedVars(Loop, [&](const VarRef &V) {
    if (!Own.count(V.get()) && !is_contained(Found, V))
      Found.push_back(V);
  });
  return Found;
}

/// Whether not all iterations that the ranges name may run.
static bool leaves(const StmtRef &Loop) {
  bool Found = false;
  forEachStmt(Loop, [&](const StmtRef &S) {
    Found |= isa<Break>(*S) || isa<Return>(*S) || isa<Opaque>(*S);
  });
  return Found;
}

/// All that the loop does with V is to combine values into it.
bool Reader::onlyCombines(const StmtRef &Loop, const Var *V) const {
  bool Only = true;
  int Class = 0;
  forEachStmt(Loop, [&](const StmtRef &S) {
    if (auto *F = dyn_cast<For>(S.get()))
      Only &= F->V.get() != V;
    auto *A = dyn_cast<Assign>(S.get());
    if (!A || A->V.get() != V)
      return;
    int Own = combinerClass(A->Op);
    Only &= Own && (!Class || Class == Own);
    Class = Own;
  });
  forEachExpr(Loop, [&](const ExprRef &E) { Only &= !isUseOf(E, V); });
  return Only && Class;
}

/// Whether nothing that Loop does changes M, apart from what Bound binds.
bool Reader::isFixedIn(const Mentions &M, const StmtRef &Loop,
                       ArrayRef<Range> Bound) const {
  for (const Var *V : M.Vars)
    if (assigns(Loop, V) &&
        none_of(Bound, [&](const Range &R) { return R.V.get() == V; }))
      return false;
  bool Fixed = true;
  forEachStmt(Loop, [&](const StmtRef &S) {
    const Buffer *Written = nullptr;
    if (auto *St = dyn_cast<Store>(S.get()))
      Written = St->To.Buf.get();
    if (auto *B = dyn_cast<DeclBuffer>(S.get()))
      Written = B->B.get();
    Fixed &= !Written || none_of(M.Buffers, [&](const Buffer *B) {
      return mayAlias(B, Written);
    });
  });
  return Fixed;
}

void Reader::enterRanges(const StmtRef &S, std::vector<Range> Own) {
  for (Range &R : Own) {
    R.Lo = known(R.Lo);
    R.Hi = known(R.Hi);
    R.Step = known(R.Step);
    Mentions M;
    for (const ExprRef &E : {R.Lo, R.Hi, R.Step})
      addMentions(E, M);
    // The value that the variable itself had before stands in a bound as such.
    M.Vars.erase(R.V.get());
    R.Dead = !isFixedIn(M, S, Own);
    Ranges.push_back(R);
    Widths.addRange(R);
  }
  Out.Ranges[S.get()].assign(Ranges.end() - ptrdiff_t(Own.size()),
                             Ranges.end());
}

void Reader::readLoop(const StmtRef &S, std::vector<Range> Own,
                      const ExprRef &Mask, const StmtRef &Body) {
  std::vector<VarRef> Assigned = assignedIn(S), Summed;
  std::vector<const Var *> Hidden;
  DenseMap<const Var *, std::vector<Def>> Reaching;
  auto Settle = [&] {
    for (const VarRef &V : Assigned) {
      if (Accumulators.count(V.get()))
        continue;
      changed(V.get());
      // What was there before reaches the end as well: there may be no trip.
      State &Now = States[V.get()];
      auto [Before, New] = Reaching.insert({V.get(), Now.Defs});
      if (New)
        Before->second.push_back({S.get(), V.get(), true});
      Now = {nullptr, Before->second};
    }
    forEachStmt(Body, [&](const StmtRef &Sub) {
      if (auto *St = dyn_cast<Store>(Sub.get()))
        changed(St->To.Buf.get());
    });
  };
  for (const VarRef &V : Assigned)
    if (!Accumulators.count(V.get()) && !leaves(S) &&
        onlyCombines(S, V.get()) && !D.Separate.count({S.get(), V.get()})) {
      Summed.push_back(V);
      Accumulators[V.get()] = {Ranges.size(), Conditions.size(), {}, false};
    }
  Settle();
  size_t OuterRanges = Ranges.size(), OuterConditions = Conditions.size();
  Levels.push_back({S.get(), OuterRanges, OuterConditions});
  Enclosing.push_back(S.get());
  enterRanges(S, Own);
  bool Declares = !isa<For>(*S) || cast<For>(S.get())->DeclaresVar;
  for (const Range &R : Own)
    if (Declares && States.erase(R.V.get()))
      Hidden.push_back(R.V.get());
  if (Mask)
    Conditions.push_back({known(Mask), false});
  read(Body);
  Conditions.resize(OuterConditions);
  Ranges.resize(OuterRanges);
  Enclosing.pop_back();
  Levels.pop_back();
  for (const Range &R : Own)
    changed(R.V.get());
  Settle();
  if (auto *F = dyn_cast<For>(S.get()); F && !F->DeclaresVar)
    Hidden.push_back(F->V.get());
  for (const Var *V : Hidden)
    States[V] = State{nullptr, {Def()}}; // what it holds now has no name
  for (const VarRef &V : Summed) {
    Accumulator A = std::move(Accumulators[V.get()]);
    Accumulators.erase(V.get());
    finish(S, V, std::move(A));
  }
}

/// V after the loop that only combined values into it.
void Reader::finish(const StmtRef &S, const VarRef &V, Accumulator A) {
  Sum Whole;
  Mentions Needs;
  // What is added in a loop without a range is no term.
  A.Failed |= A.Terms.empty();
  for (const Combined &T : A.Terms) {
    Mentions M;
    addMentions(T.Value, M);
    for (const ExprRef &E : T.Under)
      addMentions(E, M);
    for (const Range &R : T.Over)
      for (const ExprRef &E : {R.Lo, R.Hi, R.Step})
        addMentions(E, M);
    A.Failed |= !isFixedIn(M, S, T.Over);
    for (const Range &R : T.Over)
      M.Vars.erase(R.V.get());
    Needs.Vars.insert(M.Vars.begin(), M.Vars.end());
    Needs.Buffers.insert(M.Buffers.begin(), M.Buffers.end());
  }
  if (A.Failed) {
    D.Separate.insert({S.get(), V.get()});
    D.Required.clear();
    Asked = true;
    return;
  }
  Whole.Init = use(V);
  addMentions(Whole.Init, Needs);
  auto Name = std::make_shared<Var>();
  Name->Name = "sum";
  Name->Ty = V->Ty;
  Whole.Name = Name;
  Whole.Terms = std::move(A.Terms);
  OfSums[Name.get()] = std::move(Needs);
  Widths.addSum(Whole);
  Out.Sums.push_back(std::move(Whole));
  Equation Line;
  Line.After = true;
  for (const Condition &C : Conditions)
    Line.Where.push_back(C.Holds);
  define(S.get(), V, build::var(Out.Sums.back().Name), std::move(Line));
}

/// Element += value in loops that the element does not move with: one sum, if
/// nothing else in the loops has to do with it.
bool Reader::sumOverLoops(const Store &S, const Access &To,
                          const ExprRef &Value) {
  if (!combinerClass(S.Op) ||
      !combinesExactly(S.Op, S.To.Buf->Elem, Value->Ty) || !S.To.Field.empty())
    return false;
  for (const Level &L : Levels) {
    ArrayRef<Range> Inner = ArrayRef(Ranges).drop_front(L.Ranges);
    auto Loop = StmtRef(std::shared_ptr<const Stmt>(), L.Loop);
    if (leaves(Loop))
      return false;
    Equation Line;
    Mentions Place, All;
    for (const ExprRef &E : To.Indices)
      addMentions(E, Place);
    for (const ExprRef &E : To.Extents)
      addMentions(E, Place);
    All = Place;
    addMentions(Value, All);
    bool Fits = true;
    for (const Condition &C : ArrayRef(Conditions).drop_front(L.Conditions)) {
      addMentions(C.Holds, All);
      Line.Under.push_back(C.Holds);
      Fits &= !C.Dead;
    }
    std::vector<Range> Free;
    for (const Range &R : Inner) {
      (Place.Vars.count(R.V.get()) ? Free : Line.Over).push_back(R);
      Fits &= !R.Dead;
      Mentions Bounds;
      for (const ExprRef &E : {R.Lo, R.Hi, R.Step})
        addMentions(E, Bounds);
      All.Vars.insert(Bounds.Vars.begin(), Bounds.Vars.end());
      All.Buffers.insert(Bounds.Buffers.begin(), Bounds.Buffers.end());
      if (Place.Vars.count(R.V.get()))
        Fits &= none_of(Inner, [&](const Range &O) {
          return Bounds.Vars.count(O.V.get()) && !Place.Vars.count(O.V.get());
        });
    }
    if (Line.Over.empty())
      return false;
    unsigned Stores = 0, Loads = 0;
    forEachStmt(Loop, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      Stores += St && mayAlias(St->To.Buf.get(), S.To.Buf.get());
      auto *B = dyn_cast<DeclBuffer>(Sub.get());
      Stores += B && B->B == S.To.Buf;
    });
    forEachExpr(Loop, [&](const ExprRef &E) {
      auto *Ld = dyn_cast<Load>(E.get());
      Loads += Ld && mayAlias(Ld->From.Buf.get(), S.To.Buf.get());
    });
    if (!Fits || Stores != 1 || Loads || !isFixedIn(All, Loop, Inner))
      continue;
    Line.At = L.Loop;
    Line.After = true;
    Line.Element = To;
    Line.Op = S.Op;
    Line.Value = Value;
    for (const Condition &C : ArrayRef(Conditions).take_front(L.Conditions))
      Line.Where.push_back(C.Holds);
    Line.Loops.assign(Ranges.begin(), Ranges.begin() + ptrdiff_t(L.Ranges));
    llvm::append_range(Line.Loops, Free);
    Line.Inside = Free.size();
    GaveUp |= any_of(ArrayRef(Conditions).take_front(L.Conditions),
                     [](const Condition &C) { return C.Dead; }) ||
              any_of(Line.Loops, [](const Range &R) { return R.Dead; });
    Out.Lines.push_back(std::move(Line));
    return true;
  }
  return false;
}

} // namespace equations
} // namespace raise
