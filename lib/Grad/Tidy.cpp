//===- Tidy.cpp - reverse sweeps as a person would write them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tidy.h"
#include "Cleanup.h"
#include "Rules.h"
#include "TripTapes.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

bool isZero(const ExprRef &E) { return E && isNumber(E, 0); }

//===-- Tapes
//--------------------------------------------------------------===//

/// Arrays on the heap that are written and never read.
class UnreadTapes : public Rewriter {
public:
  explicit UnreadTapes(const StmtRef &S) {
    forEachExpr(S, [&](const ExprRef &E) {
      if (auto *L = dyn_cast<Load>(E.get()))
        Read.insert(L->From.Buf.get());
    });
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const Buffer *B = nullptr;
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      B = D->B.get();
    else if (auto *St = dyn_cast<Store>(S.get()))
      B = St->To.Buf.get();
    return B && B->Lies != ArrayHome::Automatic && !Read.count(B) ? nullptr : S;
  }

private:
  DenseSet<const Buffer *> Read;
};

//===-- Ends of loops
//------------------------------------------------------===//

/// A loop down from `(0 < n ? n : 0) - 1` to 0 is one from `n - 1`.
class PlainEnds : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    auto *From = L ? dyn_cast<Binary>(L->Lo.get()) : nullptr;
    auto *Trips = From ? dyn_cast<Select>(From->L.get()) : nullptr;
    const bool Down = Trips && From->Op == BinaryOp::Sub &&
                      isNumber(From->R, 1) && L->Cond == BinaryOp::GE &&
                      isZero(L->Hi) && isNumber(L->Step, -1) &&
                      From->Ty.Signed && isPositivePart(*Trips);
    return Down ? std::make_shared<For>(L->V, build::sub(Trips->True, From->R),
                                        L->Cond, L->Hi, L->Step, L->LKind,
                                        L->DeclaresVar, L->Body, L->Loc)
                : S;
  }

private:
  static bool isPositivePart(const Select &S) {
    auto *Test = dyn_cast<Binary>(S.Cond.get());
    return Test && Test->Op == BinaryOp::LT && isZero(Test->L) &&
           isZero(S.False) && structurallyEqual(Test->R, S.True);
  }
};

//===-- First sums
//---------------------------------------------------------===//

/// `let x = 0; ...; x += e` is `...; let x = e` where nothing in between names
/// x; a declaration whose first use lies in one statement of the list that ends
/// its use moves before that.
class FirstSums {
public:
  StmtRef run(const StmtRef &S) {
    if (!isa<Block>(*S))
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    Statements L;
    for (const StmtRef &C : cast<Block>(S.get())->Body)
      L.push_back(run(C));
    for (size_t K = L.size(); K-- > 0;)
      sink(L, K);
    return std::make_shared<Block>(std::move(L), S->Loc);
  }

private:
  static void sink(Statements &L, size_t K) {
    auto *D = dyn_cast<Decl>(L[K].get());
    if (!D || !isZero(D->Init) || !D->V->Ty.isFloat())
      return;
    const VarRef V = D->V;
    size_t Next = K + 1;
    while (Next < L.size() && !names(L[Next], V.get()))
      ++Next;
    if (Next == L.size())
      return;
    auto *A = dyn_cast<Assign>(L[Next].get());
    StmtRef New;
    if (A && A->V == V && !uses(A->Value, V.get()) && A->Value->Ty == V->Ty) {
      if (A->Op == Combiner::None || A->Op == Combiner::Add)
        New = std::make_shared<Decl>(V, A->Value, A->Loc);
      else if (A->Op == Combiner::Sub)
        New = std::make_shared<Decl>(V, negated(A->Value), A->Loc);
    }
    const StmtRef Old = L[K];
    if (New)
      L[Next] = New;
    else if (Next > K + 1)
      L.insert(L.begin() + Next, Old);
    else
      return;
    L.erase(L.begin() + K);
  }
};

//===-- Stores
//---------------------------------------------------------------===//

/// `a[i] = 0; a[i] += e;` is `a[i] = e;`, and `a[i] = a[i] * e` is `a[i] *= e`.
class ShortStores {
public:
  StmtRef run(const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      return asUpdate(S, *St);
    if (!isa<Block>(*S))
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    Statements L;
    for (const StmtRef &C : cast<Block>(S.get())->Body) {
      const StmtRef Joined = L.empty() ? nullptr : joined(L.back(), C);
      if (Joined)
        L.back() = Joined;
      else
        L.push_back(run(C));
    }
    return std::make_shared<Block>(std::move(L), S->Loc);
  }

private:
  static bool same(const Access &A, const Access &B) {
    return structurallyEqual(std::make_shared<Load>(A, Type::getFloat(64)),
                             std::make_shared<Load>(B, Type::getFloat(64)));
  }

  /// Null if Clear and Sum are not such a pair.
  static StmtRef joined(const StmtRef &Clear, const StmtRef &Sum) {
    auto *A = dyn_cast<Store>(Clear.get());
    auto *B = dyn_cast<Store>(Sum.get());
    if (!A || !B || A->Op != Combiner::None || !isZero(A->Value) || A->Atomic ||
        B->Atomic || (B->Op != Combiner::Add && B->Op != Combiner::Sub) ||
        !same(A->To, B->To) || A->Value->Ty != B->Value->Ty)
      return nullptr;
    // Derivatives overlap derivatives of their own level alone.
    bool Reads = !A->To.Buf->Derivative;
    const auto Note = [&](const ExprRef &E) {
      forEachExpr(E, [&](const ExprRef &Sub) {
        auto *L = dyn_cast<Load>(Sub.get());
        Reads |= L && L->From.Buf->Derivative == A->To.Buf->Derivative;
      });
    };
    Note(B->Value);
    for (const ExprRef &I : B->To.Indices)
      Note(I);
    if (Reads)
      return nullptr;
    return std::make_shared<Store>(
        B->To, Combiner::None,
        B->Op == Combiner::Add ? B->Value : negated(B->Value), false, B->Loc);
  }

  static StmtRef asUpdate(const StmtRef &S, const Store &St) {
    auto *E = dyn_cast<Binary>(St.Value.get());
    auto *L = E ? dyn_cast<Load>(E->L.get()) : nullptr;
    if (St.Op != Combiner::None || St.Atomic || !L || !same(L->From, St.To) ||
        E->Ty != L->Ty || !E->Ty.isFloat())
      return S;
    const auto Update = [&](Combiner Op) {
      return std::make_shared<Store>(St.To, Op, E->R, false, St.Loc);
    };
    switch (E->Op) {
    case BinaryOp::Mul:
      return Update(Combiner::Mul);
    case BinaryOp::Div:
      return Update(Combiner::Div);
    default:
      return S;
    }
  }
};

//===-- Assignments that nobody sees
//---------------------------------------===//

/// Plain assignments of floating variables that nothing reads before the next
/// one, or the end; and branches that are empty then.
class DeadAssignments {
public:
  explicit DeadAssignments(const Liveness &Live) : Live(Live) {}

  StmtRef run(const StmtRef &S) {
    if (auto *A = dyn_cast<Assign>(S.get()))
      return A->Op == Combiner::None && A->V->Ty.isFloat() &&
                     A->V->Kind == VarKind::Local &&
                     !Live.isLiveAfter(A, A->V.get())
                 ? makeBlock({})
                 : S;
    auto *I = dyn_cast<If>(S.get());
    if (!I)
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    StmtRef Then = run(I->Then), Else = I->Else ? run(I->Else) : nullptr;
    if (Else && isEmpty(Else))
      Else = nullptr;
    if (isEmpty(Then) && Else) {
      Then = std::move(Else);
      return std::make_shared<If>(build::logicalNot(I->Cond), Then, nullptr,
                                  I->Loc);
    }
    return isEmpty(Then) ? makeBlock({})
                         : std::make_shared<If>(I->Cond, Then, Else, I->Loc);
  }

private:
  const Liveness &Live;
  static bool isEmpty(const StmtRef &S) {
    return isa<Block>(*S) && all_of(statements(S), isEmpty);
  }
};

StmtRef withoutDeadAssignments(const StmtRef &Body) {
  Function F;
  F.Body = Body;
  return DeadAssignments(Liveness(F)).run(Body);
}

/// Variables that are a parameter, if nothing sets either, by its name.
StmtRef withoutCopies(StmtRef Body) {
  DenseMap<const Var *, unsigned> Set;
  assignedVars(Body, [&](const VarRef &V) { ++Set[V.get()]; });
  for (bool Changed = true; Changed;) {
    Substitution Names;
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      auto *Of = D && D->Init ? dyn_cast<VarUse>(D->Init.get()) : nullptr;
      if (Of && Of->V->Kind == VarKind::Param && !Set.count(Of->V.get()) &&
          D->V->Ty == Of->V->Ty && D->V->Ty.isFloat() &&
          Set.lookup(D->V.get()) == 1 && uses(Body, D->V.get()))
        Names[D->V.get()] = D->Init;
    });
    Changed = !Names.empty();
    if (Changed)
      Body = substitute(Body, Names);
  }
  return Body;
}

} // namespace

StmtRef tidied(const StmtRef &Body) {
  const auto MayDrop = [](const Var &V) {
    return V.Kind == VarKind::Local || V.Kind == VarKind::Param ||
           V.Kind == VarKind::Cursor;
  };
  const auto WithoutUnread = [&](StmtRef S) {
    for (StmtRef Before; S != Before;) {
      Before = S;
      S = UnreadTapes(S).run(S);
      S = dropUnread(S, MayDrop);
    }
    return S;
  };
  StmtRef S = withTripNumbers(WithoutUnread(Body));
  S = PlainEnds().run(S);
  S = withoutDeadAssignments(S);
  S = FirstSums().run(S);
  S = ShortStores().run(S);
  S = withoutCopies(S);
  return WithoutUnread(S);
}

} // namespace raise::grad
