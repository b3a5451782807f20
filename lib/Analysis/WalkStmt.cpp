//===- WalkStmt.cpp - statements of one iteration -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::analysis {

/// Whether control may leave Body or skip its end.
static bool jumps(const StmtRef &Body) {
  bool Any = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    Any |= isa<Break>(S.get()) || isa<Continue>(S.get()) ||
           isa<Return>(S.get()) || isa<Opaque>(S.get());
  });
  return Any;
}

void Walk::walk(const StmtRef &St) {
  if (!St)
    return;
  Current = St.get();
  switch (St->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(St.get())->Body)
      walk(Sub);
    return;
  case StmtKind::Decl: {
    const auto *D = cast<Decl>(St.get());
    collect(D->Init);
    if (D->Init && D->V->Ty.isIntegral())
      Values[D->V.get()] = eval(D->Init);
    else
      Values.erase(D->V.get());
    return;
  }
  case StmtKind::DeclBuffer:
    for (const ExprRef &E : cast<DeclBuffer>(St.get())->Init)
      collect(E);
    return;
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(St.get());
    collect(A->Value);
    if (!A->V->Ty.isIntegral())
      return;
    ExprRef Use = build::var(A->V);
    auto Combined = [&](BinaryOp Op) {
      ExprRef Wide = build::cast(Use, A->Value->Ty);
      return eval(build::cast(build::binary(Op, Wide, A->Value), A->V->Ty));
    };
    Value V;
    switch (A->Op) {
    case Combiner::None:
      V = eval(A->Value);
      break;
    case Combiner::Add:
      V = Combined(BinaryOp::Add);
      break;
    case Combiner::Sub:
      V = Combined(BinaryOp::Sub);
      break;
    case Combiner::Mul:
      V = Combined(BinaryOp::Mul);
      break;
    case Combiner::Div:
      V = Combined(BinaryOp::Div);
      break;
    case Combiner::Rem:
      V = Combined(BinaryOp::Rem);
      break;
    default:
      V = {Poly::atom(S.unknown(A->V->Name, "CR1104",
                                "'" + A->V->Name + "' is not understood")),
           {},
           nullptr};
      break;
    }
    Values[A->V.get()] = std::move(V);
    return;
  }
  case StmtKind::Store: {
    const auto *W = cast<Store>(St.get());
    collect(W->Value);
    record(W->To,
           W->Op == Combiner::None ? MemoryAccess::Mode::Write
                                   : MemoryAccess::Mode::Update,
           W, W->Loc);
    return;
  }
  case StmtKind::If: {
    const auto *I = cast<If>(St.get());
    walkIf(I->Cond, [&] { walk(I->Then); }, [&] { walk(I->Else); });
    // What follows a jump runs only sometimes.
    if (jumps(St))
      Exact = false;
    return;
  }
  case StmtKind::For:
    return walkFor(*cast<For>(St.get()));
  case StmtKind::While: {
    const auto *W = cast<While>(St.get());
    PathMark M = mark();
    walkUnknownTimes(St);
    Exact = false;
    collect(W->Cond);
    if (W->TestFirst)
      assume(W->Cond, true);
    walk(W->Body);
    restore(M);
    walkUnknownTimes(St);
    return;
  }
  case StmtKind::TensorOp:
    return walkTensor(*cast<TensorOp>(St.get()));
  case StmtKind::Region:
    // Body does what Original does.
    return walk(cast<Region>(St.get())->Original);
  case StmtKind::Return:
    return collect(cast<Return>(St.get())->Value);
  case StmtKind::Opaque:
    if (const auto &Call = cast<Opaque>(St.get())->Pure)
      for (const PureCall::Argument &A : Call->Args)
        collect(A.Value);
    return walkUnknownTimes(St);
  case StmtKind::Barrier:
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  }
}

/// Forgets every variable that S assigns.
void Walk::walkUnknownTimes(const StmtRef &Body) {
  assignedVars(Body, [&](const VarRef &X) {
    Values[X.get()] = {
        Poly::atom(S.unknown(X->Name, "CR1104",
                             "'" + X->Name + "' changes in an inner loop")),
        {},
        nullptr};
  });
}

/// What one run of Body adds to X, if that is the same at each run.
std::optional<Poly> Walk::change(const StmtRef &Body, const Var *X,
                                 const std::set<const Var *> &Assigned,
                                 Needs &N) {
  auto Fixed = [&](const ExprRef &E) {
    bool Ok = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      Ok &= !isa<Load>(Sub.get()) && !isa<Call>(Sub.get());
      if (const auto *U = dyn_cast<VarUse>(Sub.get()))
        Ok &= !Assigned.count(U->V.get());
    });
    return Ok;
  };
  Poly Sum;
  for (const StmtRef &St : statements(Body)) {
    if (!assigns(St, X))
      continue;
    if (const auto *A = dyn_cast<Assign>(St.get())) {
      ExprRef Added = A->Value;
      bool Minus = A->Op == Combiner::Sub;
      if (A->Op == Combiner::None) {
        const auto *B = dyn_cast<Binary>(A->Value.get());
        if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
          return std::nullopt;
        auto IsX = [&](const ExprRef &E) {
          const auto *U = dyn_cast<VarUse>(E.get());
          return U && U->V.get() == X;
        };
        Minus = B->Op == BinaryOp::Sub;
        if (IsX(B->L))
          Added = B->R;
        else if (IsX(B->R) && !Minus)
          Added = B->L;
        else
          return std::nullopt;
      } else if (A->Op != Combiner::Add && !Minus)
        return std::nullopt;
      if (Added->Ty != X->Ty || !Fixed(Added))
        return std::nullopt;
      Value V = eval(Added);
      N = N + V.N;
      Sum = Minus ? Sum - V.P : Sum + V.P;
      continue;
    }
    const auto *L = dyn_cast<For>(St.get());
    if (!L || L->V.get() == X || jumps(L->Body) || !Fixed(L->Lo) ||
        !Fixed(L->Hi) || !Fixed(L->Step))
      return std::nullopt;
    auto Inner = change(L->Body, X, Assigned, N);
    if (!Inner)
      return std::nullopt;
    Run R = enter(*L);
    if (R.Why.isSet() || !R.Trips)
      return std::nullopt;
    auto Some = S.require(*R.Trips, "'" + L->V->Name + "' has a range");
    if (!Some)
      return std::nullopt;
    N = N + *Some + R.V.N;
    Sum = Sum + *R.Trips * *Inner;
  }
  return Sum;
}

void Walk::walkFor(const For &L) {
  collect(L.Lo);
  collect(L.Hi);
  collect(L.Step);
  Run R = enter(L);
  std::set<const Var *> Assigned{L.V.get()};
  std::vector<VarRef> Carried;
  assignedVars(L.Body, [&](const VarRef &X) {
    if (Assigned.insert(X.get()).second && X->Ty.isIntegral())
      Carried.push_back(X);
  });
  Env After;
  bool Jumps = jumps(L.Body);
  for (const VarRef &X : Carried) {
    auto Unknown = [&] {
      return Value{
          Poly::atom(S.unknown(X->Name, "CR1104",
                               "'" + X->Name + "' changes in an inner loop")),
          {},
          nullptr};
    };
    Needs N;
    std::optional<Poly> Change;
    bool Declared = false;
    forEachStmt(L.Body, [&](const StmtRef &St) {
      if (const auto *D = dyn_cast<Decl>(St.get()))
        Declared |= D->V == X;
    });
    if (!Jumps && !Declared && R.Count0 && !R.Why.isSet())
      Change = change(L.Body, X.get(), Assigned, N);
    ExprRef Use = build::var(X);
    Value Start = eval(Use), End = Unknown(), Now = Unknown();
    if (Change && R.Count0) {
      Needs All = Start.N + N + R.V.N;
      Now = fit({Start.P + *R.Count0 * *Change, All, nullptr}, X->Ty, Use);
      auto Some = R.Trips
                      ? S.require(*R.Trips, "'" + L.V->Name + "' has a range")
                      : std::nullopt;
      if (Some)
        End = fit({Start.P + *R.Trips * *Change, All + *Some, nullptr}, X->Ty,
                  Use);
    }
    Values[X.get()] = Now;
    After[X.get()] = End;
  }
  Values[L.V.get()] = R.V;
  PathMark M = mark();
  Exact = Exact && !Jumps && R.Exact;
  Iterators.push_back(R.A);
  Around.push_back(&L);
  walk(L.Body);
  restore(M);
  for (auto &[X, V] : After)
    Values[X] = V;
  Values[L.V.get()] = {
      Poly::atom(
          S.unknown(L.V->Name, "CR1104", "'" + L.V->Name + "' after its loop")),
      {},
      nullptr};
}

void Walk::walkTensor(const TensorOp &T) {
  PathMark M = mark();
  walkUnknownTimes(T.Body);
  for (const Iterator &I : T.Iterators) {
    collect(I.Lo);
    collect(I.Hi);
    collect(I.Step);
    For L(I.V, I.Lo, BinaryOp::LT, I.Hi, I.Step, LoopKind::Serial, true,
          makeBlock({}), T.Loc);
    Run R = enter(L);
    Values[I.V.get()] = R.V;
    Exact = Exact && R.Exact;
    Iterators.push_back(R.A);
  }
  if (T.Mask) {
    collect(T.Mask);
    assume(T.Mask, true);
  }
  walk(T.Body);
  restore(M);
  walkUnknownTimes(T.Body);
}

} // namespace raise::analysis
