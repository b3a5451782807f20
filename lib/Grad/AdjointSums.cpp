//===- AdjointSums.cpp - what a statement adds to adjoints ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointBuilder.h"
#include "Repeated.h"
#include "Rules.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

ContributionHooks AdjointBuilder::hooks() {
  ContributionHooks H;
  H.IsActive = [this](const ExprRef &E) { return Active.isActive(E); };
  H.OfArgument = [this](const Call &C, unsigned K, const ExprRef &Seed) {
    return ofArgument(C, K, Seed);
  };
  H.Temporary = [this](StringRef Name, const Type &T) {
    return temporary(Name, T);
  };
  return H;
}

void AdjointBuilder::unmark(Statements &Made, const Left &Of) {
  const auto UsesMark = [&](const StmtRef &S) {
    return uses(S, Of.Mark.get());
  };
  if (!Of.Mark || none_of(Made, UsesMark))
    return;
  const ExprRef Value = Of.Value ? Of.Value : kept().at(Of.Use, Of.P);
  for (StmtRef &S : Made)
    S = substitute(S, Of.Mark, Value);
}

void AdjointBuilder::contribute(const ExprRef &E, const Term &From, Position P,
                                const Left &Value, Statements &Out) {
  Statements Made;
  add(contributionsOf(E, From, hooks(),
                      Value.Mark ? build::var(Value.Mark) : nullptr),
      P, Made);
  unmark(Made, Value);
  nameCalls(Made);
  append_range(Out, Made);
}

void AdjointBuilder::nameCalls(Statements &Made) {
  Statements Named;
  for (;;) {
    ExprRef All;
    DenseSet<const Var *> Own;
    const auto Add = [&](const ExprRef &E) {
      const ExprRef Wide = build::cast(E, Type::getFloat(64));
      All = All ? build::add(All, Wide) : Wide;
    };
    for (const StmtRef &S : Made) {
      if (auto *D = dyn_cast<Decl>(S.get())) {
        Own.insert(D->V.get());
        Add(D->Init);
      } else if (auto *A = dyn_cast<Assign>(S.get())) {
        Add(A->Value);
      } else if (auto *St = dyn_cast<Store>(S.get())) {
        Add(St->Value);
      }
    }
    const ExprRef C = All ? repeatedCall(All, nullptr) : nullptr;
    bool Early = C != nullptr;
    if (C)
      forEachExpr(C, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        auto *L = dyn_cast<Load>(E.get());
        Early &= !(U && Own.count(U->V.get())) &&
                 !(L && !nest().Buffers.count(L->From.Buf.get()));
      });
    if (!Early)
      break;
    const Callee &Fn = *cast<Call>(C.get())->Fn;
    const VarRef V = temporary(
        (Fn.Definition ? Fn.Definition->Name : baseName(Fn).str()) + "_value",
        C->Ty);
    for (StmtRef &S : Made)
      S = grad::replaced(S, C, build::var(V));
    Named.push_back(std::make_shared<Decl>(V, C));
  }
  Made.insert(Made.begin(), Named.begin(), Named.end());
}

static bool allMinus(const Sum &Terms) {
  return llvm::all_of(Terms, [](const Term &T) { return T.Minus; });
}

/// What is added or, better, subtracted.
static std::pair<Combiner, ExprRef> added(const Sum &Terms) {
  const ExprRef E = asExpr(Terms);
  if (auto *U = dyn_cast<Unary>(E.get()); U && U->Op == UnaryOp::Neg)
    return {Combiner::Sub, U->Operand};
  if (!allMinus(Terms))
    return {Combiner::Add, E};
  Sum Turned = Terms;
  for (Term &T : Turned)
    T.Minus = false;
  return {Combiner::Sub, asExpr(Turned)};
}

void AdjointBuilder::add(const Contributions &C, Position P, Statements &Out,
                         bool Always) {
  if (Always) {
    std::vector<ExprRef> Used;
    for (const Contribution &Each : C)
      if (!Each.Cond)
        Used.push_back(Each.Named ? asExpr(Each.Terms)
                                  : added(Each.Terms).second);
    kept().keepFactors(Used, P);
  }
  for (const Contribution &Each : C) {
    if (Each.Cond) {
      Statements Then, Else;
      add(Each.Then, P, Then, /*Always=*/false);
      add(Each.Else, P, Else, /*Always=*/false);
      ExprRef Cond = kept().condition(Each.Cond, P);
      if (Then.empty()) {
        std::swap(Then, Else);
        Cond = build::logicalNot(Cond);
      }
      if (!Then.empty())
        Out.push_back(std::make_shared<If>(
            Cond, block(Then), Else.empty() ? nullptr : block(Else)));
    } else if (Each.Named) {
      Out.push_back(std::make_shared<Decl>(Each.Named,
                                           kept().here(asExpr(Each.Terms), P)));
    } else {
      const auto [Op, E] = added(Each.Terms);
      Out.push_back(accumulate(Each.To, Op, kept().here(E, P), P));
    }
  }
}

StmtRef AdjointBuilder::accumulate(const ExprRef &Leaf, Combiner Op,
                                   const ExprRef &E, Position P) {
  if (auto *U = dyn_cast<VarUse>(Leaf.get()))
    return std::make_shared<Assign>(adjoint(U->V), Op, E);
  return std::make_shared<Store>(adjoint(cast<Load>(Leaf.get())->From, P), Op,
                                 E);
}

} // namespace raise::grad
