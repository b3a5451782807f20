//===- UnsetVariables.cpp - loops whose tests may read nothing ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UnsetVariables.h"
#include "SourceLoops.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/Analyses/UninitializedValues.h"
#include "clang/Analysis/AnalysisDeclContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace raise {

namespace {

/// The parts of the loops around an offset that stand outside of their bodies,
/// as offsets.
class HeadsAround : public RecursiveASTVisitor<HeadsAround> {
public:
  HeadsAround(const SourceManager &SM, unsigned At) : SM(SM), At(At) {}
  std::vector<std::pair<unsigned, unsigned>> Found;
  bool VisitForStmt(ForStmt *S) { return add(*S, *S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) { return add(*S, *S->getBody()); }
  bool VisitDoStmt(DoStmt *S) { return add(*S, *S->getBody()); }

private:
  const SourceManager &SM;
  const unsigned At;
  unsigned offset(SourceLocation L) const {
    return SM.getFileOffset(SM.getExpansionLoc(L));
  }
  bool add(const clang::Stmt &Loop, const clang::Stmt &Body) {
    const unsigned Begin = offset(Body.getBeginLoc());
    const unsigned End = offset(Body.getEndLoc());
    if (Begin <= At && At <= End) {
      Found.push_back({offset(Loop.getBeginLoc()), Begin});
      Found.push_back({End, offset(Loop.getEndLoc()) + 1});
    }
    return true;
  }
};

class Reads : public UninitVariablesHandler {
public:
  std::vector<std::pair<const VarDecl *, const clang::Expr *>> Found;
  void handleUseOfUninitVariable(const VarDecl *V,
                                 const UninitUse &Use) override {
    Found.push_back({V, Use.getUser()});
  }
};

} // namespace

Reason whyNotSet(const FunctionDecl &FD, const SourceLoc &Loc) {
  ASTContext &AST = FD.getASTContext();
  const SourceManager &SM = AST.getSourceManager();
  HeadsAround Heads(SM, Loc.Begin);
  Heads.TraverseStmt(FD.getBody());
  if (Heads.Found.empty())
    return {};
  AnalysisDeclContext Analysis(nullptr, &FD);
  Analysis.getCFGBuildOptions().PruneTriviallyFalseEdges = true;
  Analysis.getCFGBuildOptions().setAllAlwaysAdd();
  CFG *Graph = Analysis.getCFG();
  if (!Graph)
    return {};
  Reads Unset;
  UninitVariablesAnalysisStats Stats;
  runUninitializedVariablesAnalysis(FD, *Graph, Analysis, Unset, Stats);
  for (const auto &[V, Use] : Unset.Found) {
    const unsigned At =
        SM.getFileOffset(SM.getExpansionLoc(Use->getBeginLoc()));
    if (llvm::any_of(Heads.Found, [At = At](const auto &Head) {
          return Head.first <= At && At < Head.second;
        }))
      return {"CR1718",
              "the loop around it reads '" + V->getNameAsString() +
                  "', which may not have been set: compilers may warn of that "
                  "once this loop is another",
              placeOf(Use->getSourceRange(), AST)};
  }
  return {};
}

} // namespace raise
