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
public:
  using Filter = llvm::function_ref<bool(const FunctionDecl &)>;
  std::vector<const FunctionDecl *> Found;
  explicit Finder(Filter IsHere) : IsHere(IsHere) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }
  bool VisitFunctionDecl(FunctionDecl *FD) {
    if (!FD->doesThisDeclarationHaveABody() || FD->isDependentContext() ||
        FD->isImplicit() || FD->isDefaulted() || !IsHere(*FD))
      return true;
    LoopFinder Loops;
    if (!FD->hasAttr<CUDAGlobalAttr>())
      Loops.TraverseStmt(FD->getBody());
    if (FD->hasAttr<CUDAGlobalAttr>() || Loops.Found)
      Found.push_back(FD);
    return true;
  }

private:
  Filter IsHere;
};

std::vector<const FunctionDecl *> findAll(ASTContext &AST,
                                          Finder::Filter IsHere) {
  const SourceManager &SM = AST.getSourceManager();
  Finder F(IsHere);
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

} // namespace

std::vector<const FunctionDecl *> findCandidates(ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  // The project's headers with kernels are translated with the source.
  return findAll(AST, [&](const FunctionDecl &FD) {
    const SourceLocation Loc = SM.getExpansionLoc(FD.getLocation());
    return SM.isInMainFile(Loc) ||
           (FD.hasAttr<CUDAGlobalAttr>() && !SM.isInSystemHeader(Loc));
  });
}

std::vector<const FunctionDecl *> findCandidates(ASTContext &AST,
                                                 FileID Header) {
  const SourceManager &SM = AST.getSourceManager();
  return findAll(AST, [&](const FunctionDecl &FD) {
    return !FD.isTemplateInstantiation() && !FD.hasAttr<CUDAGlobalAttr>() &&
           SM.getFileID(SM.getExpansionLoc(FD.getLocation())) == Header;
  });
}

std::vector<const FunctionDecl *> findHeaderCandidates(ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  return findAll(AST, [&](const FunctionDecl &FD) {
    const SourceLocation Loc = SM.getExpansionLoc(FD.getLocation());
    return !FD.isTemplateInstantiation() && !FD.hasAttr<CUDAGlobalAttr>() &&
           !SM.isInMainFile(Loc) && !SM.isInSystemHeader(Loc);
  });
}

} // namespace raise
