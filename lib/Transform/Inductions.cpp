//===- Inductions.cpp - scalars that advance by a fixed amount ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One iteration is walked with the values of its integer scalars, each as what
// some scalar held at its start plus what does not change in the loop
// (LinearValue.h). A scalar that ends an iteration as its own start plus a step
// is an induction: it starts iteration t as `k + step * t`, where k is its
// value before the loop, and everywhere in the iteration it is that plus what
// was added so far. Its updates then go, and k keeps the first value.
//
// That nothing overflows: whatever the original computes is a value of its
// type, so the start of an iteration is, and so is each partial sum in the
// original's order. Only `step * t` is new. It is the difference of two values
// of the scalar: for an int it fits 64 bits, and it is computed there unless
// the trip count proves that it fits an int; for a 64-bit integer it is asked
// to have factors that fit, and for a cursor it is the distance of two elements
// of one object. Unsigned and narrow scalars are computed modulo 2^n.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LinearValue.h"
#include "Narrowed.h"
#include "Peel.h"
#include "TripCount.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using VarSet = Liveness::VarSet;

/// Acc + C * E (or + C, if E is null), all of one type; Acc may be null, for
/// nothing. Constants at the end of Acc join.
ExprRef plus(const ExprRef &Acc, int64_t C, const ExprRef &E, const Type &In) {
  ExprRef Term = build::intConst(C < 0 ? -C : C, In);
  if (E)
    Term = build::mul(Term, E);
  if (!Acc && C < 0)
    return E ? build::unary(UnaryOp::Neg, Term) : build::intConst(C, In);
  if (!Acc)
    return Term;
  if (!E)
    return plusConstant(Acc, C);
  return C < 0 ? build::sub(Acc, Term) : build::add(Acc, Term);
}

/// How an induction is computed, and its value when an iteration starts.
struct Form {
  /// The type of the arithmetic: the scalar's own, a wider one from which it is
  /// narrowed, or an unsigned one that wraps.
  Type In;
  bool Exact = true;
  ExprRef Start;
};

/// One loop, whose inner loops have been seen to.
class LoopInductions {
public:
  LoopInductions(const For &L, const VarSet &After, NarrowedValues &Names)
      : L(L), After(After), Names(Names),
        Env(changing(L), [&Names](const Var *V) { return Names.wideOf(V); }) {
    Env.forget(L.V.get());
  }
  /// Null where nothing is an induction.
  StmtRef run();

private:
  const For &L;
  const VarSet &After;
  NarrowedValues &Names;
  TripCount Count;
  ExprRef Lo, Hi;       ///< of the new loop
  StmtRef LoLet, HiLet; ///< may be null
  LinearEnv Env;

  // First walk: what each scalar was set to.
  std::map<const Var *, std::vector<LinearValue>> Assigned;
  std::set<const Var *> Bad;
  std::vector<VarRef> Candidates; ///< in order of appearance
  // Second walk: those that go.
  std::map<const Var *, Form> Forms;
  std::map<const Var *, LinearValue> Ends;
  /// Names of the body for the value of one of them (`*p++` reads the p from
  /// before).
  std::map<const Var *, ExprRef> Aliases;
  bool Rewriting = false;
  bool Failed = false; ///< the second walk met what the first did not

  static std::set<const Var *> changing(const For &L) {
    std::set<const Var *> Vars{L.V.get()};
    assignedVars(L.Body, [&](const VarRef &V) { Vars.insert(V.get()); });
    return Vars;
  }
  bool prepare();
  ExprRef fixed(const ExprRef &E, const char *Suffix, StmtRef &Let) const;
  StmtRef walk(const StmtRef &S);
  StmtRef walkAssign(const StmtRef &S, const Assign &A);
  StmtRef walkIf(const If &I);
  StmtRef walkInner(const StmtRef &S, const StmtRef &Body);
  void choose();
  bool hasForm(const Var *V) const { return Forms.count(V) != 0; }
  bool isWellFormed(const Var *V) const;
  std::optional<Form> formOf(const VarRef &V) const;
  bool fitsInInt(const LinearValue &End) const;
  bool fitsIn64(const VarRef &V, const LinearValue &End) const;
  ExprRef stepTimes(const std::vector<Addend> &Step, const ExprRef &Times,
                    const ExprRef &Acc, const Type &In) const;
  ExprRef closedForm(const VarRef &V);
  StmtRef lastValue(const VarRef &V);
  ExprRef rewrite(const ExprRef &E);
  friend struct UseRewriter;
};

/// Puts closed forms in place of uses.
struct UseRewriter : ConstantFolder {
  LoopInductions &Of;
  explicit UseRewriter(LoopInductions &Of) : Of(Of) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    // `(k + 1) - 1`, where k + 1 has come for a variable.
    if (isa<Binary>(E.get()))
      return ConstantFolder::rewriteExpr(E);
    auto *U = dyn_cast<VarUse>(E.get());
    if (!U)
      return E;
    if (ExprRef Wide = Of.Names.wideOf(U->V.get())) {
      ExprRef New = run(Wide);
      return New == Wide ? E : Of.Names.add(New, E->Ty);
    }
    auto Alias = Of.Aliases.find(U->V.get());
    if (Alias != Of.Aliases.end())
      return Alias->second;
    return Of.hasForm(U->V.get()) ? Of.closedForm(U->V) : E;
  }
};

ExprRef LoopInductions::rewrite(const ExprRef &E) {
  return Rewriting && E ? UseRewriter(*this).run(E) : E;
}

/// E, which the loop evaluates once, as something that has this value in and
/// after the loop too.
ExprRef LoopInductions::fixed(const ExprRef &E, const char *Suffix,
                              StmtRef &Let) const {
  if (Env.isInvariant(E))
    return E;
  auto V = std::make_shared<Var>();
  V->Name = L.V->Name + Suffix;
  V->Ty = E->Ty;
  V->Const = true;
  Let = std::make_shared<Decl>(V, E);
  return build::var(V);
}

bool LoopInductions::prepare() {
  if (!Env.isInvariant(L.Step))
    return false;
  Lo = fixed(L.Lo, "_first", LoLet);
  Hi = fixed(L.Hi, "_end", HiLet);
  For Fixed(L.V, Lo, L.Cond, Hi, L.Step, L.LKind, L.DeclaresVar, L.Body);
  auto C = countTrips(Fixed);
  if (C)
    Count = *C;
  return C.has_value();
}

//===-- Walking one iteration ------------------------------------------===//

StmtRef LoopInductions::walk(const StmtRef &S) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Block: {
    std::vector<StmtRef> Out;
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      if (StmtRef New = walk(Sub))
        Out.push_back(std::move(New));
    return std::make_shared<Block>(std::move(Out), S->Loc);
  }
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    ExprRef Init = rewrite(D->Init);
    auto *U = D->Init ? dyn_cast<VarUse>(D->Init.get()) : nullptr;
    if (D->Init)
      Env.assign(D->V, D->Init);
    else
      Env.forget(D->V.get());
    if (Rewriting && U && hasForm(U->V.get()) && !Bad.count(D->V.get()) &&
        !Assigned.count(D->V.get())) {
      Aliases[D->V.get()] = Init;
      return nullptr;
    }
    return std::make_shared<Decl>(D->V, Init, D->Loc);
  }
  case StmtKind::Assign:
    return walkAssign(S, *cast<Assign>(S.get()));
  case StmtKind::If:
    return walkIf(*cast<If>(S.get()));
  case StmtKind::For: {
    auto *I = cast<For>(S.get());
    ExprRef First = rewrite(I->Lo), End = rewrite(I->Hi),
            Step = rewrite(I->Step);
    StmtRef Body = walkInner(S, I->Body);
    return std::make_shared<For>(I->V, First, I->Cond, End, Step, I->LKind,
                                 I->DeclaresVar, Body, I->Loc);
  }
  case StmtKind::While: {
    auto *W = cast<While>(S.get());
    StmtRef Body = walkInner(S, W->Body);
    return std::make_shared<While>(rewrite(W->Cond), W->TestFirst, Body, W->Why,
                                   W->Loc, W->AsIf);
  }
  case StmtKind::Store:
  case StmtKind::DeclBuffer:
    return Rewriting ? UseRewriter(*this).run(S) : S;
  default:
    return S;
  }
}

StmtRef LoopInductions::walkAssign(const StmtRef &S, const Assign &A) {
  bool Goes = Rewriting && hasForm(A.V.get());
  ExprRef Value = Goes ? nullptr : rewrite(A.Value);
  ExprRef New = assignedValue(A);
  std::optional<LinearValue> V;
  if (New)
    V = Env.assign(A.V, New);
  else
    Env.forget(A.V.get());
  if (!Rewriting) {
    if (!Assigned.count(A.V.get()))
      Candidates.push_back(A.V);
    if (V)
      Assigned[A.V.get()].push_back(*V);
    else
      Bad.insert(A.V.get());
    return S;
  }
  if (Goes)
    return nullptr;
  return std::make_shared<Assign>(A.V, A.Op, Value, A.Loc);
}

StmtRef LoopInductions::walkIf(const If &I) {
  auto IsEmpty = [](const StmtRef &S) { return !S || statements(S).empty(); };
  ExprRef Cond = rewrite(I.Cond);
  LinearEnv::Map Before = Env.Values;
  StmtRef Then = walk(I.Then);
  LinearEnv::Map AfterThen = std::exchange(Env.Values, std::move(Before));
  StmtRef Else = walk(I.Else);
  for (auto &[V, Value] : AfterThen)
    Env.Values.try_emplace(V, std::nullopt);
  // Without an entry on one side, the scalar was set on the other only.
  for (auto &[V, Value] : Env.Values) {
    auto It = AfterThen.find(V);
    if (It != AfterThen.end() && It->second == Value && Value)
      continue;
    Value = std::nullopt;
    Bad.insert(V);
  }
  if (IsEmpty(Then) && IsEmpty(Else))
    return IsEmpty(I.Then) && IsEmpty(I.Else)
               ? std::make_shared<If>(Cond, I.Then, I.Else, I.Loc)
               : nullptr;
  return std::make_shared<If>(
      Cond, Then ? Then : std::make_shared<Block>(std::vector<StmtRef>{}),
      IsEmpty(Else) ? nullptr : Else, I.Loc);
}

/// What an inner loop assigns has no value of its own in it or after it.
StmtRef LoopInductions::walkInner(const StmtRef &S, const StmtRef &Body) {
  auto Forget = [&] {
    assignedVars(S, [&](const VarRef &V) {
      Env.forget(V.get());
      Bad.insert(V.get());
    });
  };
  Forget();
  StmtRef New = walk(Body);
  Forget();
  return New ? New : std::make_shared<Block>(std::vector<StmtRef>{});
}

//===-- Which scalars, and how -----------------------------------------===//

/// Every value of V in the iteration is one that can be written down.
bool LoopInductions::isWellFormed(const Var *V) const {
  const Form &F = Forms.at(V);
  return llvm::all_of(Assigned.at(V), [&](const LinearValue &A) {
    bool Known = !A.Base || hasForm(A.Base.get());
    bool Fits = A.isExact() || !F.Exact;
    // A sum in another order than the original's may overflow 64 bits.
    bool Grouped =
        !F.Exact || !A.Regrouped || F.In.Bits > V->Ty.Bits || V->Ty.Bits == 32;
    bool Exact = !F.Exact || llvm::all_of(A.Sum, [](const Addend &X) {
      return !X.E || X.E->Ty.Signed || X.E->Ty.Bits < 64;
    });
    return Known && Fits && Grouped && Exact;
  });
}

void LoopInductions::choose() {
  for (const VarRef &V : Candidates) {
    std::optional<LinearValue> End = Env.valueOf(V);
    if (Bad.count(V.get()) || !End || End->Base != V)
      continue;
    bool NeedsLast = After.count(V.get()) && !End->Sum.empty();
    if (NeedsLast && !Count.Trips && Count.Constant != 0)
      continue;
    Ends[V.get()] = *End;
    if (auto F = formOf(V))
      Forms[V.get()] = *F;
  }
  // One that rests on another goes with it.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const VarRef &V : Candidates)
      if (hasForm(V.get()) && !isWellFormed(V.get())) {
        Forms.erase(V.get());
        Changed = true;
      }
  }
}

/// Step * t provably fits an int.
bool LoopInductions::fitsInInt(const LinearValue &End) const {
  if (End.Sum.empty())
    return true;
  if (End.Sum.size() != 1 || End.Sum[0].E)
    return false;
  int64_t C = std::abs(End.Sum[0].C), Product;
  if (C == 1 && Count.Before->Ty == Type::getI32())
    return true;
  return Count.Constant &&
         !__builtin_mul_overflow(C, *Count.Constant, &Product) &&
         Product <= INT32_MAX;
}

/// Whether Step * t cannot leave 64 bits.
bool LoopInductions::fitsIn64(const VarRef &V, const LinearValue &End) const {
  if (V->Ty.Bits <= 32 || V->Kind == VarKind::Cursor || End.Sum.empty())
    return true;
  if (End.Sum.size() != 1)
    return false;
  auto IsNarrow = [](const ExprRef &E) {
    auto *C = dyn_cast<Cast>(E.get());
    const Type &Ty = C ? C->Operand->Ty : E->Ty;
    return Ty.isIntegral() && Ty.Bits - Ty.Signed < 32;
  };
  const Addend &A = End.Sum[0];
  bool ShortLoop =
      L.V->Ty.Bits <= 32 || (Count.Constant && *Count.Constant <= UINT32_MAX);
  if (A.E)
    return ShortLoop && IsNarrow(A.E) && A.E->Ty.Signed && std::abs(A.C) == 1;
  return std::abs(A.C) == 1 || (ShortLoop && std::abs(A.C) <= INT32_MAX);
}

/// Acc + Step * Times.
ExprRef LoopInductions::stepTimes(const std::vector<Addend> &Step,
                                  const ExprRef &Times, const ExprRef &Acc,
                                  const Type &In) const {
  if (Step.empty())
    return Acc;
  ExprRef T = build::cast(Times, In);
  const Addend &Only = Step.front();
  if (Step.size() == 1 && !Only.E)
    return plus(Acc, Only.C, T, In);
  if (Step.size() == 1)
    return plus(Acc, Only.C, build::mul(build::cast(Only.E, In), T), In);
  // The steps of one iteration together: they may cancel each other where each
  // alone, times t, would overflow.
  ExprRef Sum;
  for (const Addend &A : Step)
    Sum = plus(Sum, A.C, A.E ? build::cast(A.E, In) : nullptr, In);
  return plus(Acc, 1, build::mul(Sum, T), In);
}

std::optional<Form> LoopInductions::formOf(const VarRef &V) const {
  const LinearValue &End = Ends.at(V.get());
  const Type &Ty = V->Ty;
  Form F;
  F.Exact = Ty.Signed && Ty.Bits >= 32 && End.isExact() &&
            llvm::all_of(Assigned.at(V.get()),
                         [](const LinearValue &A) { return A.isExact(); });
  ExprRef K = build::var(V);
  if (!F.Exact) {
    F.In = Type::getInt(Ty.Bits <= 32 ? 32 : 64, /*Signed=*/false);
    if (F.In == Ty)
      F.In = Ty; // as the source spells it
  } else {
    if (!fitsIn64(V, End))
      return std::nullopt;
    F.In = Ty.Bits == 64 || fitsInInt(End) ? Ty : Type::getI64();
  }
  F.Start = K;
  if (!End.Sum.empty())
    F.Start = stepTimes(End.Sum, Count.Before, build::cast(K, F.In), F.In);
  return F;
}

/// V at the current place.
ExprRef LoopInductions::closedForm(const VarRef &V) {
  std::optional<LinearValue> Value = Env.valueOf(V);
  if (!Value || (Value->Base && !hasForm(Value->Base.get()))) {
    Failed = true;
    return build::var(V);
  }
  const LinearValue &Now = *Value;
  Form F = Forms.at(V.get());
  const Form *Base = Now.Base ? &Forms.at(Now.Base.get()) : nullptr;
  // A sum of ints is an int only where it is one of the original's, term by
  // term.
  if (F.Exact && V->Ty.Bits == 32) {
    bool Ints =
        !Now.Regrouped && (!Base || Base->In == V->Ty) &&
        llvm::all_of(Now.Sum, [&](const Addend &A) {
          return A.E ? A.E->Ty == V->Ty : A.C >= INT32_MIN && A.C <= INT32_MAX;
        });
    F.In = Ints ? V->Ty : Type::getI64();
  }
  ExprRef E;
  if (Base) {
    // Its value as its own type has it, unless that is where the sum is
    // narrowed anyway.
    bool Same =
        Base->In == F.In && (Base->Exact || Now.Base->Ty.Bits >= V->Ty.Bits);
    E = Base->Start;
    if (!Same && !Base->Exact)
      E = build::cast(E, Now.Base->Ty);
    E = build::cast(E, F.In);
  }
  for (const Addend &A : Now.Sum)
    E = plus(E, A.C, A.E ? build::cast(A.E, F.In) : nullptr, F.In);
  if (!E)
    E = build::intConst(0, F.In);
  if (F.Exact && F.In != V->Ty)
    return Names.add(E, V->Ty);
  return build::cast(E, V->Ty);
}

/// `k += step * trips` for after the loop; null where nothing is to be done.
StmtRef LoopInductions::lastValue(const VarRef &V) {
  const LinearValue &End = Ends.at(V.get());
  if (!After.count(V.get()) || End.Sum.empty() || Count.Constant == 0)
    return nullptr;
  const Form &F = Forms.at(V.get());
  Type In = F.In;
  bool Single = End.Sum.size() == 1 && !End.Sum[0].E;
  if (F.Exact && V->Ty.Bits == 32 && !Count.Constant &&
      !(Single && std::abs(End.Sum[0].C) == 1 && Count.Trips->Ty == V->Ty))
    In = Type::getI64();
  bool Minus = Single && End.Sum[0].C < 0;
  std::vector<Addend> Step = End.Sum;
  if (Minus)
    Step[0].C = -Step[0].C;
  ExprRef Total =
      build::select(Count.Runs, stepTimes(Step, Count.Trips, nullptr, In),
                    build::intConst(0, In));
  if (In == V->Ty)
    return std::make_shared<Assign>(V, Minus ? Combiner::Sub : Combiner::Add,
                                    Total);
  ExprRef Old = build::cast(build::var(V), In);
  ExprRef New = Minus ? build::sub(Old, Total) : build::add(Old, Total);
  return std::make_shared<Assign>(V, Combiner::None,
                                  F.Exact ? Names.add(New, V->Ty)
                                          : build::cast(New, V->Ty));
}

StmtRef LoopInductions::run() {
  if (!runsThrough(L, /*Arrays=*/true) || !prepare())
    return nullptr;
  walk(L.Body);
  choose();
  if (Forms.empty())
    return nullptr;
  Rewriting = true;
  Env.Values.clear();
  Env.forget(L.V.get());
  StmtRef Body = walk(L.Body);
  if (Failed)
    return nullptr;
  if (!Body)
    Body = std::make_shared<Block>(std::vector<StmtRef>{});
  std::vector<StmtRef> Out, Last;
  for (const VarRef &V : Candidates)
    if (hasForm(V.get()))
      if (StmtRef S = lastValue(V))
        Last.push_back(std::move(S));
  if (LoLet)
    Out.push_back(LoLet);
  if (HiLet && !Last.empty())
    Out.push_back(HiLet);
  Out.push_back(std::make_shared<For>(L.V, Lo, L.Cond, Last.empty() ? L.Hi : Hi,
                                      L.Step, L.LKind, L.DeclaresVar, Body,
                                      L.Loc));
  Out.insert(Out.end(), Last.begin(), Last.end());
  return makeBlock(std::move(Out));
}

/// A nest, inner loops first.
class NestInductions {
public:
  NestInductions(const For &L, const VarSet &After)
      : Root(std::make_shared<For>(L)), Live(around(Root, After)) {}

  std::optional<StmtRef> run() {
    StmtRef New = walk(Root);
    if (!Changed)
      return std::nullopt;
    return Names.expand(New);
  }

private:
  std::shared_ptr<const For> Root;
  Liveness Live;
  NarrowedValues Names;
  bool Changed = false;

  /// A function in which just After is read behind the loop.
  static Liveness around(const StmtRef &Root, const VarSet &After) {
    std::vector<VarRef> Read;
    assignedVars(Root, [&](const VarRef &V) {
      if (After.count(V.get()))
        Read.push_back(V);
    });
    Function F;
    F.Body = makeBlock(
        {Root, std::make_shared<Opaque>("", "", "", std::move(Read))});
    return Liveness(F);
  }

  StmtRef walk(const StmtRef &S) {
    StmtRef Inner =
        mapChildren(S, [&](const StmtRef &Sub) { return walk(Sub); });
    auto *L = llvm::dyn_cast_or_null<For>(S.get());
    if (!L)
      return Inner;
    StmtRef New =
        LoopInductions(*cast<For>(Inner.get()), Live.liveAfter(L), Names).run();
    Changed |= New != nullptr;
    return New ? New : Inner;
  }
};

} // namespace

std::optional<StmtRef>
raise::substituteInductions(const For &L, const Liveness::VarSet &After) {
  return NestInductions(L, After).run();
}
