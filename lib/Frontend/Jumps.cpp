//===- Jumps.cpp - forward gotos as conditions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Jumps.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace raise::lifting {

namespace {

class GotoFinder : public RecursiveASTVisitor<GotoFinder> {
public:
  std::vector<const LabelDecl *> Targets;
  bool HasOther = false; ///< a computed goto or an address of a label
  bool VisitGotoStmt(GotoStmt *S) {
    Targets.push_back(S->getLabel());
    return true;
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) {
    HasOther = true;
    return true;
  }
  bool VisitAddrLabelExpr(AddrLabelExpr *) {
    HasOther = true;
    return true;
  }
  static GotoFinder in(const Stmt &S) {
    GotoFinder F;
    F.TraverseStmt(const_cast<Stmt *>(&S));
    return F;
  }
};

class Planner {
public:
  Planner(const CompoundStmt &Body, const Stmt &Function) {
    for (const Stmt *S : Body.body()) {
      while (const auto *L = llvm::dyn_cast<LabelStmt>(S)) {
        Position[L->getDecl()] = Sequence.size();
        S = L->getSubStmt();
      }
      Sequence.push_back(S);
    }
    if (Position.empty())
      return;
    GotoFinder All = GotoFinder::in(Function);
    Computed = All.HasOther;
    for (const LabelDecl *L : All.Targets)
      if (auto It = Position.find(L); It != Position.end()) {
        ++JumpsTo[It->second];
        ++Total;
      }
  }

  std::optional<JumpPlan> run() {
    JumpPlan Plan;
    if (Position.empty() || Computed ||
        !build(0, Sequence.size(), Sequence.size(), Plan.Items) ||
        Taken != Total)
      return std::nullopt;
    return Plan;
  }

private:
  std::vector<const Stmt *> Sequence; ///< the statements without their labels
  llvm::DenseMap<const LabelDecl *, size_t> Position;
  llvm::DenseMap<size_t, unsigned> JumpsTo;
  unsigned Total = 0, Taken = 0;
  bool Computed = false;

  bool jumpsHere(const Stmt &S) const {
    for (const LabelDecl *L : GotoFinder::in(S).Targets)
      if (Position.count(L))
        return true;
    return false;
  }

  /// Where G leads, if to one of this block's labels.
  std::optional<size_t> target(const Stmt *S) const {
    const auto *G = llvm::dyn_cast<GotoStmt>(S);
    if (!G)
      return std::nullopt;
    auto It = Position.find(G->getLabel());
    return It == Position.end() ? std::nullopt
                                : std::optional<size_t>(It->second);
  }

  /// `if (c) goto L;` or `if (c) { ...; goto L; }`: where L is, and what comes
  /// before the jump.
  std::optional<size_t>
  conditionalJump(const Stmt *S, std::vector<const Stmt *> &Before) const {
    const auto *I = llvm::dyn_cast<IfStmt>(S);
    if (!I || I->getElse() || I->getInit() || I->getConditionVariable() ||
        I->isConstexpr() || I->isConsteval() || jumpsHere(*I->getCond()))
      return std::nullopt;
    const Stmt *Last = I->getThen();
    if (const auto *C = llvm::dyn_cast<CompoundStmt>(Last)) {
      if (C->body_empty())
        return std::nullopt;
      Last = C->body_back();
      for (const Stmt *Sub : C->body())
        if (Sub != Last) {
          if (jumpsHere(*Sub) || llvm::isa<LabelStmt>(Sub))
            return std::nullopt;
          Before.push_back(Sub);
        }
    }
    return target(Last);
  }

  bool declares(size_t From, size_t To) const {
    for (size_t I = From; I < To; ++I)
      if (llvm::isa<DeclStmt>(Sequence[I]))
        return true;
    return false;
  }

  /// The statements [I, End), after which control is at Exit.
  bool build(size_t I, size_t End, size_t Exit,
             std::vector<JumpPlan::Item> &Out) {
    while (I < End) {
      const Stmt *S = Sequence[I];
      if (auto To = target(S)) {
        // Only to the next statement: what a jump skips here never runs.
        if (*To != I + 1 && !(I + 1 == End && *To == Exit))
          return false;
        ++Taken;
        ++I;
        continue;
      }
      JumpPlan::Branch B;
      auto To = conditionalJump(S, B.Before);
      if (!To) {
        if (jumpsHere(*S))
          return false;
        Out.push_back({S, nullptr});
        ++I;
        continue;
      }
      ++Taken;
      B.Head = llvm::cast<IfStmt>(S);
      if (!branch(I, *To == Exit ? End : *To, End, Exit, B))
        return false;
      Out.push_back({nullptr, std::make_shared<JumpPlan::Branch>(B)});
    }
    return true;
  }

  /// The branch at I that jumps to To; moves I behind it.
  bool branch(size_t &I, size_t To, size_t End, size_t Exit,
              JumpPlan::Branch &B) {
    if (To <= I || To > End)
      return false;
    // The other way may end with a jump over what this one leads to: then each
    // has statements of its own.
    std::optional<size_t> Join;
    if (To < End && To > I + 1 && JumpsTo.lookup(To) == 1)
      Join = target(Sequence[To - 1]);
    if (Join && *Join > To && (*Join <= End || *Join == Exit)) {
      const size_t JumpedEnd = *Join == Exit ? End : *Join;
      ++Taken;
      if (declares(I + 1, JumpedEnd) || !build(I + 1, To - 1, *Join, B.Rest) ||
          !build(To, JumpedEnd, *Join, B.Jumped))
        return false;
      I = JumpedEnd;
      return true;
    }
    // What is skipped is all there is; jumps out of it may lead to where it
    // ends, which for the whole is Exit.
    if (declares(I + 1, To) || !build(I + 1, To, To == End ? Exit : To, B.Rest))
      return false;
    I = To;
    return true;
  }
};

} // namespace

std::optional<JumpPlan> planJumps(const CompoundStmt &Body,
                                  const Stmt &Function) {
  return Planner(Body, Function).run();
}

} // namespace raise::lifting
