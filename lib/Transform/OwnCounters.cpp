//===- OwnCounters.cpp - a variable of its own for each loop --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OwnCounters.h"
#include "LoopForm.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include <set>

using llvm::dyn_cast;

namespace raise {

namespace {

class OwnCounters {
public:
  explicit OwnCounters(const Function &F) : Live(F) {
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *O = dyn_cast<Opaque>(S.get()))
        for (const VarRef &V : O->Touches)
          Touched.insert(V.get());
    });
  }

  bool takes(const For &L) const {
    const Var *V = L.V.get();
    return !L.DeclaresVar && V->Kind == VarKind::Local && !uses(L.Lo, V) &&
           !uses(L.Hi, V) && !uses(L.Step, V) && !Touched.count(V) &&
           !Live.isLiveAfter(&L, V);
  }

private:
  const Liveness Live;
  std::set<const Var *> Touched;
};

/// S, where Loops have variables of their own.
StmtRef renamed(const StmtRef &S, const std::set<const Stmt *> &Loops) {
  if (!S)
    return S;
  const StmtRef New =
      mapChildren(S, [&](const StmtRef &Sub) { return renamed(Sub, Loops); });
  auto *L = dyn_cast<For>(New.get());
  if (!L || !Loops.count(S.get()))
    return New;
  auto V = std::make_shared<Var>(*L->V);
  return std::make_shared<For>(V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                               /*DeclaresVar=*/true,
                               renameVar(L->Body, L->V, V), L->Loc);
}

/// Declarations without a value of variables that nothing names.
class Undeclared : public Rewriter {
public:
  explicit Undeclared(const StmtRef &In) : In(In) {}

private:
  const StmtRef &In;
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *D = dyn_cast<Decl>(S.get());
    if (!D || D->Init || uses(In, D->V.get()))
      return S;
    unsigned Sets = 0;
    assignedVars(In, [&](const VarRef &V) { Sets += V == D->V; });
    return Sets > 1 ? S : nullptr;
  }
};

} // namespace

FunctionRef withOwnCounters(const FunctionRef &F) {
  const OwnCounters Counters(*F);
  std::set<const Stmt *> Loops;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (L && Counters.takes(*L))
      Loops.insert(L);
  });
  StmtRef Body = F->Body;
  if (!Loops.empty()) {
    Body = renamed(Body, Loops);
    Body = Undeclared(Body).run(Body);
  }
  return withBody(*F, withSunkDeclarations(Body));
}

} // namespace raise
