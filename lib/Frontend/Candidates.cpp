//===- Candidates.cpp - which functions are worth lifting -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Lift.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace raise {
namespace {

class LoopFinder : public RecursiveASTVisitor<LoopFinder> {
public:
  bool Found = false;
  bool VisitForStmt(ForStmt *) { return !(Found = true); }
  bool VisitWhileStmt(WhileStmt *) { return !(Found = true); }
  bool VisitDoStmt(DoStmt *) { return !(Found = true); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *) { return !(Found = true); }
};

class Finder : public RecursiveASTVisitor<Finder> {
  const SourceManager &SM;

public:
  std::vector<const FunctionDecl *> Found;
  explicit Finder(const SourceManager &SM) : SM(SM) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }
  bool VisitFunctionDecl(FunctionDecl *FD) {
    if (!FD->doesThisDeclarationHaveABody() || FD->isDependentContext() ||
        FD->isImplicit() || FD->isDefaulted() || !isHere(*FD))
      return true;
    LoopFinder Loops;
    if (!FD->hasAttr<CUDAGlobalAttr>())
      Loops.TraverseStmt(FD->getBody());
    if (FD->hasAttr<CUDAGlobalAttr>() || Loops.Found)
      Found.push_back(FD);
    return true;
  }

private:
  /// The project's headers with kernels are translated with the source.
  bool isHere(const FunctionDecl &FD) const {
    const SourceLocation Loc = SM.getExpansionLoc(FD.getLocation());
    return SM.isInMainFile(Loc) ||
           (FD.hasAttr<CUDAGlobalAttr>() && !SM.isInSystemHeader(Loc));
  }
};

} // namespace

std::vector<const FunctionDecl *> findCandidates(ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  Finder F(SM);
  F.TraverseDecl(AST.getTranslationUnitDecl());
  std::stable_sort(F.Found.begin(), F.Found.end(),
                   [&](const FunctionDecl *A, const FunctionDecl *B) {
                     return SM.isBeforeInTranslationUnit(
                         SM.getExpansionLoc(A->getLocation()),
                         SM.getExpansionLoc(B->getLocation()));
                   });
  F.Found.erase(std::unique(F.Found.begin(), F.Found.end()), F.Found.end());
  return F.Found;
}

} // namespace raise
