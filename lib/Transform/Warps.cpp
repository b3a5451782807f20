//===- Warps.cpp - a block's threads, by warps ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Warps.h"
#include "FoldConstants.h"
#include "LaunchIndices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace raise {

bool waitsInWarps(const StmtRef &S) {
  bool Yes = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *B = dyn_cast<Barrier>(Sub.get());
    Yes |= B && B->OfWarp;
  });
  return Yes;
}

/// CUDA allows no more threads in a block.
static constexpr int64_t MostThreads = 1024;

namespace {

/// The rank of a thread in its block by a variable, and back.
class RankFolder : public Rewriter {
public:
  RankFolder(ExprRef Rank, VarRef By)
      : Rank(std::move(Rank)), By(std::move(By)) {}

private:
  const ExprRef Rank;
  const VarRef By;
  ExprRef rewriteExpr(const ExprRef &E) override {
    return structurallyEqual(E, Rank) ? std::make_shared<VarUse>(By, E->Loc)
                                      : E;
  }
};

/// Remainders of Rank by divisors of a warp's size as those of X.
class RemainderOfRank : public Rewriter {
public:
  RemainderOfRank(const Var *Rank, VarRef X) : Rank(Rank), X(std::move(X)) {}

private:
  const Var *Rank;
  const VarRef X;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *B = dyn_cast<Binary>(E.get());
    auto *U = B ? dyn_cast<VarUse>(B->L.get()) : nullptr;
    if (!U || U->V.get() != Rank || B->Op != BinaryOp::Rem)
      return E;
    const std::optional<int64_t> K = constantValue(B->R);
    return K && *K > 0 && WarpSize % *K == 0 ? build::rem(build::var(X), B->R)
                                             : E;
  }
};

class ByWarps : public Rewriter {
public:
  ByWarps(const StmtRef &Body, VarRef X, VarRef Warp, VarRef Lane)
      : X(std::move(X)), Warp(std::move(Warp)), Lane(std::move(Lane)) {
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (!D || !D->Init || !D->V->Ty.isInt() || D->V->Ty.Bits < 32 ||
          D->V->Kind == VarKind::Cursor || !isX(D->Init))
        return;
      unsigned Sets = 0;
      assignedVars(Body, [&](const VarRef &V) { Sets += V == D->V; });
      if (Sets == 1)
        Copies.insert(D->V.get());
    });
  }

private:
  const VarRef X, Warp, Lane;
  std::set<const Var *> Copies; ///< variables that are X

  bool isX(const ExprRef &E) const {
    auto *U = dyn_cast<VarUse>(withoutIntCasts(E.get()));
    return U && (U->V == X || Copies.count(U->V.get()));
  }

  /// X again, once it has been replaced by rewriting what is inside of E.
  bool wasX(const ExprRef &E) const {
    return isX(E) || structurallyEqual(withoutCastsOf(E), whole());
  }

  static ExprRef withoutCastsOf(ExprRef E) {
    while (auto *C = dyn_cast<Cast>(E.get())) {
      if (!C->Operand->Ty.isInt() || C->Ty.Bits < 32)
        break;
      E = C->Operand;
    }
    return E;
  }

  ExprRef whole() const {
    return build::add(
        build::mul(build::intConst(WarpSize, X->Ty), build::var(Warp)),
        build::var(Lane));
  }

  ExprRef num(int64_t V) const { return build::intConst(V, X->Ty); }

  /// X Op K; null where that is no simpler by Warp and Lane.
  ExprRef divided(BinaryOp Op, int64_t K) const {
    const ExprRef W = build::var(Warp), L = build::var(Lane);
    if (Op == BinaryOp::Shr)
      return K >= 5 && K < 31 ? divided(BinaryOp::Div, int64_t(1) << K)
                              : nullptr;
    if (Op == BinaryOp::And)
      return K >= 0 && isPowerOf2_64(uint64_t(K) + 1)
                 ? divided(BinaryOp::Rem, K + 1)
                 : nullptr;
    if (K <= 0 || (Op != BinaryOp::Div && Op != BinaryOp::Rem))
      return nullptr;
    if (Op == BinaryOp::Rem && WarpSize % K == 0)
      return K == WarpSize ? L : build::rem(L, num(K));
    if (K % WarpSize != 0)
      return nullptr;
    const int64_t Warps = K / WarpSize;
    if (Op == BinaryOp::Div)
      return Warps == 1 ? W : build::div(W, num(Warps));
    return build::add(build::mul(num(WarpSize), build::rem(W, num(Warps))), L);
  }

  ExprRef compared(BinaryOp Op, int64_t K) const {
    const auto Is = [](BinaryOp Op, const VarRef &V, int64_t K) {
      return build::binary(Op, build::cast(build::var(V), Type::getI32()),
                           build::intConst(K));
    };
    if (K < 0 || K > MostThreads)
      return nullptr;
    if (Op == BinaryOp::EQ)
      return build::logicalAnd(Is(Op, Warp, K / WarpSize),
                               Is(Op, Lane, K % WarpSize));
    if (K % WarpSize != 0 || (Op != BinaryOp::LT && Op != BinaryOp::GE))
      return nullptr;
    if (K == WarpSize)
      return Is(Op == BinaryOp::LT ? BinaryOp::EQ : BinaryOp::NE, Warp, 0);
    return Is(Op, Warp, K / WarpSize);
  }

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      return U->V == X ? whole() : E;
    auto *B = dyn_cast<Binary>(E.get());
    if (!B || !B->L->Ty.isInt() || !wasX(B->L))
      return E;
    const std::optional<int64_t> K = constantValue(B->R);
    if (!K)
      return E;
    if (ExprRef New = divided(B->Op, *K))
      return build::cast(New, E->Ty);
    ExprRef New = compared(B->Op, *K);
    return New ? New : E;
  }
};

} // namespace

StmtRef countByWarps(StmtRef Body, const Function &Kernel,
                     ArrayRef<VarRef> Index, const VarRef &Warp,
                     const VarRef &Lane) {
  const VarRef &X = Index[3], &Y = Index[4], &Z = Index[5];
  const auto Size = [&](unsigned D) {
    return build::var(Kernel.LaunchDims[D]);
  };
  const ExprRef Rank = build::add(
      build::mul(build::add(build::mul(build::var(Z), Size(4)), build::var(Y)),
                 Size(3)),
      build::var(X));
  auto R = std::make_shared<Var>(*X);
  Body = RankFolder(Rank, R).run(Body);
  if (uses(Body, Y.get()) || uses(Body, Z.get())) {
    Body = RemainderOfRank(R.get(), X).run(Body);
    Body = substitute(Body, R, Rank);
  } else {
    Body = substitute(Body, R, build::var(X));
  }
  return ByWarps(Body, X, Warp, Lane).run(Body);
}

} // namespace raise
