//===- SinkDeclarations.cpp - declare variables where they are set --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inside raised code, `int j; ... j = e;` becomes `int j = e;` where that is
// the first that is heard of j, and a declaration that nothing mentions any
// more disappears. Code that was left alone is not touched.
//
//===----------------------------------------------------------------------===//
#include "OwnCounters.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

namespace {

bool mentions(const StmtRef &S, const Var *V) {
  return S && (uses(S, V) || assigns(S, V));
}

/// Rewrites the blocks inside of one Region's body.
class Sinker {
public:
  StmtRef run(const StmtRef &S) {
    if (!S)
      return S;
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      return std::make_shared<TensorOp>(T->Iterators, T->Mask, run(T->Body),
                                        T->OpKind, T->Loc);
    if (auto *I = dyn_cast<If>(S.get()))
      return std::make_shared<If>(I->Cond, run(I->Then), run(I->Else), I->Loc);
    if (auto *L = dyn_cast<For>(S.get()))
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, run(L->Body),
                                   L->Loc);
    if (auto *W = dyn_cast<While>(S.get()))
      return std::make_shared<While>(W->Cond, W->TestFirst, run(W->Body),
                                     W->Why, W->Loc, W->AsIf);
    auto *B = dyn_cast<Block>(S.get());
    if (!B)
      return S;
    std::vector<StmtRef> List = B->Body;
    for (unsigned N = 0; N < List.size();) {
      auto *D = dyn_cast<Decl>(List[N].get());
      if (D && !D->Init && sink(List, N, D->V))
        continue; // List[N] is another statement now
      ++N;
    }
    for (StmtRef &Sub : List)
      Sub = run(Sub);
    return makeBlock(std::move(List), S->Loc);
  }

private:
  /// Moves the declaration at N of List to the first mention of V. False if it
  /// must stay.
  static bool sink(std::vector<StmtRef> &List, unsigned N, const VarRef &V) {
    unsigned First = N + 1;
    while (First != List.size() && !mentions(List[First], V.get()))
      ++First;
    if (First == List.size()) {
      List.erase(List.begin() + N);
      return true;
    }
    auto *A = dyn_cast<Assign>(List[First].get());
    if (A && A->V == V && A->Op == Combiner::None && !uses(A->Value, V.get())) {
      List[First] = std::make_shared<Decl>(V, A->Value, A->Loc);
      List.erase(List.begin() + N);
      return true;
    }
    // If one loop's body is all that mentions V and sets it first, V is that
    // body's own.
    for (unsigned M = First + 1; M < List.size(); ++M)
      if (mentions(List[M], V.get()))
        return false;
    const StmtRef Inside = sinkInto(List[First], List[N], V);
    if (!Inside)
      return false;
    List[First] = Inside;
    List.erase(List.begin() + N);
    return true;
  }

  /// D, V's declaration, within the body of S, which nothing of S around it
  /// mentions.
  static StmtRef sinkInto(const StmtRef &S, const StmtRef &D, const VarRef &V) {
    const auto In = [&](const StmtRef &Body) -> StmtRef {
      std::vector<StmtRef> List{D};
      const auto Inner = statements(Body);
      List.insert(List.end(), Inner.begin(), Inner.end());
      return sink(List, 0, V) ? makeBlock(std::move(List), Body->Loc) : nullptr;
    };
    if (auto *T = dyn_cast<TensorOp>(S.get())) {
      const StmtRef Body =
          uses(T->Mask, T->Iterators, V) ? nullptr : In(T->Body);
      return Body ? std::make_shared<TensorOp>(T->Iterators, T->Mask, Body,
                                               T->OpKind, T->Loc)
                  : nullptr;
    }
    if (auto *L = dyn_cast<For>(S.get())) {
      const bool Around = L->V == V || uses(L->Lo, V.get()) ||
                          uses(L->Hi, V.get()) || uses(L->Step, V.get());
      const StmtRef Body = Around ? nullptr : In(L->Body);
      return Body
                 ? std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                         L->LKind, L->DeclaresVar, Body, L->Loc)
                 : nullptr;
    }
    auto *I = dyn_cast<If>(S.get());
    if (!I || uses(I->Cond, V.get()) ||
        (mentions(I->Then, V.get()) && mentions(I->Else, V.get())))
      return nullptr;
    const bool Then = mentions(I->Then, V.get());
    const StmtRef Body = In(Then ? I->Then : I->Else);
    return Body ? std::make_shared<If>(I->Cond, Then ? Body : I->Then,
                                       Then ? I->Else : Body, I->Loc)
                : nullptr;
  }

  static bool uses(const ExprRef &E, const Var *V) {
    return E && raise::uses(E, V);
  }
  static bool uses(const ExprRef &Mask, const std::vector<Iterator> &Its,
                   const VarRef &V) {
    return uses(Mask, V.get()) || llvm::any_of(Its, [&](const Iterator &I) {
             return uses(I.Lo, V.get()) || uses(I.Hi, V.get()) ||
                    uses(I.Step, V.get());
           });
  }
};

struct RegionSinker : Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    return std::make_shared<Region>(R->Rests, Sinker().run(R->Body),
                                    R->Original, R->Loc);
  }
};

} // namespace

StmtRef raise::withSunkDeclarations(const StmtRef &S) {
  return Sinker().run(S);
}

FunctionRef raise::sinkDeclarations(FunctionRef F, Context &) {
  return withBody(*F, RegionSinker().run(F->Body));
}
