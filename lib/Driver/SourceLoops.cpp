//===- SourceLoops.cpp - the loops that the source text holds -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourceLoops.h"
#include "raise/Frontend/Codes.h"
#include "raise/Frontend/Lift.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace raise {

namespace {

/// `do S while (0)`, as macros are written, repeats nothing.
bool runsOnce(const clang::Stmt *S, const clang::ASTContext &AST) {
  auto *D = dyn_cast<clang::DoStmt>(S);
  if (!D || D->getCond()->isValueDependent())
    return false;
  auto Value = D->getCond()->getIntegerConstantExpr(AST);
  return Value && Value->isZero();
}

bool isLoop(const clang::Stmt *S, const clang::ASTContext &AST) {
  if (runsOnce(S, AST))
    return false;
  return isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
             clang::CXXForRangeStmt>(S);
}

class Walker : public clang::RecursiveASTVisitor<Walker> {
  using Base = clang::RecursiveASTVisitor<Walker>;

public:
  SourceConstructs Found;

  /// Root: only this function; null: everything that File writes.
  Walker(const clang::ASTContext &AST, const clang::FunctionDecl *Root,
         clang::FileID File = {})
      : AST(AST), Root(Root), File(File) {}

  bool TraverseDecl(clang::Decl *D) {
    if (!D || isElsewhere(*D))
      return true;
    auto *FD = dyn_cast<clang::FunctionDecl>(D);
    if (!FD)
      return Base::TraverseDecl(D);
    if (Root && FD != Root) {
      Found.Nested.push_back(placeOf(FD->getSourceRange(), AST));
      return true;
    }
    SaveAndRestore SavedOwner(Owner, (const clang::FunctionDecl *)FD);
    SaveAndRestore SavedLoop(InLoop, false);
    SaveAndRestore SavedBarrier(Barrier, Reason());
    if (FD->hasAttr<clang::CUDAGlobalAttr>()) {
      if (FD->doesThisDeclarationHaveABody())
        Found.Kernels.push_back(FD);
      return true;
    }
    return Base::TraverseDecl(D);
  }

  // Without a queue, so that what is saved here holds for all that is below.
  bool TraverseStmt(clang::Stmt *S) {
    if (!S)
      return true;
    SaveAndRestore SavedBarrier(Barrier);
    SaveAndRestore SavedLoop(InLoop);
    noteBarrier(*S);
    if (isLoop(S, AST)) {
      if (!InLoop)
        Found.Loops.push_back(
            {S, placeOf(S->getSourceRange(), AST), Owner, Barrier});
      InLoop = true;
    }
    return Base::TraverseStmt(S);
  }

private:
  /// What stands outside of the file. A namespace may hold both.
  bool isElsewhere(const clang::Decl &D) const {
    if (Root || Owner ||
        isa<clang::TranslationUnitDecl, clang::NamespaceDecl,
            clang::LinkageSpecDecl>(D))
      return false;
    const clang::SourceManager &SM = AST.getSourceManager();
    return SM.getFileID(SM.getExpansionLoc(D.getLocation())) != File;
  }

  void noteBarrier(const clang::Stmt &S) {
    auto Set = [&](const char *Code, std::string Text) {
      Barrier = {Code, std::move(Text), placeOf(S.getSourceRange(), AST)};
    };
    if (auto *D = dyn_cast<clang::OMPExecutableDirective>(&S)) {
      Found.Directives.push_back(
          {placeOf(S.getSourceRange(), AST), directiveName(*D)});
      if (auto *Below = D->hasAssociatedStmt() ? D->getRawStmt() : nullptr)
        Found.Directives.back().Loc.End =
            placeOf(Below->getSourceRange(), AST).End;
      if (!isFollowed(*D))
        Set(codes::InsideOpenMP, "it stands under '" + directiveName(*D) +
                                     "', which is not followed");
    } else if (isa<clang::LambdaExpr>(S)) {
      // Its names are its own, wherever its body takes the place of a call.
      Found.Nested.push_back(placeOf(S.getSourceRange(), AST));
      Set(codes::Closure, "it stands in a lambda");
    } else if (isa<clang::BlockExpr>(S))
      Set(codes::Closure, "it stands in a block");
    else if (Discarded.contains(&S))
      Set("CR1029", "it stands in a branch that 'if constexpr' discards");
    if (auto *I = dyn_cast<clang::IfStmt>(&S))
      noteDiscarded(*I);
  }

  void noteDiscarded(const clang::IfStmt &I) {
    if (!I.isConstexpr() || !I.getCond() || I.getCond()->isValueDependent())
      return;
    std::optional<const clang::Stmt *> Taken = I.getNondiscardedCase(AST);
    if (!Taken)
      return;
    for (const clang::Stmt *Branch : {I.getThen(), I.getElse()})
      if (Branch && Branch != *Taken)
        Discarded.insert(Branch);
  }

  const clang::ASTContext &AST;
  const clang::FunctionDecl *Root;
  const clang::FileID File;
  const clang::FunctionDecl *Owner = nullptr;
  bool InLoop = false;
  Reason Barrier;
  SmallPtrSet<const clang::Stmt *, 4> Discarded;
};

} // namespace

SourceLoc placeOf(clang::SourceRange Range, const clang::ASTContext &AST) {
  const clang::SourceManager &SM = AST.getSourceManager();
  auto [File, Offset] =
      SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
  SourceLoc L;
  L.File = SM.getFilename(SM.getExpansionLoc(Range.getBegin())).str();
  L.Line = SM.getLineNumber(File, Offset);
  L.Column = SM.getColumnNumber(File, Offset);
  L.Begin = L.End = Offset;
  L.InMacro = Range.getBegin().isMacroID() || Range.getEnd().isMacroID();
  clang::SourceLocation End = clang::Lexer::getLocForEndOfToken(
      SM.getExpansionRange(Range.getEnd()).getEnd(), 0, SM, AST.getLangOpts());
  if (End.isValid() && SM.getFileID(End) == File)
    L.End = SM.getFileOffset(End);
  return L;
}

const clang::FunctionDecl *patternOf(const clang::FunctionDecl &D) {
  const clang::FunctionDecl *P = D.getTemplateInstantiationPattern();
  return P ? P : &D;
}

SourceConstructs constructsOf(const clang::FunctionDecl &FD) {
  Walker W(FD.getASTContext(), &FD);
  W.TraverseDecl(const_cast<clang::FunctionDecl *>(&FD));
  for (SourceLoop &L : W.Found.Loops)
    L.Owner = patternOf(FD);
  return std::move(W.Found);
}

SourceConstructs constructsOf(clang::ASTContext &AST, clang::FileID File) {
  Walker W(AST, nullptr, File);
  W.TraverseDecl(AST.getTranslationUnitDecl());
  return std::move(W.Found);
}

SourceLoc placeOf(const clang::FunctionDecl &D) {
  return placeOf(clang::SourceRange(D.getLocation()), D.getASTContext());
}

} // namespace raise
