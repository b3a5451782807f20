//===- Uses.cpp - substitution, uses and assignments of variables ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
namespace {

class Substituter : public Rewriter {
  const Substitution &Map;

public:
  explicit Substituter(const Substitution &Map) : Map(Map) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *U = dyn_cast<VarUse>(E.get());
    if (!U)
      return E;
    auto It = Map.find(U->V.get());
    if (It == Map.end())
      return E;
    assert(It->second->Ty == U->Ty && "substitution of another type");
    return It->second;
  }
};

/// Finds reads of a variable, those of a fallback included: it needs them as
/// much as what replaces it.
struct UseFinder : Visitor {
  const Var *V;
  bool Found = false;
  explicit UseFinder(const Var *V) : V(V) { VisitOriginals = true; }

  bool visitExpr(const ExprRef &E) override {
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      Found |= U->V.get() == V;
    return !Found;
  }
  bool visitStmt(const StmtRef &S) override {
    if (const auto *A = dyn_cast<Assign>(S.get()))
      Found |= A->Op != Combiner::None && A->V.get() == V;
    if (const auto *O = dyn_cast<Opaque>(S.get()))
      Found |=
          any_of(O->Touches, [&](const VarRef &T) { return T.get() == V; });
    return !Found;
  }
};

} // namespace

ExprRef substitute(const ExprRef &E, const VarRef &V, const ExprRef &To) {
  Substitution Map;
  Map[V.get()] = To;
  return substitute(E, Map);
}

StmtRef substitute(const StmtRef &S, const VarRef &V, const ExprRef &To) {
  Substitution Map;
  Map[V.get()] = To;
  return substitute(S, Map);
}

ExprRef substitute(const ExprRef &E, const Substitution &Map) {
  return Substituter(Map).run(E);
}

StmtRef substitute(const StmtRef &S, const Substitution &Map) {
  return Substituter(Map).run(S);
}

bool uses(const ExprRef &E, const Var *V) {
  UseFinder Finder(V);
  Finder.walk(E);
  return Finder.Found;
}

bool uses(const StmtRef &S, const Var *V) {
  UseFinder Finder(V);
  Finder.walk(S);
  return Finder.Found;
}

static void assignedBy(const Stmt *S, function_ref<void(const VarRef &)> Fn) {
  if (const auto *A = dyn_cast<Assign>(S))
    Fn(A->V);
  else if (const auto *D = dyn_cast<Decl>(S))
    Fn(D->V);
  else if (const auto *F = dyn_cast<For>(S))
    Fn(F->V);
  else if (const auto *T = dyn_cast<TensorOp>(S))
    for (const Iterator &I : T->Iterators)
      Fn(I.V);
  else if (const auto *O = dyn_cast<Opaque>(S))
    for (const VarRef &V : O->Touches)
      Fn(V);
}

void assignedVars(const StmtRef &S, function_ref<void(const VarRef &)> Fn) {
  struct Finder : Visitor {
    function_ref<void(const VarRef &)> Fn;
    explicit Finder(function_ref<void(const VarRef &)> Fn) : Fn(Fn) {
      VisitOriginals = true;
    }
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &S) override {
      assignedBy(S.get(), Fn);
      return true;
    }
  };
  Finder(Fn).walk(S);
}

bool assigns(const StmtRef &S, const Var *V) {
  bool Found = false;
  assignedVars(S,
               [&](const VarRef &Assigned) { Found |= Assigned.get() == V; });
  return Found;
}

} // namespace raise
