//===- Barriers.cpp - barriers that not all threads reach -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Barriers.h"
#include "raise/IR/Visitor.h"
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class DivergenceFinder {
public:
  explicit DivergenceFinder(const Function &F) : F(F) {}

  Reason run() {
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *L = dyn_cast<For>(S.get()))
        if (L->LKind == LoopKind::BlockX || L->LKind == LoopKind::BlockY ||
            L->LKind == LoopKind::BlockZ)
          Varying.insert(L->V.get());
    });
    // What is set from a varying value, or under a varying condition, varies.
    for (size_t Old = 0; Old != Varying.size();) {
      Old = Varying.size();
      spread(F.Body, false);
    }
    find(F.Body, nullptr);
    return Found;
  }

private:
  const Function &F;
  std::set<const Var *> Varying;
  Reason Found;

  bool varies(const ExprRef &E) const {
    bool Yes = false;
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        if (auto *U = dyn_cast<VarUse>(Sub.get()))
          Yes |= Varying.count(U->V.get()) != 0;
      });
    return Yes;
  }

  /// The condition under which S runs its parts again or at all; null: always.
  static ExprRef conditionOf(const Stmt *S) {
    if (auto *I = dyn_cast<If>(S))
      return I->Cond;
    if (auto *W = dyn_cast<While>(S))
      return W->Cond;
    auto *L = dyn_cast<For>(S);
    if (!L || isThreadLoop(L->LKind))
      return nullptr;
    // How often it runs depends on all three.
    return build::call(rangeOf(*L), {L->Lo, L->Hi, L->Step});
  }

  static CalleeRef rangeOf(const For &L) {
    auto C = std::make_shared<Callee>();
    C->Name = "range";
    C->Result = Type::getBool();
    C->Params = {L.Lo->Ty, L.Hi->Ty, L.Step->Ty};
    return C;
  }

  void spread(const StmtRef &S, bool Under) {
    if (!S)
      return;
    if (auto *D = dyn_cast<Decl>(S.get()); D && varies(D->Init))
      Varying.insert(D->V.get());
    if (auto *A = dyn_cast<Assign>(S.get()); A && (Under || varies(A->Value)))
      Varying.insert(A->V.get());
    bool Inner = Under;
    if (ExprRef Cond = conditionOf(S.get()))
      Inner |= varies(Cond);
    if (auto *L = dyn_cast<For>(S.get());
        L && !isThreadLoop(L->LKind) && (varies(L->Lo) || varies(L->Step)))
      Varying.insert(L->V.get());
    forEachPart(S, [&](const StmtRef &Sub) { spread(Sub, Inner); });
  }

  void find(const StmtRef &S, const Stmt *Divergent) {
    if (!S || Found.isSet())
      return;
    if (isa<Barrier>(S.get()) && Divergent) {
      std::string Line = Divergent->Loc.isValid()
                             ? " at line " + std::to_string(Divergent->Loc.Line)
                             : "";
      Found = {"CR1404",
               "not all threads of a block reach this barrier: the condition" +
                   Line + " differs among them",
               S->Loc};
      return;
    }
    ExprRef Cond = conditionOf(S.get());
    if (Cond && varies(Cond))
      Divergent = S.get();
    forEachPart(S, [&](const StmtRef &Sub) { find(Sub, Divergent); });
  }

  static void forEachPart(const StmtRef &S,
                          llvm::function_ref<void(const StmtRef &)> Fn) {
    switch (S->Kind) {
    case StmtKind::Block:
      for (const StmtRef &Sub : cast<Block>(S.get())->Body)
        Fn(Sub);
      return;
    case StmtKind::If:
      Fn(cast<If>(S.get())->Then);
      Fn(cast<If>(S.get())->Else);
      return;
    case StmtKind::For:
      Fn(cast<For>(S.get())->Body);
      return;
    case StmtKind::While:
      Fn(cast<While>(S.get())->Body);
      return;
    default:
      return;
    }
  }
};

} // namespace

Reason raise::findDivergentBarrier(const Function &Kernel) {
  return DivergenceFinder(Kernel).run();
}
