//===- Unbraced.cpp - statements that stand for a block -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Unbraced.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace raise {

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(const ASTContext &AST, unsigned Offset) : AST(AST), Offset(Offset) {}
  std::optional<Head> Found;

  bool VisitIfStmt(IfStmt *S) {
    return look(S->getThen(), S->getBeginLoc(), S->getRParenLoc()) &&
           look(S->getElse(), S->getElseLoc(), S->getElseLoc());
  }
  bool VisitForStmt(ForStmt *S) {
    return look(S->getBody(), S->getBeginLoc(), S->getRParenLoc());
  }
  bool VisitWhileStmt(WhileStmt *S) {
    return look(S->getBody(), S->getBeginLoc(), S->getRParenLoc());
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    return look(S->getBody(), S->getBeginLoc(), S->getRParenLoc());
  }
  bool VisitDoStmt(DoStmt *S) {
    return look(S->getBody(), S->getDoLoc(), S->getDoLoc());
  }

private:
  unsigned offsetOf(SourceLocation Loc) const {
    const SourceManager &SM = AST.getSourceManager();
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  }

  /// False to stop.
  bool look(const Stmt *Body, SourceLocation First, SourceLocation Last) {
    if (!Body || isa<CompoundStmt>(Body))
      return true;
    while (const auto *Label = dyn_cast<LabelStmt>(Body))
      Body = Label->getSubStmt();
    bool Here = offsetOf(Body->getBeginLoc()) == Offset;
    const auto *D = dyn_cast<OMPExecutableDirective>(Body);
    while (D && D->hasAssociatedStmt() && !Here) {
      const Stmt *Of = D->getInnermostCapturedStmt()->getCapturedStmt();
      Here = offsetOf(Of->getBeginLoc()) == Offset;
      D = dyn_cast<OMPExecutableDirective>(Of);
    }
    if (!Here)
      return true;
    const SourceManager &SM = AST.getSourceManager();
    Found = {offsetOf(First), offsetOf(Last) + Lexer::MeasureTokenLength(
                                                   SM.getExpansionLoc(Last), SM,
                                                   AST.getLangOpts())};
    return false;
  }

  const ASTContext &AST;
  const unsigned Offset;
};

} // namespace

std::optional<Head> headOfUnbraced(const FunctionDecl &FD, unsigned Offset) {
  Finder F(FD.getASTContext(), Offset);
  F.TraverseStmt(FD.getBody());
  return F.Found;
}

} // namespace raise
