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
#include "RegionPass.h"
#include "ThreadLoops.h"
#include "Warps.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace raise {

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

const Expr *bare(const ExprRef &E) {
  const Expr *Of = E.get();
  while (auto *C = dyn_cast<Cast>(Of)) {
    if (!C->Ty.isInt() || !C->Operand->Ty.isInt() || C->Ty.Bits < 32)
      break; // 8 bits do not count the threads of a block
    Of = C->Operand.get();
  }
  return Of;
}

bool isBare(const ExprRef &E, const Var *V) {
  auto *U = dyn_cast<VarUse>(bare(E));
  return U && U->V.get() == V;
}

bool assignsAgain(const StmtRef &S, const Decl &D) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *A = dyn_cast<Assign>(Sub.get()))
      Found |= A->V == D.V;
    if (auto *L = dyn_cast<For>(Sub.get()))
      Found |= L->V == D.V;
  });
  return Found;
}

namespace {

using StmtList = std::vector<StmtRef>;

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
  /// sum. Wraps: it may be another number than the sum is.
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
    return X || Y ? X == Y : structurallyEqual(*bare(A), *bare(B));
  }

  /// Whether S, a loop's body or part of it, may end the loop.
  static bool mayEnd(const StmtRef &S, bool OwnLoop = true) {
    if (isa<Return>(*S) || (OwnLoop && isa<Break>(*S)))
      return true;
    if (auto *I = dyn_cast<If>(S.get()))
      return mayEnd(I->Then, OwnLoop) || (I->Else && mayEnd(I->Else, OwnLoop));
    if (auto *L = dyn_cast<For>(S.get()))
      return mayEnd(L->Body, false);
    if (auto *W = dyn_cast<While>(S.get()))
      return mayEnd(W->Body, false);
    return isa<Block>(*S) && any_of(statements(S), [&](const StmtRef &Sub) {
             return mayEnd(Sub, OwnLoop);
           });
  }

  /// K, which each iteration of L goes through, for all of them. Where one
  /// thread may be done before the others, they stay.
  StmtRef merged(const For &K, const For &L) const {
    const Var *T = L.V.get();
    bool Wraps = false;
    const std::optional<ExprRef> Base = beyond(K.Lo, T, Wraps);
    if (!Base || K.Cond != BinaryOp::LT || !K.DeclaresVar || uses(K.Hi, T) ||
        uses(K.Step, T) || uses(K.Body, T) || mayEnd(K.Body) ||
        K.V->Ty != K.Lo->Ty || K.Hi->Ty != K.V->Ty)
      return nullptr;
    const StmtRef Body = PlainUpdates().run(K.Body);
    const ExprRef From = withoutZeros(*Base), One = build::intConst(1, K.V->Ty);
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
    const StmtRef Inner = std::make_shared<For>(
        K.V, At, K.Cond, End, One, LoopKind::Serial, true, Body, K.Loc);
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
    Obligations Rests = R.Rests;
    for (StmtRef Was; Was != Now;) { // each makes room for the other
      Was = Now;
      Now = withoutUnread(
          withSumsOfThreads(Warps().run(Now), Ctx.Opts.FP, Rests.Regrouped));
    }
    const StmtRef New = PlainLoops(Now).run(Now);
    if (New == R.Body)
      return nullptr;
    return std::make_shared<Region>(std::move(Rests), withoutUnread(New),
                                    R.Original, R.Loc);
  });
}

} // namespace raise
