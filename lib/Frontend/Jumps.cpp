//===- Jumps.cpp - gotos as conditions and loops --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Jumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

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

/// Follows the ways that lead through a block, from a statement to a place
/// where they meet again.
class Planner {
public:
  Planner(const CompoundStmt &Body, const Stmt &Function, ASTContext &AST)
      : Back(findBackJumps(Body, Function, AST)) {
    for (const Stmt *S : Back.Children) {
      while (const auto *L = llvm::dyn_cast<LabelStmt>(S)) {
        Position[L->getDecl()] = Sequence.size();
        Labels.insert(Sequence.size());
        S = L->getSubStmt();
      }
      Sequence.push_back(S);
    }
    if (Position.empty() && !Back.Any)
      return;
    GotoFinder All = GotoFinder::in(Function);
    Computed = All.HasOther;
    for (const LabelDecl *L : All.Targets)
      Total += Position.count(L);
  }

  std::optional<JumpPlan> run() {
    JumpPlan Plan;
    if ((Position.empty() && !Back.Any) || Computed ||
        !path(0, Sequence.size(), /*Inside=*/false, Plan.Items) ||
        Taken.size() != Total)
      return std::nullopt;
    Plan.Breaks = std::move(Breaks);
    Plan.Continues = std::move(Back.Continues);
    return Plan;
  }

private:
  /// The longest search for a plan, in statements looked at.
  static constexpr unsigned MostSteps = 10000;
  /// The largest plan: a statement that several ways lead through stands in
  /// each of them.
  static constexpr unsigned MostItems = 200;

  BackJumps Back;
  std::vector<const Stmt *> Sequence; ///< the statements without their labels
  llvm::DenseMap<const LabelDecl *, size_t> Position;
  std::set<size_t> Labels; ///< places that have one
  unsigned Total = 0, Steps = 0, Items = 0;
  std::set<const Stmt *> Taken;  ///< the jumps that the plan stands for
  std::set<const Stmt *> Breaks; ///< those of them that leave a loop
  bool Computed = false;

  /// What runs first on one way, and where it goes on.
  struct Way {
    JumpPlan::Way Plan;
    size_t To;
  };

  bool jumpsHere(const Stmt &S) const {
    for (const LabelDecl *L : GotoFinder::in(S).Targets)
      if (Position.count(L))
        return true;
    return false;
  }

  /// Where S leads, if to one of this block's labels.
  std::optional<size_t> target(const Stmt *S) const {
    const auto *G = llvm::dyn_cast<GotoStmt>(S);
    if (!G)
      return std::nullopt;
    auto It = Position.find(G->getLabel());
    return It == Position.end() ? std::nullopt
                                : std::optional<size_t>(It->second);
  }

  /// A branch that jumps only at its end, if at all; else it goes on at Next.
  bool addWay(llvm::ArrayRef<const Stmt *> Body, size_t Next,
              std::vector<const Stmt *> &Jumps, std::vector<Way> &Ways) {
    Way W;
    W.To = Next;
    for (const Stmt *S : Body) {
      if (S == Body.back())
        if (auto To = target(S)) {
          W.To = *To;
          Jumps.push_back(S);
          continue;
        }
      if (jumpsHere(*S) || llvm::isa<LabelStmt>(S))
        return false;
      W.Plan.Before.push_back(S);
    }
    Ways.push_back(std::move(W));
    return true;
  }

  bool addBranch(const Stmt *S, size_t Next, std::vector<const Stmt *> &Jumps,
                 std::vector<Way> &Ways) {
    if (const auto *C = llvm::dyn_cast_or_null<CompoundStmt>(S))
      return addWay({C->body_begin(), C->body_end()}, Next, Jumps, Ways);
    std::vector<const Stmt *> One;
    if (S)
      One.push_back(S);
    return addWay(One, Next, Jumps, Ways);
  }

  /// `switch (e) { case 1: goto L; ... }`: each case only jumps, or breaks.
  bool addCases(const SwitchStmt &S, size_t Next,
                std::vector<const Stmt *> &Jumps, std::vector<Way> &Ways) {
    const auto *Body = llvm::dyn_cast<CompoundStmt>(S.getBody());
    if (!Body || S.getInit() || S.getConditionVariable() ||
        jumpsHere(*S.getCond()))
      return false;
    std::optional<Way> Default;
    for (const Stmt *Child : Body->body()) {
      Way W;
      W.To = Next;
      bool IsDefault = false;
      while (const auto *C = llvm::dyn_cast<SwitchCase>(Child)) {
        const auto *Case = llvm::dyn_cast<CaseStmt>(C);
        IsDefault |= !Case;
        if (Case && Case->caseStmtIsGNURange())
          return false;
        if (Case)
          W.Plan.Cases.push_back(Case);
        Child = C->getSubStmt();
      }
      if (!IsDefault && W.Plan.Cases.empty())
        return false; // what runs after another case
      if (auto To = target(Child)) {
        W.To = *To;
        Jumps.push_back(Child);
      } else if (!llvm::isa<BreakStmt>(Child)) {
        return false;
      }
      if (IsDefault) {
        W.Plan.Cases.clear();
        Default = std::move(W);
      } else {
        Ways.push_back(std::move(W));
      }
    }
    if (Ways.empty())
      return false;
    Ways.push_back(Default ? std::move(*Default) : Way{{}, Next});
    return true;
  }

  /// The jumps of S to this block's labels, S being a part of a loop. False if
  /// one of them leads elsewhere than to Next, or stands in a loop or a switch
  /// inside of that loop, so that it is no break.
  bool addBreaks(const Stmt *S, size_t Next, bool Direct,
                 std::vector<const Stmt *> &Found) const {
    if (!S)
      return true;
    if (auto To = target(S)) {
      Found.push_back(S);
      return Direct && *To == Next;
    }
    const bool Own = isLoop(S) || llvm::isa<SwitchStmt>(S);
    return llvm::all_of(S->children(), [&](const Stmt *Sub) {
      return addBreaks(Sub, Next, Direct && !Own, Found);
    });
  }

  static bool isLoop(const Stmt *S) {
    return llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  }

  /// Whether S, at I, is a loop that jumps to what follows it and nowhere else
  /// in this block.
  bool isLeft(const Stmt *S, size_t I) {
    std::vector<const Stmt *> Found;
    if (!isLoop(S) || !jumpsHere(*S))
      return false;
    for (const Stmt *Sub : S->children())
      if (!addBreaks(Sub, I + 1, /*Direct=*/true, Found))
        return false;
    Taken.insert(Found.begin(), Found.end());
    Breaks.insert(Found.begin(), Found.end());
    return true;
  }

  /// The ways on from S, if it jumps in a form that is followed.
  bool split(const Stmt *S, size_t Next, std::vector<const Stmt *> &Jumps,
             std::vector<Way> &Ways) {
    if (!jumpsHere(*S))
      return false;
    if (const auto *W = llvm::dyn_cast<SwitchStmt>(S))
      return addCases(*W, Next, Jumps, Ways);
    const auto *I = llvm::dyn_cast<IfStmt>(S);
    return I && !I->getInit() && !I->getConditionVariable() &&
           !I->isConstexpr() && !I->isConsteval() &&
           !jumpsHere(*I->getCond()) &&
           addBranch(I->getThen(), Next, Jumps, Ways) &&
           addBranch(I->getElse(), Next, Jumps, Ways);
  }

  bool declares(size_t From, size_t To) const {
    for (size_t I = From; I < To; ++I)
      if (llvm::isa<DeclStmt>(Sequence[I]))
        return true;
    return false;
  }

  /// All of Ways until they meet at End.
  bool meet(const std::vector<Way> &Ways, size_t End, JumpPlan::Branch &B) {
    for (const Way &W : Ways) {
      B.Ways.push_back(W.Plan);
      if (W.To > End || !path(W.To, End, /*Inside=*/true, B.Ways.back().Items))
        return false;
    }
    return true;
  }

  /// The statements from I until control is at End. Inside: of a way, whose
  /// declarations nothing after it would see.
  bool path(size_t I, size_t End, bool Inside,
            std::vector<JumpPlan::Item> &Out) {
    while (I != End) {
      if (I > End || ++Steps > MostSteps)
        return false;
      const Stmt *S = Sequence[I];
      if (auto To = target(S)) {
        if (*To <= I || declares(I, *To))
          return false;
        Taken.insert(S);
        I = *To;
        continue;
      }
      std::vector<const Stmt *> Jumps;
      std::vector<Way> Ways;
      if (split(S, I + 1, Jumps, Ways)) {
        if (!branch(S, I, End, Ways, Out))
          return false;
        Taken.insert(Jumps.begin(), Jumps.end());
        continue;
      }
      if ((jumpsHere(*S) && !isLeft(S, I)) ||
          (Inside && llvm::isa<DeclStmt>(S)) || ++Items > MostItems)
        return false;
      Out.push_back({S, nullptr});
      ++I;
    }
    return true;
  }

  /// The branch at S, which is at I; moves I to where its ways first meet.
  bool branch(const Stmt *S, size_t &I, size_t End,
              const std::vector<Way> &Ways, std::vector<JumpPlan::Item> &Out) {
    for (const Way &W : Ways)
      if (W.To <= I)
        return false;
    std::vector<size_t> Places(Labels.upper_bound(I), Labels.lower_bound(End));
    Places.push_back(End);
    if (I + 1 < Places.front())
      Places.insert(Places.begin(), I + 1);
    for (size_t Place : Places) {
      const std::set<const Stmt *> Saved = Taken;
      const unsigned SavedItems = Items;
      JumpPlan::Branch B;
      B.Head = S;
      if (meet(Ways, Place, B) && !declares(I + 1, Place)) {
        Out.push_back({nullptr, std::make_shared<JumpPlan::Branch>(B)});
        I = Place;
        return true;
      }
      Taken = Saved;
      Items = SavedItems;
    }
    return false;
  }
};

} // namespace

std::optional<JumpPlan> planJumps(const CompoundStmt &Body,
                                  const Stmt &Function, ASTContext &AST) {
  return Planner(Body, Function, AST).run();
}

} // namespace raise::lifting
