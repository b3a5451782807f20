//===- OrderIterators.cpp - loops in the order that memory likes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of a rectangular nest, the iterator through which stores and loads are most
// nearly contiguous goes innermost. The order of the others is kept, and so is
// that among Reduction iterators, so no element's rounding changes.
//
//===----------------------------------------------------------------------===//
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class IteratorOrderer : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *T = dyn_cast<TensorOp>(S.get());
    if (!T || T->Iterators.size() < 2 || !isRectangular(*T) || !isLeaf(*T))
      return S;
    unsigned Best = T->Iterators.size() - 1;
    double Least = cost(*T, Best);
    for (unsigned N = Best; N-- > 0;) {
      if (!mayGoInnermost(*T, N))
        continue;
      double C = cost(*T, N);
      // A change of order must pay clearly.
      if (C * 1.5 < Least) {
        Least = C;
        Best = N;
      }
    }
    if (Best == T->Iterators.size() - 1)
      return S;
    std::vector<Iterator> Its = T->Iterators;
    std::rotate(Its.begin() + Best, Its.begin() + Best + 1, Its.end());
    return std::make_shared<TensorOp>(std::move(Its), T->Mask, T->Body,
                                      T->OpKind, T->Loc);
  }

private:
  static bool isRectangular(const TensorOp &T) {
    for (const Iterator &A : T.Iterators)
      for (const ExprRef &E : {A.Lo, A.Hi, A.Step})
        for (const Iterator &B : T.Iterators)
          if (uses(E, B.V.get()))
            return false;
    return true;
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

  /// Cache lines touched by one step of iterator N, summed over the accesses.
  static double cost(const TensorOp &T, unsigned N) {
    Substitution Lets;
    forEachStmt(T.Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (D && D->Init && D->V->Ty.isInt() && !assigns(T.Body, D->V.get()))
        Lets[D->V.get()] = substitute(D->Init, Lets);
    });
    double Sum = 0;
    const Var *V = T.Iterators[N].V.get();
    for (const MemoryAccess &A : effectsOf(T.Body).Memory)
      Sum +=
          stepCost(A.At, V, Lets) * (A.How == MemoryAccess::Mode::Read ? 1 : 2);
    return Sum;
  }

  static double stepCost(const Access &A, const Var *V,
                         const Substitution &Lets) {
    const std::vector<ExprRef> &Inner =
        A.isView() ? A.Extents
                   : A.Buf->Extents; // of a declared array: [0] is unused
    Polynomial Flat = Polynomial::constant(0);
    for (unsigned D = 0; D != A.Indices.size(); ++D) {
      auto P = Polynomial::of(substitute(A.Indices[D], Lets));
      if (!P)
        return uses(substitute(A.Indices[D], Lets), V) ? 1 : 0;
      if (D != 0) {
        const ExprRef &X = Inner[A.isView() ? D - 1 : D];
        auto Extent = X ? Polynomial::of(X) : std::nullopt;
        if (!Extent)
          return 1;
        Flat = Flat * *Extent;
      }
      Flat = Flat + *P;
    }
    auto Stride = Flat.coefficient(V);
    if (!Stride)
      return 1;
    if (Stride->isZero())
      return 0;
    auto C = Stride->asConstant();
    double PerLine = 64.0 / std::max(1u, A.Buf->Elem.sizeInBytes());
    return C ? std::min(1.0, std::abs(static_cast<double>(*C)) / PerLine) : 1.0;
  }
};

} // namespace

FunctionRef raise::orderIterators(FunctionRef F, Context &) {
  return withBody(*F, IteratorOrderer().run(F->Body));
}
