//===- Preamble.cpp - includes and macros that another source repeats -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Preamble.h"
#include "ConfiguredMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace clang;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace raise {

namespace {

std::vector<std::pair<const IdentifierInfo *, const MacroInfo *>>
definitionsOf(ASTUnit &Unit, const OwnText &Own) {
  Preprocessor &PP = Unit.getPreprocessor();
  const SourceManager &SM = Unit.getSourceManager();
  std::vector<std::pair<const IdentifierInfo *, const MacroInfo *>> Found;
  for (const auto &[Name, State] : PP.macros()) {
    const MacroInfo *M = PP.getMacroInfo(Name);
    // isInMainFile says so of the compiler's own macros, too.
    if (M && !M->isBuiltinMacro() && !M->isUsedForHeaderGuard() &&
        Own.has(SM.getFileID(M->getDefinitionLoc())))
      Found.push_back({Name, M});
  }
  llvm::sort(Found, [&](auto &A, auto &B) {
    return Own.offset(A.second->getDefinitionLoc()) <
           Own.offset(B.second->getDefinitionLoc());
  });
  return Found;
}

/// A file that the source's own text includes.
struct Include {
  unsigned Offset;
  std::string Line, File;
  std::string Folder; ///< of the text that says so; empty for the main file
};

/// Also those that were there already when the source named them: what it
/// relies on is what it says.
std::vector<Include> includesOf(ASTUnit &Unit, const OwnText &Own) {
  const SourceManager &SM = Unit.getSourceManager();
  Preprocessor &PP = Unit.getPreprocessor();
  std::vector<Include> Found;
  /// Headers that are read once, and whether the main file named them first.
  std::map<const FileEntry *, bool> Once;
  PreprocessingRecord *Record = PP.getPreprocessingRecord();
  assert(Record && "sources are parsed with one");
  for (const PreprocessedEntity *E : *Record) {
    const auto *I = dyn_cast<InclusionDirective>(E);
    if (!I || !I->getFile())
      continue;
    const SourceLocation At = I->getSourceRange().getBegin();
    const FileID In = SM.getFileID(At);
    const FileEntry *Entry = &I->getFile()->getFileEntry();
    if (!Own.has(In) || Own.replaces(Entry))
      continue;
    const bool InHeader = In != SM.getMainFileID();
    if (PP.getHeaderSearchInfo().isFileMultipleIncludeGuarded(*I->getFile())) {
      const auto [Known, IsNew] = Once.insert({Entry, !InHeader});
      if (!IsNew && (InHeader || !Known->second))
        continue;
    }
    const StringRef Text = SM.getBufferData(In);
    const size_t Begin = Text.take_front(SM.getFileOffset(At)).rfind('\n') + 1;
    const StringRef Line =
        Text.drop_front(Begin).take_until([](char C) { return C == '\n'; });
    std::string Folder;
    if (const auto Ref = SM.getFileEntryRefForID(In); InHeader && Ref)
      Folder = path::parent_path(Ref->getName()).str();
    Found.push_back({Own.offset(At), Line.rtrim().str(),
                     std::string(I->getFile()->getName()), Folder});
  }
  llvm::sort(Found, [](const Include &A, const Include &B) {
    return A.Offset < B.Offset;
  });
  return Found;
}

/// Where the source's own text says `extern "C" {` and where it ends it again.
std::vector<std::pair<unsigned, unsigned>> linkageOfC(ASTUnit &Unit,
                                                      const OwnText &Own) {
  const SourceManager &SM = Unit.getSourceManager();
  std::vector<std::pair<unsigned, unsigned>> Found;
  for (const clang::Decl *D :
       Unit.getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *L = llvm::dyn_cast<LinkageSpecDecl>(D);
        L && L->hasBraces() && L->getLanguage() == LinkageSpecLanguageIDs::C &&
        Own.has(L->getExternLoc()))
      Found.push_back({Own.offset(SM.getExpansionLoc(L->getExternLoc())),
                       Own.offset(SM.getExpansionLoc(L->getRBraceLoc()))});
  return Found;
}

} // namespace

MacroParts::MacroParts(ASTUnit &Unit, const OwnText &Own) {
  const SourceManager &SM = Unit.getSourceManager();
  const ConfiguredMacros Configured(Unit);
  for (const auto &[Id, M] : definitionsOf(Unit, Own)) {
    SourceParts::Piece P;
    const auto [In, Named] = SM.getDecomposedLoc(M->getDefinitionLoc());
    const StringRef File = SM.getBufferData(In);
    const size_t Begin = File.take_front(Named).rfind('\n') + 1;
    const unsigned End = SM.getFileOffset(Lexer::getLocForEndOfToken(
        M->getDefinitionEndLoc(), 0, SM, Unit.getLangOpts()));
    P.Offset = Own.offset(SM.getComposedLoc(In, Begin));
    P.End = P.Offset + (End - Begin);
    const std::string Name = Id->getName().str();
    P.Text = File.slice(Begin, End).str() + "\n";
    // The condition around it is not repeated. What a command sets counts.
    if (Configured.has(Name))
      P.Text = "#ifndef " + Name + "\n" + P.Text + "#endif\n";
    All.push_back({Name, std::move(P)});
  }
}

unsigned lastIncludeOf(ASTUnit &Unit, const OwnText &Own) {
  const std::vector<Include> Includes = includesOf(Unit, Own);
  return Includes.empty() ? 0 : Includes.back().Offset;
}

std::string relativePath(StringRef File, StringRef Folder) {
  auto From = path::begin(Folder), FromEnd = path::end(Folder);
  auto To = path::begin(File), ToEnd = path::end(File);
  while (From != FromEnd && To != ToEnd && *From == *To)
    ++From, ++To;
  std::string Relative;
  for (; From != FromEnd; ++From)
    Relative += "../";
  for (; To != ToEnd; ++To)
    Relative += To->str() + "/";
  Relative.pop_back();
  return Relative;
}

std::string SourceParts::preamble(StringRef SourcePath,
                                  StringRef OutputFolder) const {
  std::vector<Piece> All;
  const std::vector<Include> Includes = includesOf(Unit, Own);
  const unsigned Last = Includes.empty() ? 0 : Includes.back().Offset;
  for (const Include &I : Includes) {
    Piece P;
    P.Offset = I.Offset;
    P.Text = I.Line + "\n";
    const size_t Open = P.Text.find('"');
    const size_t Close = P.Text.find('"', Open + 1);
    if (Open != std::string::npos && Close != std::string::npos) {
      const std::string Name = P.Text.substr(Open + 1, Close - Open - 1);
      llvm::SmallString<256> Beside(
          I.Folder.empty() ? path::parent_path(SourcePath) : I.Folder);
      Unit.getFileManager().makeAbsolutePath(Beside);
      path::append(Beside, Name);
      path::remove_dots(Beside, true);
      if (!path::is_absolute(Name) && llvm::sys::fs::equivalent(Beside, I.File))
        P.Text.replace(Open + 1, Close - Open - 1,
                       relativePath(Beside, OutputFolder));
    }
    All.push_back(std::move(P));
  }
  const MacroParts Macros(Unit, Own);
  for (const auto &[Name, P] : Macros.all())
    if (P.Offset < Last)
      All.push_back(P);
  llvm::stable_sort(
      All, [](const Piece &A, const Piece &B) { return A.Offset < B.Offset; });
  const auto Linkage = linkageOfC(Unit, Own);
  std::string Text;
  bool InC = false;
  const auto Enter = [&](bool C) {
    if (C != InC)
      Text += C ? "extern \"C\" {\n" : "}\n";
    InC = C;
  };
  for (const Piece &P : All) {
    Enter(llvm::any_of(Linkage, [&](auto &L) {
      return L.first < P.Offset && P.Offset < L.second;
    }));
    Text += P.Text;
  }
  Enter(false);
  return Text;
}

} // namespace raise
