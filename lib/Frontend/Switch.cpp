//===- Switch.cpp - switch as a chain of if -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {
namespace {

/// The labels that lead to one list of statements.
struct Arm {
  std::vector<const CaseStmt *> Cases;
  bool Default = false;
  std::vector<const clang::Stmt *> Body;
};

/// Whether control cannot run past S.
bool leaves(const clang::Stmt *S) {
  if (isa<BreakStmt>(S) || isa<ReturnStmt>(S) || isa<ContinueStmt>(S) ||
      isa<GotoStmt>(S))
    return true;
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return !C->body_empty() && leaves(C->body_back());
  if (const auto *I = dyn_cast<IfStmt>(S))
    return I->getElse() && leaves(I->getThen()) && leaves(I->getElse());
  return false;
}

/// Splits the body; null text on success, else what is not supported.
std::string splitArms(const SwitchStmt *S, std::vector<Arm> &Arms) {
  const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
  if (!Body)
    return "the switch has no block";
  for (const clang::Stmt *Child : Body->body()) {
    bool Labelled = false;
    while (const auto *C = dyn_cast<SwitchCase>(Child)) {
      if (!Labelled)
        Arms.emplace_back();
      Labelled = true;
      if (const auto *Case = dyn_cast<CaseStmt>(C)) {
        if (Case->caseStmtIsGNURange())
          return "a range of cases";
        Arms.back().Cases.push_back(Case);
      } else {
        Arms.back().Default = true;
      }
      Child = C->getSubStmt();
    }
    if (Arms.empty())
      return "a statement before the first case";
    Arms.back().Body.push_back(Child);
  }
  for (size_t I = 0; I + 1 < Arms.size(); ++I)
    if (!leaves(Arms[I].Body.back()))
      return "a case falls through to the next";
  return "";
}

} // namespace

/// Whether Cond has one of the cases' values.
ExprRef Lifter::caseTest(const ExprRef &Cond,
                         ArrayRef<const CaseStmt *> Cases) {
  ExprRef Test;
  for (const CaseStmt *C : Cases) {
    ExprRef Label = constant(C->getLHS());
    if (!Label)
      Label = value(C->getLHS());
    if (!Label)
      return nullptr;
    ExprRef Equal =
        build::binary(BinaryOp::EQ, Cond, build::cast(Label, Cond->Ty));
    Test = Test ? build::binary(BinaryOp::LOr, Test, Equal) : Equal;
  }
  return Test;
}

bool Lifter::liftSwitch(const SwitchStmt *S) {
  if (S->getInit() || S->getConditionVariable())
    return refuse(codes::Switch, "a switch that declares a variable",
                  S->getSourceRange()),
           false;
  std::vector<Arm> Arms;
  const std::string Why = splitArms(S, Arms);
  if (!Why.empty())
    return refuse(codes::Switch, Why, S->getSwitchLoc()), false;
  ExprRef Cond = value(S->getCond());
  if (!Cond)
    return false;
  if (!isFixed(Cond))
    Cond = spill(Cond, "selector");
  const SourceLoc Loc = locateStatement(S, AST);
  StmtRef Chain, Default;
  for (size_t I = Arms.size(); I-- > 0;) {
    Arm &A = Arms[I];
    StmtList List;
    Loops.push_back({nullptr, /*InSwitch=*/true, Ending.size()});
    StmtList *const Saved = Out;
    Out = &List;
    bool Done = true;
    for (const clang::Stmt *B : A.Body)
      if (Done && !(B == A.Body.back() && isa<BreakStmt>(B))) {
        // { ...; break; } ends the case as well.
        const auto *C = dyn_cast<CompoundStmt>(B);
        if (C && B == A.Body.back() && !C->body_empty() &&
            isa<BreakStmt>(C->body_back())) {
          for (const clang::Stmt *Inner : C->body())
            if (Inner != C->body_back())
              Done = Done && lift(Inner);
        } else {
          Done = lift(B);
        }
      }
    Out = Saved;
    Loops.pop_back();
    if (!Done)
      return false;
    A.Body.clear();
    StmtRef Block = std::make_shared<raise::Block>(std::move(List), Loc);
    if (A.Default) {
      Default = Block;
      continue;
    }
    ExprRef Test = caseTest(Cond, A.Cases);
    if (!Test)
      return false;
    Chain = std::make_shared<If>(Test, Block, Chain, Loc);
  }
  // The default belongs at the end, wherever it was written.
  if (Default) {
    std::vector<const If *> Links;
    for (StmtRef X = Chain; X; X = cast<If>(X.get())->Else)
      Links.push_back(cast<If>(X.get()));
    StmtRef Rebuilt = Default;
    for (size_t I = Links.size(); I-- > 0;)
      Rebuilt =
          std::make_shared<If>(Links[I]->Cond, Links[I]->Then, Rebuilt, Loc);
    Chain = Rebuilt;
  }
  if (Chain)
    emit(Chain);
  return true;
}

} // namespace raise::lifting
