//===- Tidy.cpp - reverse sweeps as a person would write them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tidy.h"
#include "Cleanup.h"
#include "EqualTapes.h"
#include "Rules.h"
#include "ShiftedTapes.h"
#include "TripTapes.h"
#include "raise/Grad/IdleStores.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

bool isZero(const ExprRef &E) { return E && isNumber(E, 0); }

/// S, with Change called for each place of each of its lists, the inner ones
/// first, that has Least statements from there on.
StmtRef inBlocks(const StmtRef &S, size_t Least,
                 function_ref<void(Statements &, size_t)> Change) {
  const auto Inside = [&](const StmtRef &C) {
    return inBlocks(C, Least, Change);
  };
  if (!isa<Block>(*S))
    return mapChildren(S, Inside);
  Statements L;
  for (const StmtRef &C : cast<Block>(S.get())->Body)
    L.push_back(Inside(C));
  for (size_t K = 0; K + Least <= L.size(); ++K)
    Change(L, K);
  return std::make_shared<Block>(std::move(L), S->Loc);
}

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
/// x, and `x = 0; ...; x += e` is `...; x = e`; a declaration whose first use
/// lies in one statement of the list that ends its use moves before that.
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
    auto *Clear = dyn_cast<Assign>(L[K].get());
    if (Clear ? Clear->Op != Combiner::None || !isZero(Clear->Value)
              : !D || !isZero(D->Init))
      return;
    const VarRef V = D ? D->V : Clear->V;
    if (!V->Ty.isFloat())
      return;
    size_t Next = K + 1;
    while (Next < L.size() && !names(L[Next], V.get()))
      ++Next;
    if (Next == L.size())
      return;
    auto *A = dyn_cast<Assign>(L[Next].get());
    ExprRef First;
    if (A && A->V == V && !uses(A->Value, V.get()) && A->Value->Ty == V->Ty) {
      if (A->Op == Combiner::None || A->Op == Combiner::Add)
        First = A->Value;
      else if (A->Op == Combiner::Sub)
        First = negated(A->Value);
    }
    const StmtRef Old = L[K];
    if (First && D)
      L[Next] = std::make_shared<Decl>(V, First, A->Loc);
    else if (First)
      L[Next] = std::make_shared<Assign>(V, Combiner::None, First, A->Loc);
    else if (D && Next > K + 1)
      L.insert(L.begin() + Next, Old);
    else
      return;
    L.erase(L.begin() + K);
  }
};

//===-- Stores
//---------------------------------------------------------------===//

bool same(const Access &A, const Access &B) {
  return structurallyEqual(std::make_shared<Load>(A, Type::getFloat(64)),
                           std::make_shared<Load>(B, Type::getFloat(64)));
}

/// Whether E looks at derivatives of B's level, which are all that overlap B;
/// of arrays that the function makes none overlaps another.
bool readsLevelOf(const Buffer &B, const ExprRef &E) {
  bool Reads = !B.Derivative;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *L = dyn_cast<Load>(Sub.get());
    if (!L || L->From.Buf->Derivative != B.Derivative)
      return;
    const Buffer &Of = *L->From.Buf;
    Reads |= &Of == &B ||
             (Of.Kind != BufferKind::Local && B.Kind != BufferKind::Local);
  });
  return Reads;
}

/// `v = a[i]; a[i] = 0; if (c) a[i] += v; else b += v;` is
/// `if (!c) { v = a[i]; a[i] = 0; b += v; }`: the branch that keeps the value
/// has nothing to do. So it is for a variable in the place of a[i], and where
/// there is no other branch: `if (!c) a[i] = 0;`.
class KeptValues {
public:
  StmtRef run(const StmtRef &S) {
    if (!isa<Block>(*S))
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    Statements L;
    for (const StmtRef &C : cast<Block>(S.get())->Body)
      L.push_back(run(C));
    for (size_t K = 0; K + 2 < L.size(); ++K)
      if (StmtRef New = joined(ArrayRef(L).drop_front(K))) {
        L[K] = New;
        L.erase(L.begin() + K + 1, L.begin() + K + 3);
      }
    return std::make_shared<Block>(std::move(L), S->Loc);
  }

private:
  /// Where S writes Value, and how; no place where S does nothing of the kind.
  struct Write {
    ExprRef Place, Value;
    Combiner Op = Combiner::None;
  };
  static Write writeOf(const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    if (St && !St->Atomic)
      return {std::make_shared<Load>(St->To, St->To.Buf->Elem), St->Value,
              St->Op};
    if (auto *A = dyn_cast<Assign>(S.get()))
      return {build::var(A->V), A->Value, A->Op};
    return {};
  }

  /// Whether S does nothing but to add V to At.
  static bool givesBack(const StmtRef &S, const ExprRef &At, const Var *V) {
    const ArrayRef<StmtRef> List = S ? statements(S) : ArrayRef<StmtRef>();
    if (List.size() != 1)
      return false;
    const Write W = writeOf(List[0]);
    auto *U = W.Value ? dyn_cast<VarUse>(W.Value.get()) : nullptr;
    return U && U->V.get() == V && W.Op == Combiner::Add &&
           structurallyEqual(W.Place, At);
  }

  /// Whether E may look at Place.
  static bool looksAt(const ExprRef &E, const ExprRef &Place) {
    if (auto *U = dyn_cast<VarUse>(Place.get()))
      return uses(E, U->V.get());
    return readsLevelOf(*cast<Load>(Place.get())->From.Buf, E);
  }

  /// The first three of List as one; null if they are no such thing.
  static StmtRef joined(ArrayRef<StmtRef> List) {
    auto *D = dyn_cast<Decl>(List[0].get());
    const Write Clear = writeOf(List[1]);
    auto *I = dyn_cast<If>(List[2].get());
    if (!D || !D->Init || !I || !Clear.Place || Clear.Op != Combiner::None ||
        !isZero(Clear.Value) || !structurallyEqual(D->Init, Clear.Place) ||
        D->V->Ty != Clear.Value->Ty || !D->V->Ty.isFloat())
      return nullptr;
    const Var *V = D->V.get();
    if (uses(I->Cond, V) || looksAt(I->Cond, Clear.Place) ||
        any_of(List.drop_front(3),
               [&](const StmtRef &Later) { return names(Later, V); }))
      return nullptr;
    const bool Then = givesBack(I->Then, Clear.Place, V);
    const StmtRef &Other = Then ? I->Else : I->Then;
    if (!Then && !givesBack(I->Else, Clear.Place, V))
      return nullptr;
    Statements Out = {List[0], List[1]};
    if (Other && !statements(Other).empty())
      append_range(Out, statements(Other));
    else
      Out.erase(Out.begin()); // nobody asks for the value
    return std::make_shared<If>(Then ? build::logicalNot(I->Cond) : I->Cond,
                                makeBlock(std::move(Out)), nullptr, I->Loc);
  }
};

/// `let v = x; x = 0; ...` where nothing after that names x is the rest with x
/// for v, and then `x = 0;`.
class ClearedLast {
public:
  StmtRef run(const StmtRef &S) { return inBlocks(S, 2, change); }

private:
  static void change(Statements &L, size_t K) {
    auto *D = dyn_cast<Decl>(L[K].get());
    auto *X = D && D->Init ? dyn_cast<VarUse>(D->Init.get()) : nullptr;
    auto *Clear = dyn_cast<Assign>(L[K + 1].get());
    if (!X || !Clear || Clear->V != X->V || Clear->Op != Combiner::None ||
        !isZero(Clear->Value) || X->V->Kind != VarKind::Local ||
        !X->V->Ty.isFloat() || X->V->Ty != D->V->Ty)
      return;
    const VarRef V = D->V;
    for (const StmtRef &S : ArrayRef(L).drop_front(K + 2))
      if (names(S, X->V.get()) || assigns(S, V.get()))
        return;
    const ExprRef To = D->Init;
    const StmtRef Last = L[K + 1];
    for (size_t M = K + 2; M < L.size(); ++M)
      L[M - 2] = substitute(L[M], V, To);
    L.pop_back();
    L.back() = Last;
  }
};

/// `v = a[i]; a[i] = 0; d = e(v); a[i] += d;`, where nothing later names v, is
/// `a[i] = e(a[i]);` with a[i] for d, or `d = e(a[i]); a[i] = d;` where a[i]
/// may change before d was read last.
class InPlace {
public:
  StmtRef run(const StmtRef &S) { return inBlocks(S, 4, change); }

private:
  /// S as a store to At; null if it is none.
  static const Store *storeTo(const StmtRef &S, const Access &At, Combiner Op) {
    const auto *St = dyn_cast<Store>(S.get());
    return St && St->Op == Op && !St->Atomic && same(St->To, At) ? St : nullptr;
  }

  /// Whether Place, a[i], is what it was until the last of Later that uses V.
  static bool staysFor(ArrayRef<StmtRef> Later, const Var *V,
                       const ExprRef &Place) {
    const Buffer &B = *cast<Load>(Place.get())->From.Buf;
    while (!Later.empty() && !uses(Later.back(), V))
      Later = Later.drop_back();
    unsigned Loads = 0;
    forEachExpr(Place, [&](const ExprRef &E) { Loads += isa<Load>(*E); });
    bool Ok = Loads == 1 || Later.empty(); // what i is, no store changes
    for (const StmtRef &Each : Later)
      forEachStmt(Each, [&](const StmtRef &S) {
        const auto *St = dyn_cast<Store>(S.get());
        const auto *A = dyn_cast<Assign>(S.get());
        Ok &= isa<Block, Decl, If>(*S) || (A && !uses(Place, A->V.get())) ||
              (St && St->To.Buf->Derivative != B.Derivative);
      });
    return Ok;
  }

  static void change(Statements &L, size_t K) {
    const auto *V = dyn_cast<Decl>(L[K].get()),
               *D = dyn_cast<Decl>(L[K + 2].get());
    const auto *X = V && V->Init ? dyn_cast<Load>(V->Init.get()) : nullptr;
    if (!X || X->From.Buf->Volatile || !D || !D->Init || D->V->Ty != X->Ty ||
        V->V->Ty != X->Ty || !X->Ty.isFloat() || !uses(D->Init, V->V.get()) ||
        readsLevelOf(*X->From.Buf, D->Init))
      return;
    const Store *Clear = storeTo(L[K + 1], X->From, Combiner::None),
                *Back = storeTo(L[K + 3], X->From, Combiner::Add);
    const auto *Sum = Back ? dyn_cast<VarUse>(Back->Value.get()) : nullptr;
    const auto Later = ArrayRef(L).drop_front(K + 4);
    const auto Names = [&](const StmtRef &S) { return names(S, V->V.get()); };
    const auto Sets = [&](const StmtRef &S) { return assigns(S, D->V.get()); };
    if (!Clear || !isZero(Clear->Value) || !Sum || Sum->V != D->V ||
        any_of(Later, Names) || any_of(Later, Sets))
      return;
    const ExprRef Place = V->Init, E = substitute(D->Init, V->V, Place);
    const VarRef Name = D->V;
    if (staysFor(Later, Name.get(), Place)) {
      L[K] = std::make_shared<Store>(Back->To, Combiner::None, E, false,
                                     Back->Loc);
      L.erase(L.begin() + K + 1, L.begin() + K + 4);
      for (size_t M = K + 1; M < L.size(); ++M)
        L[M] = substitute(L[M], Name, Place);
      return;
    }
    L[K + 1] = std::make_shared<Store>(Back->To, Combiner::None,
                                       build::var(Name), false, Back->Loc);
    L[K] = std::make_shared<Decl>(Name, E, D->Loc);
    L.erase(L.begin() + K + 2, L.begin() + K + 4);
  }
};

/// `a[i] = 0; a[i] += e;` is `a[i] = e;`, and `a[i] = a[i] * e`, or e * a[i],
/// is `a[i] *= e`.
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
  /// Null if Clear and Sum are not such a pair.
  static StmtRef joined(const StmtRef &Clear, const StmtRef &Sum) {
    auto *A = dyn_cast<Store>(Clear.get());
    auto *B = dyn_cast<Store>(Sum.get());
    if (!A || !B || A->Op != Combiner::None || !isZero(A->Value) || A->Atomic ||
        B->Atomic || (B->Op != Combiner::Add && B->Op != Combiner::Sub) ||
        !same(A->To, B->To) || A->Value->Ty != B->Value->Ty)
      return nullptr;
    const auto Reads = [&](const ExprRef &E) {
      return readsLevelOf(*A->To.Buf, E);
    };
    if (Reads(B->Value) || any_of(B->To.Indices, Reads))
      return nullptr;
    return std::make_shared<Store>(
        B->To, Combiner::None,
        B->Op == Combiner::Add ? B->Value : negated(B->Value), false, B->Loc);
  }

  static StmtRef asUpdate(const StmtRef &S, const Store &St) {
    auto *E = dyn_cast<Binary>(St.Value.get());
    const auto Is = [&](const ExprRef &Sub) {
      auto *L = dyn_cast<Load>(Sub.get());
      return L && same(L->From, St.To) && E->Ty == L->Ty;
    };
    if (St.Op != Combiner::None || St.Atomic || !E || !E->Ty.isFloat())
      return S;
    const bool Right = E->Op == BinaryOp::Mul && Is(E->R);
    if (!Right && !Is(E->L))
      return S;
    const auto Update = [&](Combiner Op) {
      return std::make_shared<Store>(St.To, Op, Right ? E->L : E->R, false,
                                     St.Loc);
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

/// `let v = x; x = v;` is the declaration alone, for a variable or an element
/// x; and of a variable that stays as it is then, `v` is another name.
class GivenBack {
public:
  StmtRef run(const StmtRef &S) { return inBlocks(S, 2, change); }

private:
  static bool isSetTo(const StmtRef &S, const ExprRef &Place, const Var *V) {
    const auto IsV = [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      return U && U->V.get() == V;
    };
    if (auto *A = dyn_cast<Assign>(S.get()))
      return A->Op == Combiner::None && IsV(A->Value) &&
             structurallyEqual(build::var(A->V), Place);
    auto *St = dyn_cast<Store>(S.get());
    auto *From = dyn_cast<Load>(Place.get());
    return St && From && St->Op == Combiner::None && !St->Atomic &&
           !St->To.Buf->Volatile && IsV(St->Value) && same(St->To, From->From);
  }

  static void change(Statements &L, size_t K) {
    auto *D = dyn_cast<Decl>(L[K].get());
    if (!D || !D->Init || D->Init->Ty != D->V->Ty ||
        !isSetTo(L[K + 1], D->Init, D->V.get()))
      return;
    L.erase(L.begin() + K + 1);
    auto *X = dyn_cast<VarUse>(D->Init.get());
    if (!X || any_of(ArrayRef(L).drop_front(K + 1), [&](const StmtRef &S) {
          return assigns(S, X->V.get()) || assigns(S, D->V.get());
        }))
      return;
    const StmtRef Old = L[K];
    for (size_t M = K + 1; M < L.size(); ++M)
      L[M - 1] = substitute(L[M], cast<Decl>(Old.get())->V,
                            cast<Decl>(Old.get())->Init);
    L.pop_back();
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
  StmtRef S = withoutShiftedTapes(WithoutUnread(withoutEqualTapes(Body)));
  S = withTripNumbers(S);
  S = PlainEnds().run(S);
  S = withoutDeadAssignments(S);
  S = FirstSums().run(S);
  S = KeptValues().run(S);
  S = ClearedLast().run(S);
  S = InPlace().run(S);
  S = ShortStores().run(S);
  S = GivenBack().run(S);
  S = withoutIdleStores(S);
  S = withoutCopies(S);
  return WithoutUnread(S);
}

} // namespace raise::grad
