//===- ThreadSums.cpp - sums of what threads have -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "Networks.h"
#include "ThreadLoops.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace raise {

namespace {

using StmtList = std::vector<StmtRef>;

const Var *asVar(const ExprRef &E) {
  auto *U = E ? dyn_cast<VarUse>(E.get()) : nullptr;
  return U ? U->V.get() : nullptr;
}

/// `V = V Op By`, or `V = fmax(V, By)`.
struct Update {
  VarRef V;
  Combiner Op = Combiner::None;
  CalleeRef Fn;
  ExprRef By;
};

enum class Extreme { None, Most, Least };

Extreme extremeOf(const Update &U) {
  if (U.Op == Combiner::Max || (U.Fn && StringRef(U.Fn->Name).contains("max")))
    return Extreme::Most;
  if (U.Op == Combiner::Min || (U.Fn && StringRef(U.Fn->Name).contains("min")))
    return Extreme::Least;
  return Extreme::None;
}

std::optional<Update> updateOf(const StmtRef &S) {
  auto *A = dyn_cast<Assign>(S.get());
  if (!A || A->Value->Ty != A->V->Ty)
    return std::nullopt;
  if (A->Op != Combiner::None)
    return Update{A->V, A->Op, nullptr, A->Value};
  auto *C = dyn_cast<Call>(A->Value.get());
  if (!C || C->Fn->Definition || C->Args.size() != 2)
    return std::nullopt;
  StringRef Name = C->Fn->Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  if (!is_contained({"fmax", "fmin", "fmaxf", "fminf"}, Name))
    return std::nullopt;
  for (unsigned I : {0, 1})
    if (asVar(C->Args[I]) == A->V.get() && C->Args[1 - I]->Ty == A->V->Ty)
      return Update{A->V, Combiner::None, C->Fn, C->Args[1 - I]};
  return std::nullopt;
}

StmtRef asStmt(const Update &U, const SourceLoc &Loc) {
  if (!U.Fn)
    return std::make_shared<Assign>(U.V, U.Op, U.By, Loc);
  return std::make_shared<Assign>(
      U.V, Combiner::None, build::call(U.Fn, {build::var(U.V), U.By}), Loc);
}

/// The number that E is, if it is one.
std::optional<double> plainNumber(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return plainNumber(C->Operand);
  if (auto *U = dyn_cast<Unary>(E.get())) {
    const std::optional<double> V = plainNumber(U->Operand);
    return V && U->Op == UnaryOp::Neg ? std::optional(-*V) : std::nullopt;
  }
  if (auto *I = dyn_cast<IntConst>(E.get()))
    return double(I->Value);
  auto *F = dyn_cast<FloatConst>(E.get());
  return F ? std::optional(F->Value) : std::nullopt;
}

/// What leaves values as they are; null where no plain number does.
ExprRef neutralOf(const Update &U) {
  const Type &Ty = U.V->Ty;
  if (U.Fn)
    return nullptr;
  switch (U.Op) {
  case Combiner::Add:
  case Combiner::Sub:
  case Combiner::Or:
  case Combiner::Xor:
    return build::cast(build::intConst(0), Ty);
  case Combiner::Mul:
    return build::cast(build::intConst(1), Ty);
  default:
    return nullptr;
  }
}

bool isNeutral(const ExprRef &E, const Update &U) {
  const std::optional<double> V = plainNumber(E);
  const ExprRef Neutral = neutralOf(U);
  return V && Neutral && V == plainNumber(Neutral);
}

/// Loads of B, and stores to it, in S.
struct Accesses {
  size_t Loads = 0, Stores = 0;
};

Accesses accessesOf(const StmtRef &S, const Buffer *B) {
  Accesses N;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *L = dyn_cast<Load>(E.get());
    N.Loads += L && L->From.Buf.get() == B;
  });
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *St = dyn_cast<Store>(Sub.get());
    N.Stores += St && St->To.Buf.get() == B;
    // What looks at more than this does.
    if (isa<Opaque, Region, TensorOp>(*Sub))
      N.Loads += 100;
  });
  return N;
}

StmtRef withBody(const For &L, StmtList List, int64_t From) {
  return std::make_shared<For>(
      L.V, build::intConst(From, L.V->Ty), L.Cond, L.Hi, L.Step, L.LKind,
      L.DeclaresVar, std::make_shared<Block>(std::move(List), L.Loc), L.Loc);
}

/// A sum of what threads have, over an array of theirs.
class ThreadSums {
public:
  explicit ThreadSums(FPMode FP) : FP(FP) {}

  StmtRef run(StmtRef S) {
    for (Whole = nullptr; Whole != S; S = once(Whole))
      Whole = S;
    return S;
  }

  /// Whether sums that round were put together in another order.
  bool regroups() const { return Regroups; }

private:
  const FPMode FP;
  bool Regroups = false;
  StmtRef Whole;
  /// The sums that took in what threads stored, and what they start from.
  std::map<const Var *, ExprRef> Ours;

  StmtRef once(const StmtRef &S) {
    if (isa<Region>(*S))
      return S;
    StmtRef New = mapChildren(S, [&](const StmtRef &Sub) { return once(Sub); });
    if (!isa<Block>(*New))
      return New;
    StmtList List = cast<Block>(New.get())->Body;
    bool Any = false;
    while (forward(List) || dissolve(List))
      Any = true;
    return Any ? std::make_shared<Block>(std::move(List), New->Loc) : New;
  }

  /// `sum = c; for (l) sum += a[l];`, at I in a list.
  struct Sum {
    Update U;
    const Buffer *Array = nullptr;
    ExprRef Start; ///< null where that is the first element
    int64_t Count = 0;
  };

  std::optional<Sum> sumAt(ArrayRef<StmtRef> List, size_t I) const {
    auto *D = dyn_cast<Decl>(List[I].get());
    const For *L =
        I + 1 < List.size() ? dyn_cast<For>(List[I + 1].get()) : nullptr;
    if (!D || !D->Init || !L || !L->DeclaresVar || L->Cond != BinaryOp::LT ||
        constantValue(L->Step) != 1 || statements(L->Body).size() != 1)
      return std::nullopt;
    const std::optional<int64_t> Lo = constantValue(L->Lo),
                                 Hi = constantValue(L->Hi);
    const std::optional<Update> U = updateOf(statements(L->Body)[0]);
    auto *Ld = U ? dyn_cast<Load>(U->By.get()) : nullptr;
    if (!Lo || !Hi || !U || !Ld || U->V != D->V || familyOf(U->Op) != U->Op ||
        Ld->From.isView() || Ld->From.Indices.size() != 1 ||
        asVar(Ld->From.Indices[0]) != L->V.get())
      return std::nullopt;
    Sum Out{*U, Ld->From.Buf.get(), nullptr, *Hi};
    if (plainNumber(D->Init) && *Lo == 0) {
      Out.Start = D->Init;
      return Out;
    }
    auto *First = dyn_cast<Load>(D->Init.get());
    if (!First || *Lo != 1 || First->From.Buf != Ld->From.Buf ||
        First->From.isView() || constantValue(First->From.Indices[0]) != 0)
      return std::nullopt;
    return Out;
  }

  /// Puts a sum of what threads stored into their loop.
  bool forward(StmtList &List) {
    for (size_t I = 1; I + 1 < List.size(); ++I) {
      const std::optional<Sum> S = sumAt(List, I);
      if (!S || !plainElements(*S->Array))
        continue;
      size_t From = I;
      while (From > 0 && isa<Decl, DeclBuffer>(*List[From - 1]))
        --From;
      const For *T = From > 0 ? asThreads(List[From - 1]) : nullptr;
      if (!T || constantValue(T->Hi) != S->Count)
        continue;
      const Accesses All = accessesOf(Whole, S->Array);
      const size_t Read = S->Start ? 1 : 2;
      if (All.Loads != Read || All.Stores != 1 || !mayReorder(S->U))
        continue;
      StmtList Body = statements(T->Body).vec();
      const auto At = find_if(Body, [&](const StmtRef &Sub) {
        auto *St = dyn_cast<Store>(Sub.get());
        return St && St->To.Buf.get() == S->Array;
      });
      if (At == Body.end())
        continue;
      auto *St = cast<Store>(At->get());
      if (St->Op != Combiner::None || St->To.isView() ||
          St->To.Indices.size() != 1 ||
          !isNumberOf(*T, St->To.Indices[0], Body))
        continue;
      ExprRef Start = S->Start ? S->Start : startOf(Body, *St, S->U);
      int64_t Begin = 0;
      if (!Start && Body.size() == 1) { // the first thread's
        Start = withoutZeros(
            substitute(St->Value, T->V, build::intConst(0, T->V->Ty)));
        Begin = 1;
      }
      if (!Start)
        continue;
      Regroups |= !S->U.Fn && rounds(S->U.Op, S->U.V->Ty, S->U.V->Ty);
      Ours[S->U.V.get()] = Start;
      Update Add = S->U;
      Add.By = St->Value;
      *At = asStmt(Add, St->Loc);
      const StmtRef Loop = withBody(*T, std::move(Body), Begin);
      const StmtRef First = std::make_shared<Decl>(S->U.V, Start, List[I]->Loc);
      List.erase(List.begin() + ptrdiff_t(I), List.begin() + ptrdiff_t(I) + 2);
      List[From - 1] = Loop;
      List.insert(List.begin() + ptrdiff_t(From) - 1, First);
      return true;
    }
    return false;
  }

  /// Whether E is T's variable, perhaps by a name that its body has for it.
  static bool isNumberOf(const For &T, const ExprRef &E,
                         ArrayRef<StmtRef> Body) {
    const Var *V = T.V.get();
    return isBare(E, V) || any_of(Body, [&](const StmtRef &S) {
             auto *D = dyn_cast<Decl>(S.get());
             return D && D->Init && isBare(E, D->V.get()) &&
                    isBare(D->Init, V) && !assignsAgain(T.Body, *D);
           });
  }

  bool mayReorder(const Update &U) const {
    return U.Fn || combinesInAnyOrder(U.Op, U.V->Ty, U.V->Ty, FP);
  }

  /// What a sum starts from that takes what St, of Body, stores: of extremes,
  /// what each thread's own starts from.
  static ExprRef startOf(ArrayRef<StmtRef> Body, const Store &St,
                         const Update &U) {
    if (extremeOf(U) == Extreme::None)
      return neutralOf(U);
    for (const StmtRef &S : Body)
      if (!isOnlyExtreme(S, asVar(St.Value), extremeOf(U)))
        return nullptr;
    for (const StmtRef &S : Body) {
      auto *D = dyn_cast<Decl>(S.get());
      if (!D || D->V.get() != asVar(St.Value) || !D->Init)
        continue;
      const std::optional<double> N = plainNumber(D->Init);
      return N && !std::isnan(*N) ? D->Init : nullptr;
    }
    return nullptr;
  }

  /// Whether V, once it is declared, gets no values in S but such extremes.
  static bool isOnlyExtreme(const StmtRef &S, const Var *V, Extreme Kind) {
    bool Fits = true;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *A = dyn_cast<Assign>(Sub.get());
      auto *L = dyn_cast<For>(Sub.get());
      Fits &= !(L && L->V.get() == V) && !isa<Opaque, Region>(*Sub);
      if (!A || A->V.get() != V)
        return;
      const std::optional<Update> U = updateOf(Sub);
      Fits &= U && extremeOf(*U) == Kind && !uses(U->By, V);
    });
    return Fits;
  }

  /// `part = 0; for (...) part += e; sum += part;` adds to the sum itself.
  bool dissolve(StmtList &List) {
    for (size_t I = 0; I < List.size(); ++I) {
      const std::optional<Update> Into = updateOf(List[I]);
      const Var *Part = Into ? asVar(Into->By) : nullptr;
      if (!Part || Part == Into->V.get() || !Ours.count(Into->V.get()) ||
          familyOf(Into->Op) != Into->Op) // of a difference, signs change
        continue;
      const auto IsDecl = [&](const StmtRef &S) {
        auto *D = dyn_cast<Decl>(S.get());
        return D && D->V.get() == Part;
      };
      const auto From = find_if(List, IsDecl);
      const auto To = List.begin() + ptrdiff_t(I);
      if (From >= To ||
          !isPartOnly(ArrayRef<StmtRef>(List), From - List.begin(), I, *Into))
        continue;
      struct Directly : Rewriter {
        const Var *Part;
        VarRef Sum;
        StmtRef rewriteStmt(const StmtRef &S) override {
          std::optional<Update> U = updateOf(S);
          if (!U || U->V.get() != Part)
            return S;
          U->V = Sum;
          return asStmt(*U, S->Loc);
        }
      } Add;
      Add.Part = Part;
      Add.Sum = Into->V;
      StmtList New(List.begin(), From);
      for (auto S = From + 1; S != To; ++S)
        New.push_back(Add.run(*S));
      New.insert(New.end(), To + 1, List.end());
      List = std::move(New);
      return true;
    }
    return false;
  }

  /// Whether the variable that List declares at From, which Into at To adds to
  /// a sum, only ever gets updates like that one.
  bool isPartOnly(ArrayRef<StmtRef> List, size_t From, size_t To,
                  const Update &Into) const {
    auto *D = cast<Decl>(List[From].get());
    const Var *Part = D->V.get();
    if (!D->Init || D->V->Ty != Into.V->Ty)
      return false;
    const Extreme Kind = extremeOf(Into);
    if (Kind != Extreme::None && !isOnlyExtreme(Whole, Into.V.get(), Kind))
      return false;
    if (Kind == Extreme::None
            ? !isNeutral(D->Init, Into)
            : !structurallyEqual(D->Init, Ours.at(Into.V.get())))
      return false;
    if (any_of(List.drop_front(To + 1),
               [&](const StmtRef &S) { return uses(S, Part); }))
      return false;
    bool Fits = true;
    size_t Updates = 0;
    for (const StmtRef &S : List.slice(From + 1, To - From - 1)) {
      Fits &= !uses(S, Into.V.get()) && !assigns(S, Into.V.get());
      forEachStmt(S, [&](const StmtRef &Sub) {
        const std::optional<Update> U = updateOf(Sub);
        if (U && U->V.get() == Part) {
          ++Updates;
          Fits &= !uses(U->By, Part) &&
                  (Kind != Extreme::None
                       ? extremeOf(*U) == Kind
                       : !U->Fn && familyOf(U->Op) == familyOf(Into.Op));
          return;
        }
        auto *A = dyn_cast<Assign>(Sub.get());
        Fits &= !(A && A->V.get() == Part) && !isa<Opaque, Region>(*Sub);
      });
      Fits &= usesOutsideUpdates(S, Part) == 0;
    }
    return Fits && Updates > 0;
  }

  /// How often S looks at V, but for updates of V itself.
  static size_t usesOutsideUpdates(const StmtRef &S, const Var *V) {
    size_t N = 0;
    forEachExpr(S, [&](const ExprRef &E) { N += asVar(E) == V; });
    forEachStmt(S, [&](const StmtRef &Sub) {
      const std::optional<Update> U = updateOf(Sub);
      N -= U && U->V.get() == V && U->Fn ? 1 : 0;
    });
    return N;
  }
};

} // namespace

StmtRef withSumsOfThreads(StmtRef S, FPMode FP, bool &Regroups) {
  ThreadSums Sums(FP);
  S = Sums.run(std::move(S));
  Regroups |= Sums.regroups();
  return S;
}

} // namespace raise
