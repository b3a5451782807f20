//===- CompareExtrema.cpp - fmax as a comparison --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `m = fmaxf(m, x)` keeps the number where one of both is not a number, so it
// is no comparison: `m < x ? x : m` keeps an m that is none. Of a variable that
// starts as a number and gets no other values than these, m always is one, and
// both are the same (of zeros of both signs, C lets fmax return either). As a
// comparison it is a reduction like any other.
//
//===----------------------------------------------------------------------===//
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace raise {

namespace {

/// `fmax(V, x)`, in any order, or null.
struct Extremum {
  ExprRef Other;
  bool Largest = false;
};

std::optional<Extremum> extremumOf(const Assign &A) {
  ExprRef Value = A.Value;
  while (auto *C = dyn_cast<Cast>(Value.get())) {
    if (!C->Ty.isFloat() || !C->Operand->Ty.isFloat())
      return std::nullopt;
    Value = C->Operand;
  }
  auto *C = dyn_cast<Call>(Value.get());
  if (A.Op != Combiner::None || !A.V->Ty.isFloat() || !C || C->Fn->Definition ||
      C->Args.size() != 2 || C->Ty != A.V->Ty || Value->Ty != A.V->Ty)
    return std::nullopt;
  StringRef Name = C->Fn->Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  const bool Largest = Name == "fmaxf" || Name == "fmax" || Name == "fmaxl";
  if (!Largest && Name != "fminf" && Name != "fmin" && Name != "fminl")
    return std::nullopt;
  for (unsigned I : {0, 1}) {
    auto *U = dyn_cast<VarUse>(C->Args[I].get());
    if (U && U->V == A.V && !uses(C->Args[1 - I], A.V.get()))
      return Extremum{C->Args[1 - I], Largest};
  }
  return std::nullopt;
}

/// A constant that is a number.
bool isNumber(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return isNumber(C->Operand);
  if (auto *U = dyn_cast<Unary>(E.get()))
    return U->Op == UnaryOp::Neg && isNumber(U->Operand);
  auto *F = dyn_cast<FloatConst>(E.get());
  return isa<IntConst>(*E) || (F && !std::isnan(F->Value));
}

/// Updates of the variables that are numbers wherever they are updated.
class Finder : public Visitor {
public:
  std::set<const Stmt *> Updates;

  void run(const Function &F) {
    for (const Param &P : F.Params)
      if (P.Scalar)
        Never.insert(P.Scalar.get());
    walk(F.Body);
    for (const auto &[V, Of] : ByVar)
      if (V->Kind == VarKind::Local && !Never.count(V) && Started.count(V))
        Updates.insert(Of.begin(), Of.end());
  }

private:
  std::map<const Var *, std::vector<const Stmt *>> ByVar;
  std::set<const Var *> Never, Started;

  bool visitStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get())) {
      if (D->Init && isNumber(D->Init))
        Started.insert(D->V.get());
      else
        Never.insert(D->V.get());
    } else if (auto *A = dyn_cast<Assign>(S.get())) {
      if (extremumOf(*A))
        ByVar[A->V.get()].push_back(S.get());
      else if (A->Op != Combiner::None || !isNumber(A->Value))
        Never.insert(A->V.get());
    } else if (auto *L = dyn_cast<For>(S.get())) {
      Never.insert(L->V.get());
    } else if (isa<Opaque>(*S)) {
      assignedVars(S, [&](const VarRef &V) { Never.insert(V.get()); });
    }
    return true;
  }
};

class ByComparison : public Rewriter {
public:
  explicit ByComparison(std::set<const Stmt *> Updates)
      : Updates(std::move(Updates)) {}

private:
  const std::set<const Stmt *> Updates;
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *A = dyn_cast<Assign>(S.get());
    const auto E = A ? extremumOf(*A) : std::nullopt;
    if (!E || !isUpdate(*A))
      return S;
    ExprRef Other = build::cast(E->Other, A->V->Ty);
    std::vector<StmtRef> Body;
    bool Calls = false;
    forEachExpr(Other, [&](const ExprRef &Sub) { Calls |= isa<Call>(*Sub); });
    if (Calls) { // it is to be computed once
      auto V = std::make_shared<Var>();
      V->Name = A->V->Name + "_other";
      V->Ty = A->V->Ty;
      V->Const = true;
      Body.push_back(std::make_shared<Decl>(V, Other, S->Loc));
      Other = build::var(V);
    }
    const ExprRef Own = build::var(A->V);
    Body.push_back(std::make_shared<Assign>(
        A->V, Combiner::None,
        build::select(
            build::binary(E->Largest ? BinaryOp::GT : BinaryOp::LT, Other, Own),
            Other, Own),
        S->Loc));
    return makeBlock(std::move(Body), S->Loc);
  }
  /// (Its parts may have been rewritten: it is known by what it sets, where.)
  bool isUpdate(const Assign &A) const {
    return any_of(Updates,
                  [&](const Stmt *U) { return cast<Assign>(U)->V == A.V; });
  }
};

} // namespace

FunctionRef compareExtrema(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.FP == FPMode::Strict)
    return F;
  Finder Found;
  Found.run(*F);
  if (Found.Updates.empty())
    return F;
  return withBody(*F, ByComparison(std::move(Found.Updates)).run(F->Body));
}

} // namespace raise
