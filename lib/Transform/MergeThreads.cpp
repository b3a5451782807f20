//===- MergeThreads.cpp - a block's threads as plain loops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Between two barriers CUDA leaves open in which order the threads of a block
// do their work, and each of them often does what it does only because there
// are so many of them: `for (i = t; i < n; i += 256) sum += x[i];`, then a sum
// over what the 256 have. Here the threads go away again:
//
//  - a sum over an array that holds what each thread had is the sum of these,
//  - what a thread adds up for such a sum is added to that sum itself,
//  - warps of lanes are threads where nothing asks for either of them,
//  - what threads do in turn, each from its own number on and in steps of their
//    number, is one loop.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "Networks.h"
#include "RegionPass.h"
#include "Warps.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <set>

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
  const ExprRef None = neutralOf(U);
  return V && None && *V == *plainNumber(None);
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

/// A loop from 0 by ones.
const For *asCount(const StmtRef &S) {
  auto *L = dyn_cast<For>(S.get());
  return L && L->DeclaresVar && L->Cond == BinaryOp::LT &&
                 constantValue(L->Lo) == 0 && constantValue(L->Step) == 1
             ? L
             : nullptr;
}

const For *asThreads(const StmtRef &S) {
  auto *L = asCount(S);
  return L && L->LKind == LoopKind::Parallel ? L : nullptr;
}

StmtRef withBody(const For &L, StmtList List, int64_t From) {
  return std::make_shared<For>(L.V, build::intConst(From, L.V->Ty), L.Cond,
                               L.Hi, L.Step, L.LKind, L.DeclaresVar,
                               std::make_shared<Block>(std::move(List), L.Loc),
                               L.Loc);
}

/// E without conversions between integers.
const Expr *bare(const ExprRef &E) {
  const Expr *Of = E.get();
  while (auto *C = dyn_cast<Cast>(Of)) {
    if (!C->Ty.isInt() || !C->Operand->Ty.isInt())
      break;
    Of = C->Operand.get();
  }
  return Of;
}

bool isBare(const ExprRef &E, const Var *V) {
  auto *U = dyn_cast<VarUse>(bare(E));
  return U && U->V.get() == V;
}

/// Whether S gives D's variable another value.
static bool assignsAgain(const StmtRef &S, const Decl &D) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *A = dyn_cast<Assign>(Sub.get()))
      Found |= A->V == D.V;
    if (auto *L = dyn_cast<For>(Sub.get()))
      Found |= L->V == D.V;
  });
  return Found;
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
    const For *L = I + 1 < List.size() ? dyn_cast<For>(List[I + 1].get())
                                       : nullptr;
    if (!D || !D->Init || !L || !L->DeclaresVar ||
        L->Cond != BinaryOp::LT || constantValue(L->Step) != 1 ||
        statements(L->Body).size() != 1)
      return std::nullopt;
    const std::optional<int64_t> Lo = constantValue(L->Lo),
                                 Hi = constantValue(L->Hi);
    const std::optional<Update> U = updateOf(statements(L->Body)[0]);
    auto *Ld = U ? dyn_cast<Load>(U->By.get()) : nullptr;
    if (!Lo || !Hi || !Ld || U->V != D->V || familyOf(U->Op) != U->Op || Ld->From.isView() ||
        Ld->From.Indices.size() != 1 || asVar(Ld->From.Indices[0]) != L->V.get())
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
      const StmtRef First =
          std::make_shared<Decl>(S->U.V, Start, List[I]->Loc);
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
      return D && D->Init && isBare(E, D->V.get()) && isBare(D->Init, V) &&
             !assignsAgain(T.Body, *D);
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
      if (From >= To || !isPartOnly(ArrayRef<StmtRef>(List), From - List.begin(),
                                    I, *Into))
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

  /// Whether the variable that List declares at From, which Into at To adds to a
  /// sum, only ever gets updates like that one.
  bool isPartOnly(ArrayRef<StmtRef> List, size_t From, size_t To,
                  const Update &Into) const {
    auto *D = cast<Decl>(List[From].get());
    const Var *Part = D->V.get();
    if (!D->Init || D->V->Ty != Into.V->Ty)
      return false;
    const Extreme Kind = extremeOf(Into);
    if (Kind != Extreme::None && !isOnlyExtreme(Whole, Into.V.get(), Kind))
      return false;
    if (Kind == Extreme::None ? !isNeutral(D->Init, Into)
                              : !structurallyEqual(
                                    D->Init, Ours.at(Into.V.get())))
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

/// `32 * warp + lane` as the number of a thread.
struct ThreadNumbers : Rewriter {
  const Var *Warp, *Lane;
  VarRef Thread;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *Sum = dyn_cast<Binary>(E.get());
    auto *Product = Sum && Sum->Op == BinaryOp::Add && isBare(Sum->R, Lane)
                        ? dyn_cast<Binary>(Sum->L.get())
                        : nullptr;
    return Product && Product->Op == BinaryOp::Mul &&
                   constantValue(Product->L) == WarpSize &&
                   isBare(Product->R, Warp)
               ? build::cast(build::var(Thread), E->Ty)
               : E;
  }
};

static bool isBlockExtent(const ExprRef &E) {
  auto *U = dyn_cast<VarUse>(bare(E));
  return U && U->V->Kind == VarKind::Launch;
}

/// Loops over warps around loops over lanes.
class Warps : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    const For *L = asThreads(S);
    const StmtRef Merged = L ? withoutWarps(*L) : nullptr;
    return Merged ? Merged : S;
  }

  /// The loop over threads that L, over warps, is around one over lanes.
  static StmtRef withoutWarps(const For &L) {
    const ArrayRef<StmtRef> List = statements(L.Body);
    const For *In = List.size() == 1 ? asCount(List[0]) : nullptr;
    if (!In || In->LKind != LoopKind::Parallel ||
        constantValue(In->Hi) != WarpSize)
      return nullptr;
    const std::optional<int64_t> Warps = constantValue(L.Hi);
    ExprRef Threads;
    if (Warps)
      Threads = build::intConst(*Warps * WarpSize, L.V->Ty);
    else if (auto *B = dyn_cast<Binary>(bare(L.Hi));
             B && B->Op == BinaryOp::Div && constantValue(B->R) == WarpSize &&
             isBlockExtent(B->L)) // rows are whole warps: a test of the launch
      Threads = build::cast(B->L, L.V->Ty);
    if (!Threads)
      return nullptr;
    ThreadNumbers Put;
    Put.Warp = L.V.get();
    Put.Lane = In->V.get();
    auto T = std::make_shared<Var>(*L.V);
    T->Name = "t";
    Put.Thread = T;
    const StmtRef Body = Put.run(In->Body);
    if (uses(Body, L.V.get()) || uses(Body, In->V.get()))
      return nullptr;
    return std::make_shared<For>(T, L.Lo, L.Cond, Threads, L.Step,
                                 LoopKind::Parallel, true, Body, L.Loc);
  }
};

/// Updates of the block's arrays where its threads do their work in turn.
struct PlainUpdates : Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    return St && St->Atomic && St->To.Buf->Kind == BufferKind::Local
               ? std::make_shared<Store>(St->To, St->Op, St->Value, false,
                                         St->Loc)
               : S;
  }
};

/// Loops over threads that do not need them.
class PlainLoops : public Rewriter {
public:
  explicit PlainLoops(const StmtRef &Whole) {
    forEachStmt(Whole, [&](const StmtRef &S) {
      auto *L = dyn_cast<For>(S.get());
      if (L && constantValue(L->Lo).value_or(-1) >= 0 &&
          constantValue(L->Step).value_or(-1) > 0)
        Natural.insert(L->V.get());
    });
  }

private:
  /// Variables of loops that count up from a number.
  std::set<const Var *> Natural;

  StmtRef rewriteStmt(const StmtRef &S) override {
    const For *L = asThreads(S);
    if (!L)
      return S;
    if (const StmtRef Plain = withoutStrides(*L))
      return Plain;
    return hasSums(L->Body) ? serial(*L) : S;
  }

  static StmtRef serial(const For &L) {
    return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step,
                                 LoopKind::Serial, L.DeclaresVar, L.Body,
                                 L.Loc);
  }

  /// Whether S assigns what it does not declare.
  static bool hasSums(const StmtRef &S) {
    std::set<const Var *> Own;
    bool Found = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *D = dyn_cast<Decl>(Sub.get()))
        Own.insert(D->V.get());
      if (auto *A = dyn_cast<Assign>(Sub.get()))
        Found |= !Own.count(A->V.get());
    });
    return Found;
  }

  /// What L's threads do, if all of it is loops that each goes through from its
  /// own number on, in steps.
  StmtRef withoutStrides(const For &L) const {
    const Var *T = L.V.get();
    if (!isBlockExtent(L.Hi) && constantValue(L.Hi).value_or(0) <= 0)
      return nullptr; // then there is a thread, which does what all do alike
    StmtList Out;
    Substitution Names;
    bool Any = false;
    for (const StmtRef &Sub : statements(L.Body)) {
      const StmtRef S = substitute(Sub, Names);
      if (auto *D = dyn_cast<Decl>(S.get())) {
        if (!D->Init || assignsAgain(L.Body, *D))
          return nullptr;
        if (!uses(D->Init, T)) {
          Out.push_back(S);
          continue;
        }
        bool Loads = false;
        forEachExpr(D->Init, [&](const ExprRef &E) { Loads |= isa<Load>(*E); });
        if (Loads || !D->V->Ty.isInt() || D->V->Kind == VarKind::Cursor)
          return nullptr;
        Names[D->V.get()] = D->Init;
        continue;
      }
      auto *K = dyn_cast<For>(S.get());
      const StmtRef Plain = K ? merged(*K, L) : nullptr;
      if (!Plain)
        return nullptr;
      Out.push_back(Plain);
      Any = true;
    }
    return Any ? std::make_shared<Block>(std::move(Out), L.Loc) : nullptr;
  }

  /// What E is more than T; zero where that is nothing. None if E is no such
  /// sum.
  /// Wraps: it may be another number than the sum is.
  static std::optional<ExprRef> beyond(const ExprRef &E, const Var *T,
                                       bool &Wraps) {
    if (isBare(E, T))
      return build::intConst(0, E->Ty);
    auto *C = dyn_cast<Cast>(E.get());
    auto *B = dyn_cast<Binary>(C && C->Ty.isInt() ? C->Operand.get() : E.get());
    if (!B || B->Op != BinaryOp::Add)
      return std::nullopt;
    Wraps |= !B->Ty.Signed || (C && C->Ty != B->Ty);
    for (const auto &[One, Other] : {std::pair(B->L, B->R), {B->R, B->L}})
      if (!uses(Other, T))
        if (const std::optional<ExprRef> Rest = beyond(One, T, Wraps))
          return build::cast(build::add(build::cast(*Rest, B->Ty), Other),
                             E->Ty);
    return std::nullopt;
  }

  /// Whether E, of what counts up from a natural number alone, is one.
  bool isNatural(const ExprRef &E) const {
    if (const std::optional<int64_t> N = constantValue(E))
      return *N >= 0;
    const Expr *Of = bare(E);
    if (auto *U = dyn_cast<VarUse>(Of))
      return U->V->Kind == VarKind::Launch || Natural.count(U->V.get());
    auto *B = dyn_cast<Binary>(Of);
    return B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Mul) &&
           isNatural(B->L) && isNatural(B->R);
  }

  static bool sameNumber(const ExprRef &A, const ExprRef &B) {
    const std::optional<int64_t> X = constantValue(A), Y = constantValue(B);
    return X || Y ? X == Y
                  : structurallyEqual(*bare(A), *bare(B));
  }

  /// K, which each iteration of L goes through, for all of them.
  StmtRef merged(const For &K, const For &L) const {
    const Var *T = L.V.get();
    bool Wraps = false;
    const std::optional<ExprRef> Base = beyond(K.Lo, T, Wraps);
    if (!Base || K.Cond != BinaryOp::LT || !K.DeclaresVar || uses(K.Hi, T) ||
        uses(K.Step, T) || uses(K.Body, T) || K.V->Ty != K.Lo->Ty ||
        K.Hi->Ty != K.V->Ty)
      return nullptr;
    const StmtRef Body = PlainUpdates().run(K.Body);
    const ExprRef From = withoutZeros(*Base),
                  One = build::intConst(1, K.V->Ty);
    if (Wraps && !isNatural(From))
      return nullptr;
    if (sameNumber(K.Step, L.Hi))
      return std::make_shared<For>(K.V, From, K.Cond, K.Hi, One,
                                   LoopKind::Serial, true, Body, K.Loc);
    // In steps of all threads of the grid: for each, what one block has of it.
    if (!isNatural(From))
      return nullptr;
    auto Row = std::make_shared<Var>(*K.V);
    Row->Name = "first";
    const ExprRef At = build::var(Row), N = build::cast(L.Hi, K.V->Ty),
                  End = build::select(build::lt(build::sub(K.Hi, At), N), K.Hi,
                                      build::add(At, N));
    const StmtRef Inner =
        std::make_shared<For>(K.V, At, K.Cond, End, One, LoopKind::Serial, true,
                              Body, K.Loc);
    return std::make_shared<For>(Row, From, K.Cond, K.Hi, K.Step,
                                 LoopKind::Serial, true, makeBlock({Inner}),
                                 K.Loc);
  }
};

} // namespace

FunctionRef mergeThreads(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  return mapRegions(F, [&](const Region &R) -> StmtRef {
    StmtRef Now = R.Body;
    ThreadSums Sums(Ctx.Opts.FP);
    for (StmtRef Was; Was != Now;) { // each makes room for the other
      Was = Now;
      Now = withoutUnread(Sums.run(Warps().run(Now)));
    }
    const StmtRef New = PlainLoops(Now).run(Now);
    if (New == R.Body)
      return nullptr;
    Obligations Rests = R.Rests;
    Rests.Regrouped |= Sums.regroups();
    return std::make_shared<Region>(std::move(Rests), withoutUnread(New),
                                    R.Original, R.Loc);
  });
}

} // namespace raise
