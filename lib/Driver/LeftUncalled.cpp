//===- LeftUncalled.cpp - functions that edits leave without a use --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LeftUncalled.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// The places in the main file where its internal functions are named.
class FunctionUses : public clang::RecursiveASTVisitor<FunctionUses> {
public:
  explicit FunctionUses(const clang::SourceManager &SM) : SM(SM) {}
  MapVector<const clang::FunctionDecl *, std::vector<unsigned>> Found;

  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    note(E->getDecl(), E->getLocation());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr *E) {
    for (const clang::NamedDecl *D : E->decls())
      note(D, E->getNameLoc());
    return true;
  }

private:
  void note(const clang::NamedDecl *D, clang::SourceLocation At) {
    const auto *FD =
        dyn_cast_or_null<clang::FunctionDecl>(D ? D->getAsFunction() : nullptr);
    if (!FD || isa<clang::CXXMethodDecl>(FD) || FD->isExternallyVisible() ||
        FD->hasAttr<clang::UnusedAttr>() || FD->isTemplateInstantiation() ||
        !SM.isInMainFile(SM.getExpansionLoc(FD->getLocation())))
      return;
    Found[FD->getCanonicalDecl()].push_back(
        SM.getFileOffset(SM.getExpansionLoc(At)));
  }
  const clang::SourceManager &SM;
};

} // namespace

void nameFunctionsLeft(clang::ASTContext &AST, MutableArrayRef<Edit> Edits) {
  const clang::SourceManager &SM = AST.getSourceManager();
  FunctionUses Uses(SM);
  for (clang::Decl *D : AST.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      Uses.TraverseDecl(D);
  MapVector<Edit *, std::vector<std::string>> Left;
  for (const auto &[FD, Places] : Uses.Found) {
    Edit *Last = nullptr;
    const std::string Name = FD->getNameAsString();
    const bool Stays = any_of(Places, [&](unsigned At) {
      Edit *In = find_if(
          Edits, [&](const Edit &E) { return E.Begin <= At && At < E.End; });
      if (In == Edits.end() || namesIt(In->Text, Name))
        return true;
      Last = std::max(Last, In);
      return false;
    });
    if (!Stays)
      Left[Last].push_back(Name);
  }
  for (const auto &[In, Names] : Left) {
    addToBlock(*In, "// Called no more:");
    for (const std::string &Name : Names)
      addToBlock(*In, "(void)" + Name + ";");
  }
}

} // namespace raise
