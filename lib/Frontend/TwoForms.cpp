//===- TwoForms.cpp - adjoints with a test between two forms --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An adjoint that grad made may begin
//
//   if (!(addresses apart && conditions)) { f_adjoint_general(args); return; }
//
// Both forms compute the same function: the general one holds whatever
// overlaps. So the function is either the general form, or the other one with
// the conditions tested and the addresses taken as apart. Comparisons of
// addresses, which are no values of the IR, are in neither.
//
// Within a function such a test may choose between one loop for threads and the
// same loop for one: what both branches compute is what the statement computes,
// whatever the addresses are. That is looked at, in any source.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

/// Whether an expression is about addresses.
class AddressFinder : public RecursiveASTVisitor<AddressFinder> {
public:
  bool Found = false;
  bool VisitCastExpr(CastExpr *E) {
    Found |= E->getCastKind() == CK_PointerToIntegral;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    if (V && V->isLocalVarDecl() && V->getType()->isIntegerType() &&
        V->getType().isConstQualified() && V->getInit())
      TraverseStmt(const_cast<clang::Expr *>(V->getInit()));
    return true;
  }
};

bool isAboutAddresses(const clang::Expr *E) {
  AddressFinder F;
  F.TraverseStmt(const_cast<clang::Expr *>(E));
  return F.Found;
}

bool declaresAddresses(const clang::Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && llvm::all_of(D->decls(), [](const clang::Decl *Child) {
           const auto *V = dyn_cast<VarDecl>(Child);
           return V && V->getType()->isIntegerType() && V->getInit() &&
                  isAboutAddresses(V->getInit());
         });
}

void conjuncts(const clang::Expr *E, SmallVectorImpl<const clang::Expr *> &To) {
  const clang::Expr *Bare = E->IgnoreParenImpCasts();
  const auto *B = dyn_cast<clang::BinaryOperator>(Bare);
  if (!B || B->getOpcode() != BO_LAnd) {
    To.push_back(E);
    return;
  }
  conjuncts(B->getLHS(), To);
  conjuncts(B->getRHS(), To);
}

/// The call of the general form that S makes before it returns.
const clang::CallExpr *generalCall(const clang::Stmt *S,
                                   const FunctionDecl &FD) {
  const auto *I = dyn_cast<IfStmt>(S);
  const auto *Not =
      I ? dyn_cast<clang::UnaryOperator>(I->getCond()->IgnoreParenImpCasts())
        : nullptr;
  const auto *Then = I ? dyn_cast<CompoundStmt>(I->getThen()) : nullptr;
  if (!Not || Not->getOpcode() != UO_LNot || !Then || Then->size() != 2 ||
      I->getElse())
    return nullptr;
  const auto *Call = dyn_cast<clang::CallExpr>(Then->body_front());
  const auto *Leave = dyn_cast<ReturnStmt>(Then->body_back());
  const FunctionDecl *General = Call ? Call->getDirectCallee() : nullptr;
  if (!Leave || Leave->getRetValue() || !General || !General->getIdentifier() ||
      General->getStorageClass() != SC_Static ||
      Call->getNumArgs() != FD.getNumParams())
    return nullptr;
  StringRef Name = General->getName();
  if (!Name.consume_front(FD.getNameAsString() + "_general") ||
      !Name.ltrim('_').empty())
    return nullptr;
  for (unsigned K = 0; K < Call->getNumArgs(); ++K) {
    const auto *R =
        dyn_cast<DeclRefExpr>(Call->getArg(K)->IgnoreParenImpCasts());
    if (!R || R->getDecl() != FD.getParamDecl(K))
      return nullptr;
  }
  return Call;
}

bool isMadeFile(const FunctionDecl &FD, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  const FileID File = SM.getFileID(SM.getExpansionLoc(FD.getLocation()));
  return SM.getBufferData(File).starts_with("// Adjoints of functions of ");
}

} // namespace

bool Lifter::liftForm(const FunctionDecl &FD, const CompoundStmt *Body) {
  if (!isMadeFile(FD, AST))
    return false;
  const auto All = ArrayRef(Body->body_begin(), Body->size());
  size_t At = 0;
  while (At < All.size() && !generalCall(All[At], FD))
    ++At;
  if (At == All.size())
    return false;
  const clang::CallExpr *Call = generalCall(All[At], FD);
  const auto *Not = cast<clang::UnaryOperator>(
      cast<IfStmt>(All[At])->getCond()->IgnoreParenImpCasts());
  SmallVector<const clang::Expr *, 8> Tests;
  conjuncts(Not->getSubExpr(), Tests);
  llvm::erase_if(Tests, isAboutAddresses);
  for (const clang::Stmt *S : All.take_front(At))
    if (!declaresAddresses(S))
      lift(S);
  if (!Settings.SeparateForm) {
    lift(Call);
    return true;
  }
  ExprRef Holds;
  for (const clang::Expr *E : Tests) {
    const ExprRef Each = condition(E);
    if (!Each)
      return false;
    Holds = Holds ? build::logicalAnd(Holds, Each) : Each;
  }
  StmtList Rest;
  for (const clang::Stmt *S : All.drop_front(At + 1))
    liftInto(S, Rest);
  if (!Holds) {
    Out->insert(Out->end(), Rest.begin(), Rest.end());
    return true;
  }
  StmtList General;
  liftInto(Call, General);
  const SourceLoc Loc = locateStatement(All[At], AST);
  emit(std::make_shared<If>(
      Holds, std::make_shared<Block>(std::move(Rest), Loc),
      std::make_shared<Block>(std::move(General), Loc), Loc));
  return true;
}

/// Whether S is about addresses alone: it declares names for them, which are
/// left out (a use as a value finds none), or asks for them.
bool Lifter::isAboutForms(const clang::Stmt *S) const {
  if (!Settings.Alone)
    return false;
  const auto *I = dyn_cast<IfStmt>(S);
  if (!I)
    return declaresAddresses(S) &&
           llvm::all_of(cast<DeclStmt>(S)->decls(), [&](clang::Decl *D) {
             const auto *V = cast<VarDecl>(D);
             return V->isLocalVarDecl() && V->getType().isConstQualified() &&
                    !V->getInit()->HasSideEffects(AST);
           });
  return !I->getInit() && !I->getConditionVariable() && !I->isConstexpr() &&
         isAboutAddresses(I->getCond()) && !I->getCond()->HasSideEffects(AST);
}

/// Loops without what directives claim of their iterations.
static StmtRef inOrder(const StmtRef &S) {
  struct Serialiser : Rewriter {
    StmtRef rewriteStmt(const StmtRef &Sub) override {
      auto *L = dyn_cast<For>(Sub.get());
      if (!L || (L->LKind != LoopKind::Claimed && L->LKind != LoopKind::Simd))
        return Sub;
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   LoopKind::Serial, L->DeclaresVar, L->Body,
                                   L->Loc);
    }
  };
  return Serialiser().run(S);
}

bool Lifter::liftEitherForm(const IfStmt *S) {
  StmtRef Then = liftNested(S->getThen());
  StmtRef Else = Then && S->getElse() ? liftNested(S->getElse()) : Then;
  if (!Then || !Else)
    return false;
  // What a directive claims in one branch holds where that is taken alone.
  Then = inOrder(Then);
  Else = inOrder(Else);
  if (!S->getElse() || !structurallyEqual(Then, Else))
    return refuse(codes::PointerCast,
                  "what is computed depends on where arrays lie",
                  S->getCond()->getSourceRange()),
           false;
  emit(Else);
  return true;
}

} // namespace raise::lifting
