//===- LeftUncalled.cpp - functions that edits leave without a use --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LeftUncalled.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace raise {

namespace {

/// The places where the internal functions of a file are named.
class FunctionUses : public clang::RecursiveASTVisitor<FunctionUses> {
public:
  FunctionUses(const clang::SourceManager &SM, clang::FileID File)
      : SM(SM), File(File) {}
  /// As offsets in the file.
  MapVector<const clang::FunctionDecl *, std::vector<unsigned>> Found;
  /// What is named in other files.
  SmallPtrSet<const clang::FunctionDecl *, 4> Elsewhere;

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
        SM.getFileID(SM.getExpansionLoc(FD->getLocation())) != File)
      return;
    const auto [In, Offset] = SM.getDecomposedExpansionLoc(At);
    if (In == File)
      Found[FD->getCanonicalDecl()].push_back(Offset);
    else
      Elsewhere.insert(FD->getCanonicalDecl());
  }
  const clang::SourceManager &SM;
  const clang::FileID File;
};

} // namespace

void nameFunctionsLeft(clang::ASTContext &AST, clang::FileID File,
                       MutableArrayRef<Edit> Edits) {
  const clang::SourceManager &SM = AST.getSourceManager();
  FunctionUses Uses(SM, File);
  for (clang::Decl *D : AST.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      Uses.TraverseDecl(D);
  MapVector<Edit *, std::vector<std::string>> Left;
  for (const auto &[FD, Places] : Uses.Found) {
    if (Uses.Elsewhere.contains(FD))
      continue;
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
