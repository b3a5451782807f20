//===- GradNames.cpp - whom grad differentiates, under which names --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GradNames.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

class FunctionFinder : public clang::RecursiveASTVisitor<FunctionFinder> {
public:
  explicit FunctionFinder(const clang::SourceManager &SM) : SM(SM) {}
  std::vector<const clang::FunctionDecl *> Found;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *FD) {
    if (FD->doesThisDeclarationHaveABody() &&
        SM.isInMainFile(SM.getExpansionLoc(FD->getLocation())))
      Found.push_back(FD);
    return true;
  }

private:
  const clang::SourceManager &SM;
};

} // namespace

std::vector<const clang::FunctionDecl *> functionsOf(clang::ASTUnit &AST) {
  FunctionFinder Finder(AST.getSourceManager());
  Finder.TraverseDecl(AST.getASTContext().getTranslationUnitDecl());
  return std::move(Finder.Found);
}

bool isTold(const clang::FunctionDecl &FD,
            ArrayRef<const clang::FunctionDecl *> All) {
  const clang::FunctionTemplateDecl *T = FD.getDescribedFunctionTemplate();
  return T && any_of(All, [&](const clang::FunctionDecl *Other) {
           const clang::FunctionTemplateDecl *Of = Other->getPrimaryTemplate();
           return Of && Of->getCanonicalDecl() == T->getCanonicalDecl();
         });
}

const char *whyNotFunction(const clang::FunctionDecl &FD) {
  const auto *M = dyn_cast<clang::CXXMethodDecl>(&FD);
  if (M && (isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl,
                clang::CXXConversionDecl>(M) ||
            M->isOverloadedOperator()))
    return "a constructor, a destructor or an operator";
  if (M && (FD.isDependentContext() || FD.isTemplateInstantiation()))
    return "a member of a template";
  if (M && M->getParent()->isLocalClass())
    return "a member of a class that is local to a function";
  if (FD.isDependentContext())
    return "a template without an instantiation in this file";
  if (FD.isMain())
    return "main is not called by others";
  return nullptr;
}

std::vector<Reason> atEntry(std::vector<Reason> Why, const GradientRequest &G) {
  if (G.Place.empty())
    return Why;
  for (Reason &R : Why) {
    const StringRef Text = R.Text;
    if (!Text.starts_with("--wrt ") && !Text.starts_with("--of "))
      continue;
    R.Text = ("'" + Text.drop_front(2).split(' ').first + "' " +
              Text.split(' ').second)
                 .str();
    const auto [Rest, Column] = StringRef(G.Place).rsplit(':');
    const auto [File, Line] = Rest.rsplit(':');
    R.Loc = SourceLoc();
    R.Loc.File = File.str();
    Line.getAsInteger(10, R.Loc.Line);
    Column.getAsInteger(10, R.Loc.Column);
  }
  return Why;
}

std::vector<std::string> namesOf(const GradItem &Item) {
  if (!Item.Split)
    return {Item.Made.F->Name};
  std::vector<std::string> Names = {Item.Split->Augmented->Name,
                                    Item.Split->Reverse->Name};
  if (const std::string &Tape = Item.Split->TapeType; !Tape.empty())
    Names.insert(Names.end(), {Tape, Tape + "_free"});
  return Names;
}

/// Whether a name of <math.h> is found as such from inside of FD.
static bool findsLibrary(const clang::FunctionDecl &FD, StringRef Name,
                         clang::ASTUnit &AST) {
  clang::ASTContext &Ctx = AST.getASTContext();
  const clang::SourceManager &SM = AST.getSourceManager();
  for (const clang::DeclContext *C = FD.getDeclContext(); C;
       C = C->getLookupParent())
    for (const clang::NamedDecl *D : C->lookup(&Ctx.Idents.get(Name))) {
      if (isa<clang::BaseUsingDecl>(D)) // what it brings is listed as well
        continue;
      D = D->getUnderlyingDecl();
      const clang::FunctionDecl *F = D->getAsFunction();
      if (!F || (!F->getBuiltinID() && !F->isInStdNamespace() &&
                 !SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation()))))
        return false;
    }
  const clang::Preprocessor &PP = AST.getPreprocessor();
  const clang::MacroInfo *M = PP.getMacroInfo(&Ctx.Idents.get(Name));
  return !M || SM.isInSystemHeader(M->getDefinitionLoc());
}

std::string hiddenFunction(const clang::FunctionDecl &FD, const GradItem &Item,
                           clang::ASTUnit &AST) {
  std::vector<FunctionRef> All = Item.Made.Helpers;
  All.push_back(Item.Made.F);
  std::string Hidden;
  for (const FunctionRef &F : All)
    forEachExpr(F->Body, [&](const ExprRef &E) {
      auto *C = dyn_cast<Call>(E.get());
      if (C && !C->Fn->Definition &&
          (F->findParam(C->Fn->Name) || !findsLibrary(FD, C->Fn->Name, AST)))
        Hidden = C->Fn->Name;
    });
  return Hidden;
}

bool declaresOnly(const clang::FunctionDecl &FD, StringRef Name,
                  clang::ASTUnit &AST) {
  clang::ASTContext &Ctx = AST.getASTContext();
  const clang::DeclContext *Scope =
      FD.getDeclContext()->getEnclosingNamespaceContext();
  return all_of(Scope->lookup(&Ctx.Idents.get(Name)),
                [](const clang::NamedDecl *D) {
                  auto *F = dyn_cast<clang::FunctionDecl>(D);
                  return F && !F->isDefined();
                });
}

} // namespace raise
