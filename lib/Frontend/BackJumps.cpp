//===- BackJumps.cpp - backward gotos as loops ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From a label to the last jump back to it, the statements of a block are a
// loop: `do … while (c)` where nothing but `if (c) goto label;` at its end
// jumps back, else one without an end in which those jumps are `continue`. What
// jumps to the statement behind it is a `break` (Jumps.cpp).
//
//===----------------------------------------------------------------------===//

#include "Jumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace raise::lifting {

namespace {

/// The labels, jumps and declarations of some statements.
class Found : public RecursiveASTVisitor<Found> {
public:
  std::vector<const GotoStmt *> Jumps;
  llvm::DenseSet<const LabelDecl *> Labels;
  llvm::DenseSet<const Decl *> Declared, Used;
  bool VisitGotoStmt(GotoStmt *S) {
    Jumps.push_back(S);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *S) {
    Labels.insert(S->getDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Used.insert(E->getDecl());
    return true;
  }
  static Found in(llvm::ArrayRef<const Stmt *> All) {
    Found F;
    for (const Stmt *S : All) {
      F.TraverseStmt(const_cast<Stmt *>(S));
      // What is declared in a block inside is not seen behind it.
      while (const auto *L = llvm::dyn_cast<LabelStmt>(S))
        S = L->getSubStmt();
      if (const auto *D = llvm::dyn_cast<DeclStmt>(S))
        F.Declared.insert(D->decl_begin(), D->decl_end());
    }
    return F;
  }
};

bool isLoop(const Stmt &S) {
  return llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

/// Whether S has a `break`, `continue` or `case` of a statement around it,
/// which a loop around S would take.
bool leavesWhatIsAround(const Stmt *S, bool Breaks = true,
                        bool Continues = true, bool Cases = true) {
  if (!S)
    return false;
  if ((Breaks && llvm::isa<BreakStmt>(S)) ||
      (Continues && llvm::isa<ContinueStmt>(S)) ||
      (Cases && llvm::isa<SwitchCase>(S)))
    return true;
  if (llvm::isa<LambdaExpr>(S))
    return false;
  const bool Loop = isLoop(*S), Switch = llvm::isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *Sub) {
    return leavesWhatIsAround(Sub, Breaks && !Loop && !Switch,
                              Continues && !Loop, Cases && !Switch);
  });
}

/// Collects the jumps to L in S; false if one stands in a loop inside, where it
/// is no `continue` of the loop around.
bool jumpsTo(const LabelDecl *L, const Stmt *S, bool Inside,
             std::vector<const Stmt *> &Jumps) {
  if (!S)
    return true;
  if (const auto *G = llvm::dyn_cast<GotoStmt>(S); G && G->getLabel() == L) {
    Jumps.push_back(G);
    return !Inside;
  }
  return llvm::all_of(S->children(), [&](const Stmt *Sub) {
    return jumpsTo(L, Sub, Inside || isLoop(*S), Jumps);
  });
}

/// The condition c of `if (c) goto L;`.
const Expr *jumpCondition(const Stmt *S, const Stmt *Jump) {
  const auto *I = llvm::dyn_cast<IfStmt>(S);
  if (!I || I->getInit() || I->getConditionVariable() || I->getElse() ||
      I->isConstexpr() || I->isConsteval())
    return nullptr;
  const Stmt *Then = I->getThen();
  if (const auto *C = llvm::dyn_cast<CompoundStmt>(Then); C && C->size() == 1)
    Then = C->body_front();
  return Then == Jump ? I->getCond() : nullptr;
}

class LoopMaker {
public:
  LoopMaker(BackJumps &R, const Stmt &Function, ASTContext &AST)
      : R(R), All(Found::in({&Function}).Jumps), AST(AST) {}

  void run() {
    // From the end: where loops nest, what is inside comes first.
    for (size_t I = R.Children.size(); I-- > 0;)
      while (const auto *L = llvm::dyn_cast<LabelStmt>(R.Children[I]))
        if (!makeLoop(I, *L))
          break;
  }

private:
  BackJumps &R;
  const std::vector<const GotoStmt *> All; ///< of the function
  ASTContext &AST;

  bool makeLoop(size_t First, const LabelStmt &L);
  const Stmt *loop(llvm::ArrayRef<const Stmt *> Body, const LabelStmt &L,
                   const std::vector<const Stmt *> &Jumps);
};

bool LoopMaker::makeLoop(size_t First, const LabelStmt &L) {
  // All jumps to L come from here on, to the last of them.
  std::vector<const Stmt *> Jumps;
  size_t Last = First;
  for (size_t I = First; I < R.Children.size(); ++I) {
    const size_t Before = Jumps.size();
    if (!jumpsTo(L.getDecl(), R.Children[I], /*Inside=*/false, Jumps))
      return false;
    if (Jumps.size() > Before)
      Last = I;
  }
  const auto ToL = [&](const GotoStmt *G) {
    return G->getLabel() == L.getDecl();
  };
  if (Jumps.empty() || size_t(llvm::count_if(All, ToL)) != Jumps.size())
    return false;
  std::vector<const Stmt *> Body(R.Children.begin() + First,
                                 R.Children.begin() + Last + 1);
  Body.front() = L.getSubStmt();
  if (llvm::any_of(Body, [](const Stmt *S) { return leavesWhatIsAround(S); }))
    return false;
  // Nothing else leads into it, and nothing of it is used behind it.
  const Found Here = Found::in(Body);
  size_t Within = 0, Into = 0;
  for (const GotoStmt *G : All)
    Into += Here.Labels.count(G->getLabel());
  for (const GotoStmt *G : Here.Jumps)
    Within += Here.Labels.count(G->getLabel());
  const Found Behind =
      Found::in(llvm::ArrayRef(R.Children).drop_front(Last + 1));
  if (Into != Within || llvm::any_of(Here.Declared, [&](const Decl *D) {
        return Behind.Used.contains(D);
      }))
    return false;
  R.Children[First] = loop(Body, L, Jumps);
  R.Children.erase(R.Children.begin() + First + 1,
                   R.Children.begin() + Last + 1);
  return R.Any = true;
}

const Stmt *LoopMaker::loop(llvm::ArrayRef<const Stmt *> Body,
                            const LabelStmt &L,
                            const std::vector<const Stmt *> &Jumps) {
  const SourceLocation Begin = L.getIdentLoc(), End = Body.back()->getEndLoc();
  const auto Block = [&](llvm::ArrayRef<const Stmt *> Of) {
    std::vector<Stmt *> Own;
    for (const Stmt *S : Of)
      Own.push_back(const_cast<Stmt *>(S));
    return CompoundStmt::Create(AST, Own, FPOptionsOverride(), Begin, End);
  };
  if (Jumps.size() == 1)
    if (const Expr *Cond = jumpCondition(Body.back(), Jumps[0]))
      return new (AST) DoStmt(Block(Body.drop_back()), const_cast<Expr *>(Cond),
                              Begin, Begin, End);
  std::vector<const Stmt *> Whole = Body;
  if (Body.back() == Jumps.back())
    Whole.pop_back();
  else
    Whole.push_back(new (AST) BreakStmt(End));
  R.Continues.insert(Jumps.begin(), Jumps.end());
  return new (AST) ForStmt(AST, /*Init=*/nullptr, /*Cond=*/nullptr,
                           /*condVar=*/nullptr, /*Inc=*/nullptr, Block(Whole),
                           Begin, Begin, End);
}

} // namespace

BackJumps findBackJumps(const CompoundStmt &Body, const Stmt &Function,
                        ASTContext &AST) {
  BackJumps R;
  R.Children.assign(Body.body_begin(), Body.body_end());
  if (llvm::any_of(R.Children,
                   [](const Stmt *S) { return llvm::isa<LabelStmt>(S); }))
    LoopMaker(R, Function, AST).run();
  return R;
}

} // namespace raise::lifting
