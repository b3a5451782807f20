//===- Reductions.cpp - scalars and elements that iterations share --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "raise/Analysis/UpdateChain.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include <set>

using namespace llvm;

namespace raise::analysis {

bool UpdateMatcher::mentions(const ExprRef &E) const {
  bool Any = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Any |= IsTarget(Sub); });
  return Any;
}

/// `Cond ? New : x` or, if not TakesNewWhenTrue, `Cond ? x : New`.
std::optional<Update> UpdateMatcher::compare(const ExprRef &Cond,
                                             const ExprRef &New,
                                             bool TakesNewWhenTrue) const {
  const auto *B = dyn_cast<Binary>(Cond.get());
  if (!B || mentions(New))
    return std::nullopt;
  bool NewFirst;
  if (IsTarget(B->R) && structurallyEqual(*B->L, *New))
    NewFirst = true;
  else if (IsTarget(B->L) && structurallyEqual(*B->R, *New))
    NewFirst = false;
  else
    return std::nullopt;
  bool Less = B->Op == BinaryOp::LT || B->Op == BinaryOp::LE;
  bool Greater = B->Op == BinaryOp::GT || B->Op == BinaryOp::GE;
  if (!Less && !Greater)
    return std::nullopt;
  bool Strict = B->Op == BinaryOp::LT || B->Op == BinaryOp::GT;
  Update U;
  // New is taken when it is less (for a minimum).
  U.Op = (Less == NewFirst) == TakesNewWhenTrue ? Combiner::Min : Combiner::Max;
  U.Reads = 1;
  // Only "new < old ? new : old" ignores NaN and keeps the first of two zeros.
  U.Inexact = New->Ty.isFloat() && !(Strict && TakesNewWhenTrue);
  return U;
}

/// Whether E may be evaluated where the source would not have: && and || skip
/// their right side, and a reduction in another order skips other sides.
static bool isHarmless(const ExprRef &E) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *B = dyn_cast<Binary>(Sub.get());
    Ok &= !isa<Load>(Sub.get()) && !isa<Call>(Sub.get()) &&
          !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
  });
  return Ok;
}

std::optional<Update> UpdateMatcher::match(const StmtRef &S) const {
  Combiner Op;
  ExprRef Value;
  Type Target;
  if (const auto *I = dyn_cast<If>(S.get())) {
    if (I->Else && !statements(I->Else).empty())
      return std::nullopt;
    auto Then = statements(I->Then);
    if (Then.size() != 1 || !IsWrite(Then[0]))
      return std::nullopt;
    if (const auto *A = dyn_cast<Assign>(Then[0].get())) {
      Op = A->Op;
      Value = A->Value;
    } else {
      Op = cast<Store>(Then[0].get())->Op;
      Value = cast<Store>(Then[0].get())->Value;
    }
    if (Op != Combiner::None)
      return std::nullopt;
    // `if (!(v <= x)) x = v` keeps x where the comparison holds.
    const auto *Not = dyn_cast<Unary>(I->Cond.get());
    bool Negated = Not && Not->Op == UnaryOp::Not;
    return compare(Negated ? Not->Operand : I->Cond, Value, !Negated);
  }
  if (!IsWrite(S))
    return std::nullopt;
  if (const auto *A = dyn_cast<Assign>(S.get())) {
    Op = A->Op;
    Value = A->Value;
    Target = A->V->Ty;
  } else {
    Op = cast<Store>(S.get())->Op;
    Value = cast<Store>(S.get())->Value;
    Target = cast<Store>(S.get())->To.Buf->Elem;
  }
  Update U;
  if (Op == Combiner::None) {
    if (const auto *Sel = dyn_cast<Select>(Value.get())) {
      bool KeepsWhenTrue = IsTarget(Sel->True);
      if (!KeepsWhenTrue && !IsTarget(Sel->False))
        return std::nullopt;
      auto M = compare(Sel->Cond, KeepsWhenTrue ? Sel->False : Sel->True,
                       !KeepsWhenTrue);
      if (M)
        ++M->Reads; // in the condition and as the value that is kept
      return M;
    }
    const auto *B = dyn_cast<Binary>(Value.get());
    if (!B)
      return std::nullopt;
    ExprRef Other;
    bool Minus = B->Op == BinaryOp::Sub;
    if (IsTarget(B->L))
      Other = B->R;
    else if (IsTarget(B->R) && !Minus && B->Op != BinaryOp::LAnd &&
             B->Op != BinaryOp::LOr)
      Other = B->L;
    auto C = Minus ? Combiner::Add : commutingUpdate(B->Op);
    if (auto Chain = Other ? std::nullopt : updateChain(Value, IsTarget)) {
      Combiner First = Chain->front().Op;
      U.Op = First == Combiner::Sub ? Combiner::Add : First;
      U.Reads = 1;
      return U;
    }
    if (!Other || !C || mentions(Other))
      return std::nullopt;
    if ((C == Combiner::LAnd || C == Combiner::LOr) && !isHarmless(Other))
      return std::nullopt;
    U.Op = *C;
    U.Reads = 1;
    return U;
  }
  if (mentions(Value))
    return std::nullopt;
  // A narrower float is rounded at each step of the compound assignment; an
  // integer wraps the same way in the end.
  if (Value->Ty != Target &&
      (Value->Ty.isFloat() || Target.isFloat() || Target.isBool()))
    return std::nullopt;
  switch (Op) {
  case Combiner::Sub:
    U.Op = Combiner::Add;
    return U;
  case Combiner::Add:
  case Combiner::Mul:
  case Combiner::Min:
  case Combiner::Max:
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
  case Combiner::LAnd:
  case Combiner::LOr:
    if ((Op == Combiner::Min || Op == Combiner::Max) && Value->Ty != Target)
      return std::nullopt;
    if ((Op == Combiner::LAnd || Op == Combiner::LOr) && !isHarmless(Value))
      return std::nullopt;
    U.Op = Op;
    return U;
  default:
    return std::nullopt;
  }
}

namespace {
/// One scalar through one iteration.
struct Flow {
  bool ReadsFirst = false; ///< may read before it is written
  bool Writes = false;     ///< written on every way through
};

class ScalarFlow {
public:
  explicit ScalarFlow(const Var *X) : X(X) {}
  Flow of(const StmtRef &S);

private:
  static Flow then(Flow A, Flow B) {
    return {A.ReadsFirst || (!A.Writes && B.ReadsFirst), A.Writes || B.Writes};
  }
  Flow read(const ExprRef &E) { return {E && uses(E, X), false}; }
  Flow read(const Access &At) {
    Flow F;
    for (const ExprRef &E : At.Indices)
      F = then(F, read(E));
    for (const ExprRef &E : At.Extents)
      F = then(F, read(E));
    return F;
  }
  const Var *X;
};
} // namespace

Flow ScalarFlow::of(const StmtRef &S) {
  if (!S)
    return {};
  switch (S->Kind) {
  case StmtKind::Block: {
    Flow F;
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      F = then(F, of(Sub));
    return F;
  }
  case StmtKind::Decl:
    return read(cast<Decl>(S.get())->Init);
  case StmtKind::DeclBuffer: {
    Flow F;
    for (const ExprRef &E : cast<DeclBuffer>(S.get())->B->Extents)
      F = then(F, read(E));
    for (const ExprRef &E : cast<DeclBuffer>(S.get())->Init)
      F = then(F, read(E));
    return F;
  }
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S.get());
    Flow F = read(A->Value);
    if (A->V.get() != X)
      return F;
    return then(F, {A->Op != Combiner::None, true});
  }
  case StmtKind::Store: {
    const auto *W = cast<Store>(S.get());
    return then(read(W->To), read(W->Value));
  }
  case StmtKind::For: {
    const auto *L = cast<For>(S.get());
    Flow F = then(then(read(L->Lo), read(L->Hi)), read(L->Step));
    if (L->V.get() == X)
      F = then(F, {false, true});
    Flow Body = of(L->Body);
    return then(F, {Body.ReadsFirst, false});
  }
  case StmtKind::While: {
    const auto *W = cast<While>(S.get());
    Flow Body = of(W->Body);
    if (W->TestFirst)
      return then(read(W->Cond), {Body.ReadsFirst, false});
    // The condition may be reached by a continue in the body.
    return {Body.ReadsFirst || read(W->Cond).ReadsFirst, false};
  }
  case StmtKind::If: {
    const auto *I = cast<If>(S.get());
    Flow T = of(I->Then), E = of(I->Else);
    return then(read(I->Cond),
                {T.ReadsFirst || E.ReadsFirst, T.Writes && E.Writes});
  }
  case StmtKind::Return:
    return then(read(cast<Return>(S.get())->Value), {false, true});
  case StmtKind::Break:
  case StmtKind::Continue:
    return {false, true}; // nothing follows on this way
  case StmtKind::TensorOp: {
    const auto *T = cast<TensorOp>(S.get());
    Flow F;
    for (const Iterator &I : T->Iterators)
      F = then(F, then(then(read(I.Lo), read(I.Hi)), read(I.Step)));
    F = then(F, read(T->Mask));
    return then(F, {of(T->Body).ReadsFirst, false});
  }
  case StmtKind::Region:
    return of(cast<Region>(S.get())->Original);
  case StmtKind::Opaque:
    return {true, false};
  case StmtKind::Barrier:
    return {};
  }
  return {true, false};
}

/// Whether a continue, break or return may skip the end of the body.
static bool leavesEarly(const StmtRef &Body) {
  bool Any = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    Any |=
        isa<Continue>(S.get()) || isa<Return>(S.get()) || isa<Break>(S.get());
  });
  return Any;
}

/// All mentions of X in the body stand in updates by one combiner.
static std::optional<ReductionInfo>
matchReduction(const StmtRef &Body, const VarRef &X, Reason &Why) {
  auto IsTarget = [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == X;
  };
  auto IsWrite = [&](const StmtRef &S) {
    const auto *A = dyn_cast<Assign>(S.get());
    return A && A->V == X;
  };
  UpdateMatcher M{IsTarget, IsWrite};
  ReductionInfo R;
  R.Scalar = X;
  R.Op = Combiner::None;
  unsigned Matched = 0, Writes = 0, Reads = 0;
  bool Ok = true;
  std::set<const Stmt *> InsideUpdate;
  forEachStmt(Body, [&](const StmtRef &S) {
    Writes += IsWrite(S);
    if (const auto *L = dyn_cast<For>(S.get()))
      Ok &= L->V != X;
    if (InsideUpdate.count(S.get()))
      return;
    auto U = M.match(S);
    if (!U)
      return;
    if (const auto *I = dyn_cast<If>(S.get()))
      for (const StmtRef &Sub : statements(I->Then))
        InsideUpdate.insert(Sub.get());
    Ok &= R.Op == Combiner::None || R.Op == U->Op;
    R.Op = U->Op;
    if (!R.Loc.isValid())
      R.Loc = S->Loc;
    if (U->Inexact)
      Why = {"CR1110",
             "'" + X->Name +
                 "' takes a NaN or a zero of the other sign where a minimum or "
                 "maximum that may be reordered would not",
             S->Loc};
    ++Matched;
    Reads += U->Reads;
  });
  unsigned Mentions = 0;
  forEachExpr(Body, [&](const ExprRef &E) { Mentions += IsTarget(E); });
  if (!Ok || Matched == 0 || Matched != Writes || Mentions != Reads ||
      Why.isSet())
    return std::nullopt;
  R.Rounds =
      X->Ty.isFloat() && (R.Op == Combiner::Add || R.Op == Combiner::Mul);
  return R;
}

ScalarFacts analyseScalars(const For &L,
                           const std::vector<const Var *> *LiveOut) {
  ScalarFacts Facts;
  std::set<const Var *> Declared, Done;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    if (const auto *D = dyn_cast<Decl>(S.get()))
      Declared.insert(D->V.get());
    if (const auto *Inner = dyn_cast<For>(S.get()))
      if (Inner->DeclaresVar)
        Declared.insert(Inner->V.get());
    if (const auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        Declared.insert(I.V.get());
  });
  auto IsLive = [&](const VarRef &X) {
    if (!LiveOut)
      return true;
    for (const Var *V : *LiveOut)
      if (V == X.get())
        return true;
    return false;
  };
  std::vector<VarRef> Shared;
  assignedVars(L.Body, [&](const VarRef &X) {
    if (!Declared.count(X.get()) && Done.insert(X.get()).second)
      Shared.push_back(X);
  });
  for (const VarRef &X : Shared) {
    if (X == L.V) {
      Facts.Why = {"CR1112",
                   "the loop assigns its own variable '" + X->Name + "'",
                   L.Loc};
      return Facts;
    }
    Flow F = ScalarFlow(X.get()).of(L.Body);
    if (!F.ReadsFirst) {
      if (!IsLive(X))
        Facts.Private.push_back(X);
      else if (F.Writes && !leavesEarly(L.Body))
        Facts.LastValue.push_back(X);
      else {
        Facts.Why = {"CR1108",
                     "'" + X->Name +
                         "' is used after the loop but not every iteration "
                         "writes it",
                     L.Loc};
        return Facts;
      }
      continue;
    }
    Reason Why;
    if (auto R = matchReduction(L.Body, X, Why)) {
      Facts.Reductions.push_back(*R);
      continue;
    }
    SourceLoc Where = L.Loc;
    forEachStmt(L.Body, [&](const StmtRef &S) {
      const auto *A = dyn_cast<Assign>(S.get());
      if (A && A->V == X && Where.Begin == L.Loc.Begin)
        Where = S->Loc;
    });
    Facts.Why = Why.isSet() ? Why
                            : Reason{"CR1107",
                                     "'" + X->Name +
                                         "' carries a value from one iteration "
                                         "to the next",
                                     Where};
    return Facts;
  }
  if (!L.DeclaresVar)
    (IsLive(L.V) ? Facts.LastValue : Facts.Private).push_back(L.V);
  return Facts;
}

} // namespace raise::analysis

bool raise::ReductionInfo::keepsFirst() const {
  const Type &Ty = Scalar ? Scalar->Ty : Element.Buf->Elem;
  return Ty.isFloat() && (Op == Combiner::Min || Op == Combiner::Max);
}
