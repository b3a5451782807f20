//===- Barriers.cpp - barriers that not all threads reach -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Barriers.h"
#include "ThreadVarying.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class Finder {
public:
  Finder(const StmtRef &Body, std::set<const Var *> Threads, bool LetsEnd)
      : Body(Body), Threads(Threads), Varying(Body, std::move(Threads)),
        LetsEnd(LetsEnd) {}

  Reason run() {
    find(Body, nullptr, /*IsCertain=*/false, LetsEnd);
    return Certain.isSet() ? Certain : Possible;
  }

private:
  const StmtRef &Body;
  const std::set<const Var *> Threads;
  const ThreadVarying Varying;
  const bool LetsEnd;
  Reason Certain, Possible;

  /// Whether E is made of the indices of threads and of numbers alone, so that
  /// no caller decides on whether it is the same for all threads.
  bool isOfThreads(const ExprRef &E, unsigned Depth = 0) const {
    constexpr unsigned MostDepth = 8; // of variables made of variables
    bool Is = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      Is &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (!Is || !U || Threads.count(U->V.get()))
        return;
      const Decl *By = nullptr;
      unsigned Sets = 0;
      forEachStmt(Body, [&](const StmtRef &S) {
        auto *D = dyn_cast<Decl>(S.get());
        By = D && D->V == U->V ? D : By;
      });
      assignedVars(Body, [&](const VarRef &V) { Sets += V == U->V; });
      Is = By && By->Init && Sets == 1 && Depth < MostDepth &&
           isOfThreads(By->Init, Depth + 1);
    });
    return Is;
  }

  static std::string lineOf(const Stmt &S) {
    return S.Loc.isValid() ? " at line " + std::to_string(S.Loc.Line) : "";
  }

  /// Looks at the barriers of S. Differs: a statement around it that some
  /// threads may run more often than others, for certain if IsCertain.
  /// Last: S is the last thing that a thread does, and those that it leaves out
  /// may end before others wait.
  void find(const StmtRef &S, const Stmt *Differs, bool IsCertain, bool Last) {
    if (auto *B = dyn_cast<Barrier>(S.get()); B && !B->OfWarp && Differs) {
      Reason &Found = IsCertain ? Certain : Possible;
      if (Found.isSet())
        return;
      if (IsCertain)
        Found = {
            "CR1404",
            "not all threads of a block reach this barrier: the condition" +
                lineOf(*Differs) + " differs among them",
            S->Loc};
      else
        Found = {"CR1402",
                 "the threads of a block wait for each other here, under a "
                 "condition" +
                     lineOf(*Differs) +
                     " that is not known to be the same for all of them",
                 S->Loc};
      return;
    }
    if (isa<Block>(*S)) {
      for (const StmtRef &Sub : statements(S))
        find(Sub, Differs, IsCertain, Last && Sub == statements(S).back());
      return;
    }
    const ExprRef Cond = conditionOf(S.get());
    if (Cond && !IsCertain && Varying.varies(Cond) &&
        !(Last && endsOthers(S))) {
      Differs = S.get();
      IsCertain = isa<If>(*S) && isOfThreads(Cond);
    }
    auto *L = dyn_cast<For>(S.get());
    Last &= isa<If>(*S) || (L && isThreadLoop(L->LKind));
    forEachPart(
        S, [&](const StmtRef &Sub) { find(Sub, Differs, IsCertain, Last); });
  }
};

} // namespace

Reason raise::findDivergentBarrier(const Function &Kernel, bool LetsEnd) {
  std::set<const Var *> Threads;
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (L && (L->LKind == LoopKind::BlockX || L->LKind == LoopKind::BlockY ||
              L->LKind == LoopKind::BlockZ))
      Threads.insert(L->V.get());
  });
  return Finder(Kernel.Body, std::move(Threads), LetsEnd).run();
}
