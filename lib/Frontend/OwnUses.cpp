//===- OwnUses.cpp - what a function does with its own arrays -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OwnUses.h"
#include "FreshScan.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

const clang::Expr *bare(const clang::Expr *E) {
  for (const clang::Expr *Next = nullptr; E && E != Next;) {
    Next = E;
    E = E->IgnoreParenCasts()->IgnoreImplicit();
  }
  return E;
}

bool names(const clang::Expr *E, const VarDecl *D) {
  const auto *R = dyn_cast_or_null<DeclRefExpr>(E ? bare(E) : nullptr);
  return R && R->getDecl() == D;
}

const clang::CallExpr *callOf(const clang::Expr *E, StringRef Name) {
  const auto *C = dyn_cast_or_null<clang::CallExpr>(E ? bare(E) : nullptr);
  const FunctionDecl *FD = C ? C->getDirectCallee() : nullptr;
  return FD && FD->getIdentifier() && FD->getName() == Name ? C : nullptr;
}

const clang::CallExpr *roomFor(const clang::Stmt *S, const VarDecl *D) {
  const auto *B = dyn_cast<clang::BinaryOperator>(S);
  if (!B || B->getOpcode() != BO_Assign || !names(B->getLHS(), D))
    return nullptr;
  const clang::CallExpr *C = callOf(B->getRHS(), "raise_room");
  return C && C->getNumArgs() == 3 && names(C->getArg(0), D) &&
                 C->getDirectCallee()->getStorageClass() == SC_Static
             ? C
             : nullptr;
}

bool isNullTest(const IfStmt *I, const VarDecl *D) {
  const auto *Not =
      dyn_cast<clang::UnaryOperator>(I->getCond()->IgnoreParenImpCasts());
  if (!Not || Not->getOpcode() != UO_LNot || !names(Not->getSubExpr(), D) ||
      I->getElse() || I->getInit() || I->getConditionVariable())
    return false;
  const clang::Stmt *Then = I->getThen();
  if (const auto *C = dyn_cast<CompoundStmt>(Then); C && C->size() == 1)
    Then = C->body_front();
  const auto *Call = dyn_cast<clang::CallExpr>(Then);
  const FunctionDecl *FD = Call ? Call->getDirectCallee() : nullptr;
  return FD && FD->isNoReturn() && Call->getNumArgs() == 0;
}

bool isPush(const CXXMemberCallExpr *M) {
  const CXXMethodDecl *MD = M->getMethodDecl();
  return MD && MD->getIdentifier() &&
         (MD->getName() == "push_back" || MD->getName() == "emplace_back") &&
         M->getNumArgs() == 1 &&
         containerElement(QualType(MD->getParent()->getTypeForDecl(), 0));
}

/// `v.reserve(n)`, which changes nothing that is seen.
bool isReserve(const CXXMemberCallExpr *M) {
  const CXXMethodDecl *MD = M->getMethodDecl();
  return MD && MD->getIdentifier() && MD->getName() == "reserve" &&
         M->getNumArgs() == 1 &&
         !M->getArg(0)->HasSideEffects(MD->getASTContext()) &&
         containerElement(QualType(MD->getParent()->getTypeForDecl(), 0));
}

namespace {

/// Collects the uses of a variable, and those that are known.
class Uses : public RecursiveASTVisitor<Uses> {
public:
  Uses(const VarDecl *D, bool Grows, const Rotations &Moves)
      : D(D), Grows(Grows), Moves(Moves) {}
  SetVector<const DeclRefExpr *> All;
  DenseSet<const DeclRefExpr *> Known;
  unsigned Allocations = 0;

  /// The first one that is not known; null if all are.
  const clang::Expr *strange() const {
    const auto It =
        find_if(All, [&](const DeclRefExpr *E) { return !Known.contains(E); });
    return It == All.end() ? nullptr : *It;
  }

  // Where arrays change places is known.
  bool TraverseStmt(clang::Stmt *S) {
    return (!Grows && Moves.Statements.contains(S)) ||
           RecursiveASTVisitor::TraverseStmt(S);
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (E->getDecl() == D)
      All.insert(E);
    return true;
  }
  // v[i]: of an array that grows, only its value. Any other pointer's value may
  // go where pointers are followed: what is not followed stops the function.
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    if (E->getCastKind() != CK_LValueToRValue)
      return true;
    const auto *R = dyn_cast<DeclRefExpr>(E->getSubExpr()->IgnoreParens());
    if (Grows ? isElement(E->getSubExpr()) : isPointer() && R)
      know(E->getSubExpr());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    const QualType T = S->getLoopVariable()->getType();
    if (!Grows || !T->isReferenceType() ||
        T.getNonReferenceType().isConstQualified())
      know(S->getRangeInit());
    return true;
  }
  // std::vector<T> w(v).
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    if (!Grows && !isPointer() && E->getNumArgs() > 0 &&
        E->getConstructor()->isCopyConstructor())
      know(E->getArg(0));
    return true;
  }
  // f(v), for a body that is followed with v in the place of its parameter.
  bool VisitCallExpr(clang::CallExpr *E) {
    if (isPointer() && allocatedBy(E, D->getASTContext()) == D) {
      know(E->getArg(0));
      ++Allocations;
    }
    const FunctionDecl *FD = E->getDirectCallee();
    if (Grows || isPointer() || !FD || !knownBody(FD) ||
        containerOp(E) != ContainerOp::None)
      return true;
    for (const clang::Expr *Arg : E->arguments())
      if (isa<DeclRefExpr>(Arg->IgnoreParenImpCasts()))
        know(Arg);
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    if (!Grows && isElement(E))
      know(E);
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    if (!names(containerObject(E), D))
      return true;
    const ContainerOp Op = containerOp(E);
    if (Op == ContainerOp::Size || Op == ContainerOp::Empty ||
        (!Grows && Op != ContainerOp::None))
      know(containerObject(E));
    return true;
  }
  // sizeof *p evaluates nothing.
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    const auto *U =
        E->isArgumentType()
            ? nullptr
            : dyn_cast<clang::UnaryOperator>(bare(E->getArgumentExpr()));
    if (Grows && U && U->getOpcode() == UO_Deref)
      know(U->getSubExpr());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *S) {
    for (const clang::Stmt *Child : S->body())
      statement(Child);
    return true;
  }
  bool VisitIfStmt(IfStmt *S) {
    if (Grows && isNullTest(S, D))
      know(cast<clang::UnaryOperator>(S->getCond()->IgnoreParenImpCasts())
               ->getSubExpr());
    statement(S->getThen());
    if (S->getElse())
      statement(S->getElse());
    return true;
  }
  bool VisitForStmt(ForStmt *S) { return statement(S->getBody()); }
  // Threads share it: what they do with it stands in the body.
  bool VisitCapturedStmt(CapturedStmt *S) {
    for (const clang::Expr *Init : S->capture_inits())
      if (Init)
        know(Init);
    return true;
  }
  bool VisitOMPSharedClause(OMPSharedClause *) { return true; } // says no more
  bool VisitWhileStmt(WhileStmt *S) { return statement(S->getBody()); }

private:
  /// The use of D that E is, or that it takes an element or the address of.
  void know(const clang::Expr *E) {
    for (E = bare(E); E; E = bare(E)) {
      if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
        if (R->getDecl() == D)
          Known.insert(R);
        return;
      }
      const auto *U = dyn_cast<clang::UnaryOperator>(E);
      const auto *C = dyn_cast<clang::CallExpr>(E);
      if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
        E = S->getBase();
      else if (U && U->getOpcode() == UO_AddrOf)
        E = U->getSubExpr();
      else if (C && isElementOf(containerOp(C)))
        E = containerObject(C);
      else
        return;
    }
  }
  bool isPointer() const { return D->getType()->isPointerType(); }
  bool isElement(const clang::Expr *E) const {
    E = E->IgnoreParens();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      return names(S->getBase(), D);
    const auto *C = dyn_cast<clang::CallExpr>(E);
    return C && isElementOf(containerOp(C)) && names(containerObject(C), D);
  }
  /// What stands as a statement: the block's, or a branch's or loop's only one.
  bool statement(const clang::Stmt *S) {
    const auto *E = dyn_cast<clang::Expr>(S);
    if (!E)
      return true;
    E = E->IgnoreImplicit();
    if (!Grows)
      return true;
    if (const clang::CallExpr *C = callOf(E, "free"))
      if (C->getNumArgs() == 1)
        know(C->getArg(0));
    if (const clang::CallExpr *C = roomFor(E, D)) {
      know(cast<clang::BinaryOperator>(E)->getLHS());
      know(C->getArg(0));
    }
    const auto *M = dyn_cast<CXXMemberCallExpr>(E);
    if (M && (isPush(M) || isReserve(M)))
      know(containerObject(M));
    // The store that there is room for.
    const auto *B = dyn_cast<clang::BinaryOperator>(E);
    if (B && B->getOpcode() == BO_Assign && isElement(B->getLHS()) &&
        isa<ArraySubscriptExpr>(B->getLHS()->IgnoreParens()))
      know(B->getLHS());
    return true;
  }

  const VarDecl *D;
  const bool Grows;
  const Rotations &Moves;
};

} // namespace

/// The body in which D is declared, perhaps in a region of it that threads run;
/// null if there is none.
static clang::Stmt *bodyAround(const VarDecl *D) {
  const DeclContext *Context = D->getDeclContext();
  while (isa<CapturedDecl>(Context))
    Context = Context->getParent();
  const auto *FD = dyn_cast<FunctionDecl>(Context);
  return FD ? FD->getBody() : nullptr;
}

const clang::Expr *strangeUse(const VarDecl *D, bool Grows,
                              const Rotations &Moves) {
  clang::Stmt *Body = bodyAround(D);
  if (!Body)
    return D->getInit();
  Uses U(D, Grows, Moves);
  U.TraverseStmt(Body);
  return U.strange();
}

bool isFollowed(const VarDecl *D, bool Grows, const Rotations &Moves) {
  return bodyAround(D) && !strangeUse(D, Grows, Moves);
}

bool isAllocatedOnce(const VarDecl *D, const Rotations &Moves) {
  clang::Stmt *Body = bodyAround(D);
  if (!Body)
    return false;
  Uses U(D, /*Grows=*/false, Moves);
  U.TraverseStmt(Body);
  return !U.strange() && U.Allocations == 1;
}

} // namespace raise::lifting
