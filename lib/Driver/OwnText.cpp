//===- OwnText.cpp - headers that belong to their source ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OwnText.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace raise {

namespace {

/// Of each header of the project's, whether it cannot be included beside its
/// source, and which others it names something of.
class HeaderFacts : public RecursiveASTVisitor<HeaderFacts> {
public:
  explicit HeaderFacts(const SourceManager &SM) : SM(SM) {}
  std::set<FileID> Apart;
  std::map<FileID, std::set<FileID>> Names;

  bool TraverseDecl(clang::Decl *D) {
    if (!D || isForeign(D->getLocation()))
      return !D || isa<TranslationUnitDecl, LinkageSpecDecl>(D)
                 ? RecursiveASTVisitor::TraverseDecl(D)
                 : true;
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        (F && isExported(*F)) || D->hasAttr<CUDAGlobalAttr>() ||
        D->hasAttr<CUDASharedAttr>())
      Apart.insert(fileOf(D->getLocation()));
    if (const auto *V = dyn_cast<VarDecl>(D); V && isExported(*V))
      Apart.insert(fileOf(D->getLocation()));
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
    Apart.insert(fileOf(E->getBeginLoc()));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    add(E->getLocation(), E->getDecl());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) {
    for (const NamedDecl *D : E->decls())
      add(E->getNameLoc(), D);
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) {
    add(T.getNameLoc(), T.getTypedefNameDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) {
    add(T.getNameLoc(), T.getDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T) {
    add(T.getTemplateNameLoc(),
        T.getTypePtr()->getTemplateName().getAsTemplateDecl());
    return true;
  }

private:
  const SourceManager &SM;

  FileID fileOf(SourceLocation Loc) const {
    return SM.getFileID(SM.getExpansionLoc(Loc));
  }
  bool isForeign(SourceLocation Loc) const {
    return Loc.isInvalid() || SM.isInSystemHeader(SM.getExpansionLoc(Loc)) ||
           !SM.getFileEntryRefForID(fileOf(Loc));
  }

  /// A definition that the program may have once.
  static bool isExported(const FunctionDecl &F) {
    return F.isThisDeclarationADefinition() && !F.isInlined() &&
           !F.isDependentContext() && !F.isTemplateInstantiation() &&
           F.getFormalLinkage() == Linkage::External;
  }
  static bool isExported(const VarDecl &V) {
    return V.isFileVarDecl() && !V.isInline() && !isa<VarTemplateDecl>(V) &&
           !V.getDeclContext()->isDependentContext() &&
           !isTemplateInstantiation(V.getTemplateSpecializationKind()) &&
           !V.getDescribedVarTemplate() &&
           V.isThisDeclarationADefinition() != VarDecl::DeclarationOnly &&
           V.getFormalLinkage() == Linkage::External;
  }

  void add(SourceLocation At, const NamedDecl *D) {
    if (!D || isForeign(At))
      return;
    const FileID File = fileOf(At);
    if (!isForeign(D->getLocation())) {
      const FileID Of = fileOf(D->getLocation());
      if (Of != File && Of != SM.getMainFileID())
        Names[File].insert(Of);
      return;
    }
    // What only a device has: the host knows it within the executor.
    if (D->hasAttr<CUDADeviceAttr>() && !D->hasAttr<CUDAHostAttr>() &&
        (isa<VarDecl, FunctionDecl>(D)))
      Apart.insert(File);
  }
};

} // namespace

OwnText::OwnText(ASTUnit &Unit) : SM(Unit.getSourceManager()) {
  HeaderFacts Facts(SM);
  Facts.TraverseDecl(Unit.getASTContext().getTranslationUnitDecl());
  Files = std::move(Facts.Apart);
  Files.erase(SM.getMainFileID());
  // What names something of such a header could not be included before it is
  // there, and what includes it would bring it.
  for (bool Changed = true; Changed;) {
    const size_t Before = Files.size();
    addIncluders();
    for (const auto &[File, Named] : Facts.Names)
      if (File != SM.getMainFileID() &&
          llvm::any_of(Named, [&](FileID F) { return has(F); }))
        Files.insert(File);
    Changed = Files.size() != Before;
  }
  for (const FileID File : Files)
    if (const auto Ref = SM.getFileEntryRefForID(File))
      Entries.insert(&Ref->getFileEntry());
  Files.insert(SM.getMainFileID());
  layOut();
}

bool OwnText::has(SourceLocation Loc) const {
  return Loc.isValid() && has(SM.getFileID(SM.getExpansionLoc(Loc)));
}

void OwnText::addIncluders() {
  std::vector<FileID> Work(Files.begin(), Files.end());
  while (!Work.empty()) {
    const FileID File = Work.back();
    Work.pop_back();
    const SourceLocation At = SM.getIncludeLoc(File);
    const FileID By = At.isValid() ? SM.getFileID(At) : FileID();
    if (By == SM.getMainFileID())
      continue;
    if (By.isValid() && SM.getFileEntryRefForID(By) &&
        !SM.isInSystemHeader(At)) {
      if (Files.insert(By).second)
        Work.push_back(By);
      continue;
    }
    SourceLoc Loc;
    Loc.File = SM.getPresumedLoc(SM.getLocForStartOfFile(File)).getFilename();
    Loc.Line = Loc.Column = 1;
    if (llvm::none_of(Errors,
                      [&](const Reason &E) { return E.Loc.File == Loc.File; }))
      Errors.push_back(
          {"CR1809",
           "this header holds device code or defines what the source exports, "
           "so that the derivative's file cannot include it, and no file of "
           "the project's has its #include; include it in the source",
           std::move(Loc)});
  }
}

unsigned OwnText::sizeOf(FileID File) const {
  unsigned Size = SM.getFileIDSize(File) + 1;
  if (const auto In = Inside.find(File); In != Inside.end())
    for (const auto &Each : In->second)
      Size += sizeOf(Each.second);
  return Size;
}

void OwnText::layOut() {
  for (const FileID File : Files)
    if (File != SM.getMainFileID())
      if (const auto [By, At] = SM.getDecomposedLoc(SM.getIncludeLoc(File));
          has(By))
        Inside[By].push_back({At, File});
  for (auto &In : Inside)
    llvm::sort(In.second);
  std::vector<std::pair<FileID, unsigned>> Work = {{SM.getMainFileID(), 0}};
  while (!Work.empty()) {
    const auto [File, Begin] = Work.back();
    Work.pop_back();
    Begins[File] = Begin;
    unsigned Before = Begin;
    for (const auto &[At, Header] : Inside[File]) {
      Work.push_back({Header, Before + At});
      Before += sizeOf(Header);
    }
  }
}

unsigned OwnText::offset(SourceLocation Loc) const {
  const auto [File, At] = SM.getDecomposedLoc(Loc);
  const auto Begin = Begins.find(File);
  unsigned Offset = At + (Begin == Begins.end() ? 0 : Begin->second);
  if (const auto In = Inside.find(File); In != Inside.end())
    for (const auto &[Where, Header] : In->second)
      if (Where < At)
        Offset += sizeOf(Header);
  return Offset;
}

} // namespace raise
