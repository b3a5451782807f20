//===- FoldCopies.cpp - what stood for a call, in its place ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FoldCopies.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// The most nodes of what is written more than once.
constexpr unsigned MaxSize = 5;

class Folder : public Rewriter {
public:
  explicit Folder(const StmtRef &S) {
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *A = dyn_cast<Assign>(Sub.get()))
        Changed.insert(A->V.get());
      else if (auto *L = dyn_cast<For>(Sub.get()); L && !L->DeclaresVar)
        Changed.insert(L->V.get());
      else if (auto *O = dyn_cast<Opaque>(Sub.get()))
        for (const VarRef &V : O->Touches)
          Changed.insert(V.get());
      else if (auto *B = dyn_cast<DeclBuffer>(Sub.get()))
        for (const ExprRef &E : B->B->Extents)
          keepNames(E); // an array's size is written with its name
    });
  }

private:
  std::set<const Var *> Changed; ///< or to be kept for another reason

  void keepNames(const ExprRef &E) {
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        if (auto *U = dyn_cast<VarUse>(Sub.get()))
          Changed.insert(U->V.get());
      });
  }

  /// Variables that nobody changes, numbers, and a few sums of them.
  bool isFixedSum(const ExprRef &E) const {
    unsigned Size = 0;
    bool Ok = E->Ty.isInt();
    forEachExpr(E, [&](const ExprRef &Sub) {
      ++Size;
      auto *U = dyn_cast<VarUse>(Sub.get());
      auto *B = dyn_cast<Binary>(Sub.get());
      const bool Sum = B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub);
      const bool Fixed =
          U && !Changed.count(U->V.get()) &&
          (U->V->Kind == VarKind::Local || U->V->Kind == VarKind::Param);
      Ok &= Fixed || Sum || isa<IntConst>(Sub.get());
    });
    return Ok && Size <= MaxSize;
  }

  static unsigned countUses(const StmtRef &S, const Var *V) {
    unsigned N = 0;
    forEachExpr(S, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      N += U && U->V.get() == V;
    });
    return N;
  }

  /// Whether D's value may be computed where List uses it, the only place: what
  /// stands between gives names to values, and no more.
  static bool isUsedNext(const Decl &D, llvm::ArrayRef<StmtRef> List) {
    // A product in another expression may be rounded together with its sum.
    if (D.V->Ty.isFloat() && !isa<Load>(D.Init.get()) &&
        !isa<VarUse>(D.Init.get()))
      return false;
    unsigned Uses = 0;
    for (const StmtRef &S : List)
      Uses += countUses(S, D.V.get());
    if (Uses != 1)
      return false;
    for (const StmtRef &S : List) {
      const bool Here = countUses(S, D.V.get()) != 0;
      if (Here)
        return isa<Decl>(S.get()) || isa<Assign>(S.get()) ||
               isa<Store>(S.get());
      if (!isa<Decl>(S.get()))
        return false;
    }
    return false;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *B = dyn_cast<Block>(S.get());
    if (!B)
      return S;
    std::vector<StmtRef> List = B->Body;
    bool Any = false;
    for (size_t I = 0; I < List.size();) {
      const StmtRef At = List[I];
      auto *D = dyn_cast<Decl>(At.get());
      if (!D || !D->Init || D->V->Says.empty() || Changed.count(D->V.get()) ||
          D->Init->Ty != D->V->Ty ||
          !(isFixedSum(D->Init) ||
            isUsedNext(*D, llvm::ArrayRef(List).drop_front(I + 1)))) {
        ++I;
        continue;
      }
      List.erase(List.begin() + ptrdiff_t(I));
      for (size_t K = I; K < List.size(); ++K)
        List[K] = substitute(List[K], D->V, D->Init);
      Any = true;
    }
    return Any ? std::make_shared<Block>(std::move(List), B->Loc) : S;
  }
};

/// In the bodies of regions.
class InRegions : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    StmtRef Body = Folder(R->Body).run(R->Body);
    return Body == R->Body ? S
                           : std::make_shared<Region>(R->Rests, std::move(Body),
                                                      R->Original, R->Loc);
  }
};

} // namespace

StmtRef raise::foldCopies(const StmtRef &S) { return InRegions().run(S); }
