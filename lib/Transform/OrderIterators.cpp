//===- OrderIterators.cpp - loops in the order that memory likes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of a rectangular nest, the iterator through which stores and loads are most
// nearly contiguous goes innermost. The order of the others is kept, and so is
// that among Reduction iterators, so no element's rounding changes.
//
//===----------------------------------------------------------------------===//
#include "LinesTouched.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class IteratorOrderer : public Rewriter {
public:
  IteratorOrderer(bool ForPoints, bool SharesOut)
      : ForPoints(ForPoints), SharesOut(SharesOut) {}

  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *T = dyn_cast<TensorOp>(S.get());
    if (!T || T->Iterators.size() < 2 || !isRectangular(*T) || !isLeaf(*T))
      return S;
    // Threads have rows of their own for what the outer loops go around.
    if (SharesOut && updatesTogether(*T))
      return S;
    const unsigned Last = lastOf(*T);
    unsigned Best = Last;
    double Least = linesPerStep(T->Body, T->Iterators[Best].V.get());
    for (unsigned N = Best; N-- > 0;) {
      if (!mayGoInnermost(*T, N))
        continue;
      double C = linesPerStep(T->Body, T->Iterators[N].V.get());
      // A change of order must pay clearly.
      if (C * 1.5 < Least) {
        Least = C;
        Best = N;
      }
    }
    if (Best == Last)
      return S;
    std::vector<Iterator> Its = T->Iterators;
    std::rotate(Its.begin() + Best, Its.begin() + Best + 1,
                Its.begin() + Last + 1);
    return std::make_shared<TensorOp>(std::move(Its), T->Mask, T->Body,
                                      T->OpKind, T->Loc);
  }

private:
  /// Where what goes along the lines of memory should be: innermost, or, where
  /// threads go over points side by side, last of those that make a point.
  unsigned lastOf(const TensorOp &T) const {
    unsigned Points = 0;
    while (Points < T.Iterators.size() &&
           T.Iterators[Points].Kind == IterKind::Parallel)
      ++Points;
    return ForPoints && Points ? Points - 1 : T.Iterators.size() - 1;
  }

  static bool isRectangular(const TensorOp &T) {
    for (const Iterator &A : T.Iterators)
      for (const ExprRef &E : {A.Lo, A.Hi, A.Step})
        for (const Iterator &B : T.Iterators)
          if (uses(E, B.V.get()))
            return false;
    return true;
  }

  static bool updatesTogether(const TensorOp &T) {
    bool Found = false;
    forEachStmt(T.Body, [&](const StmtRef &S) {
      const auto *St = dyn_cast<Store>(S.get());
      Found |= St && St->Atomic;
    });
    return Found;
  }

  static bool isLeaf(const TensorOp &T) {
    bool Leaf = true;
    forEachStmt(T.Body, [&](const StmtRef &S) {
      Leaf &=
          !isa<TensorOp>(S.get()) && !isa<For>(S.get()) && !isa<While>(S.get());
    });
    return Leaf;
  }

  /// Moving an iterator inward past a Serial one, or past a Reduction one when
  /// it is one itself, would change an order that must be kept.
  static bool mayGoInnermost(const TensorOp &T, unsigned N) {
    for (unsigned M = N + 1; M != T.Iterators.size(); ++M) {
      IterKind K = T.Iterators[M].Kind;
      if (isOrdered(K))
        return false;
      if (K == IterKind::Reduction && T.Iterators[N].Kind != IterKind::Parallel)
        return false;
    }
    return T.Iterators[N].Kind == IterKind::Parallel ||
           T.Iterators[N].Kind == IterKind::Reduction;
  }

  const bool ForPoints, SharesOut;
};

} // namespace

FunctionRef raise::orderIterators(FunctionRef F, Context &Ctx) {
  const bool ForPoints = Ctx.Opts.Target == Dialect::Cuda;
  return withBody(
      *F, IteratorOrderer(ForPoints, hasPlainOriginals(*F)).run(F->Body));
}
