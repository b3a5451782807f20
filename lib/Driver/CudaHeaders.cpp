//===- CudaHeaders.cpp - headers in the place of their include ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaHeaders.h"
#include "CudaEdits.h"
#include "SourceParts.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace raise;
using namespace clang;
namespace path = llvm::sys::path;

CudaHeaders::CudaHeaders(ASTUnit &Unit, EditList &Edits,
                         std::set<FileID> Translated)
    : SM(Unit.getSourceManager()), LO(Unit.getLangOpts()),
      Pasted(std::move(Translated)) {
  for (const FileID File : Edits.files())
    if (Edits.isChanged(File))
      Pasted.insert(File);
  readDirectives(Unit);
  findEntered(Edits.files());
  addIncluders(Edits);
  addOnce();
  addIncluders(Edits);
  putInOrder(SM.getMainFileID());
}

/// Behind the name of the directive that begins at Begin: "x.h", <x.h> or a
/// macro.
static unsigned endOfInclude(StringRef Text, unsigned Begin) {
  StringRef Line = Text.substr(Begin);
  const size_t Word = Line.find("include");
  size_t At = Line.find_first_of("\"<\n", Word);
  if (Word == StringRef::npos || At == StringRef::npos)
    return Text.size();
  if (Line[At] != '\n')
    return Begin +
           Line.find_first_of(Line[At] == '"' ? "\"\n" : ">\n", At + 1) + 1;
  return Begin + Line.take_front(At).rtrim().size();
}

void CudaHeaders::readDirectives(ASTUnit &Unit) {
  PreprocessingRecord *Record = Unit.getPreprocessor().getPreprocessingRecord();
  if (!Record)
    return;
  for (const PreprocessedEntity *E : *Record) {
    const auto *I = dyn_cast<InclusionDirective>(E);
    if (!I || I->getKind() != InclusionDirective::Include)
      continue;
    const auto [File, Begin] =
        SM.getDecomposedLoc(I->getSourceRange().getBegin());
    const FileEntry *Found = nullptr;
    if (auto F = I->getFile())
      Found = &F->getFileEntry();
    Directives[File].push_back(
        {Begin, endOfInclude(SM.getBufferData(File), Begin),
         I->getFileName().str(), I->wasInQuotes(), Found, FileID()});
  }
}

void CudaHeaders::findEntered(llvm::ArrayRef<FileID> Files) {
  for (const FileID File : Files) {
    if (File == SM.getMainFileID())
      continue;
    const auto [By, At] = SM.getDecomposedExpansionLoc(SM.getIncludeLoc(File));
    Includers[File] = By;
    const auto In = Directives.find(By);
    if (In == Directives.end())
      continue;
    for (Directive &D : In->second)
      if (D.Begin <= At && At < D.End)
        D.Entered = File;
  }
}

CudaHeaders::Directive *CudaHeaders::directiveOf(FileID Header) {
  const auto By = Includers.find(Header);
  if (By == Includers.end())
    return nullptr;
  for (Directive &D : Directives[By->second])
    if (D.Entered == Header)
      return &D;
  return nullptr;
}

void CudaHeaders::addIncluders(EditList &Edits) {
  std::vector<FileID> Work(Pasted.begin(), Pasted.end());
  while (!Work.empty()) {
    const FileID File = Work.back();
    Work.pop_back();
    if (File == SM.getMainFileID())
      continue;
    const auto By = Includers.find(File);
    if (!directiveOf(File) || !Edits.file(By->second)) {
      Edits.error("CR1502",
                  "no file of the project's has the #include of this one, "
                  "whose device code is to be translated in its place; "
                  "include it in the source",
                  SM.getLocForStartOfFile(File));
      continue;
    }
    if (Pasted.insert(By->second).second)
      Work.push_back(By->second);
  }
}

/// Whether D was left out since the file's text was there already, which is
/// now a translated one.
bool CudaHeaders::isRepeated(const Directive &D) const {
  return D.File && D.Entered.isInvalid() && llvm::any_of(Pasted, [&](FileID F) {
           const auto Ref = SM.getFileEntryRefForID(F);
           return F != SM.getMainFileID() && Ref &&
                  &Ref->getFileEntry() == D.File;
         });
}

/// `#pragma once` does not know a file by a copy of its text: who includes it
/// again would get both.
void CudaHeaders::addOnce() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const auto &[File, In] : Directives)
      if (!Pasted.count(File) && Includers.count(File) &&
          llvm::any_of(In, [&](const Directive &D) { return isRepeated(D); }))
        Changed = Pasted.insert(File).second;
  }
}

void CudaHeaders::putInOrder(FileID File) {
  for (const Directive &D : Directives[File])
    if (D.Entered.isValid() && Pasted.count(D.Entered))
      putInOrder(D.Entered);
  Order.push_back(File);
}

void CudaHeaders::paste(FileID File, const Folders &In, EditList &Edits) const {
  const auto Text = Edits.file(File);
  const auto Known = Directives.find(File);
  if (Known != Directives.end())
    for (const Directive &D : Known->second) {
      if (isRepeated(D))
        Edits.replace(Text->first + D.Begin, Text->first + D.End, "");
      else if (D.Entered.isInvalid() || !Pasted.count(D.Entered))
        adapt(File, D, In, Edits);
    }
  if (File == SM.getMainFileID())
    return;
  dropOnce(File, Edits);
  const FileID By = Includers.at(File);
  const auto &Of = Directives.at(By);
  const auto D =
      llvm::find_if(Of, [&](const Directive &D) { return D.Entered == File; });
  if (D == Of.end())
    return; // CR1502
  std::string Whole = Edits.text(Text->first, Text->second);
  StringRef Body = Whole;
  Body.consume_front("\xEF\xBB\xBF"); // the mark of UTF-8
  Body = Body.trim("\r\n");
  // What follows the directive in its line goes on in one of its own.
  const StringRef Rest = SM.getBufferData(By).substr(D->End).take_until(
      [](char C) { return C == '\n'; });
  const unsigned Blanks = Rest.size() - Rest.ltrim(" \t").size();
  // (A name that ends its line with a backslash would go on in the next.)
  const std::string Title =
      StringRef(D->Name).contains('\\') ? "an include" : D->Name;
  const auto Place = *Edits.file(By);
  Edits.replace(Place.first + D->Begin, Place.first + D->End + Blanks,
                "// From " + Title + ":\n" + Body.str() + "\n// End of " +
                    Title + "." + (Rest.trim().empty() ? "" : "\n"));
}

/// `#include "x.h"` names the same file from the output's folder, and from the
/// source's where a header's text is in the source now.
void CudaHeaders::adapt(FileID File, const Directive &D, const Folders &In,
                        EditList &Edits) const {
  if (In.Output.empty() || !D.IsQuoted || !D.File || path::is_absolute(D.Name))
    return;
  llvm::SmallString<256> Here(In.Source);
  if (const auto Ref = SM.getFileEntryRefForID(File);
      Ref && File != SM.getMainFileID()) {
    Here = path::parent_path(Ref->getName());
    SM.getFileManager().makeAbsolutePath(Here);
    path::remove_dots(Here, true);
  }
  auto IsFile = [&](StringRef Path) {
    const auto Ref = SM.getFileManager().getOptionalFileRef(Path);
    return Ref && &Ref->getFileEntry() == D.File;
  };
  auto Beside = [&](StringRef Folder) {
    llvm::SmallString<256> Path(Folder);
    path::append(Path, D.Name);
    path::remove_dots(Path, true);
    return Path;
  };
  const llvm::SmallString<256> Was = Beside(Here), Will = Beside(In.Output);
  // Found by a search path, it is found again, unless another one is nearer.
  if (IsFile(Was) ? Here == In.Output
                  : (!llvm::sys::fs::exists(Will) || IsFile(Will)))
    return;
  llvm::SmallString<256> Target(Was);
  if (!IsFile(Was)) {
    const auto Real = D.File->tryGetRealPathName();
    if (Real.empty())
      return;
    Target = Real;
  }
  const unsigned First = Edits.file(File)->first;
  const StringRef Line = SM.getBufferData(File).slice(D.Begin, D.End);
  const size_t Open = Line.find('"'), Close = Line.find('"', Open + 1);
  if (Open != StringRef::npos && Close != StringRef::npos)
    Edits.replace(First + D.Begin + Open + 1, First + D.Begin + Close,
                  relativePath(Target, In.Output));
}

/// A source is read once anyway, and compilers say so.
void CudaHeaders::dropOnce(FileID File, EditList &Edits) const {
  const StringRef Text = SM.getBufferData(File);
  Lexer Raw(File, SM.getBufferOrFake(File), SM, LO);
  Token T;
  unsigned Hash = 0, Words = 0; // of `# pragma once`, as far as it was read
  while (!Raw.LexFromRawLexer(T)) {
    const unsigned At = SM.getFileOffset(T.getLocation());
    if (T.isAtStartOfLine())
      Words = 0;
    if (T.is(tok::hash) && T.isAtStartOfLine()) {
      Hash = At;
      Words = 1;
      continue;
    }
    const bool Goes = T.is(tok::raw_identifier) &&
                      T.getRawIdentifier() == (Words == 1 ? "pragma" : "once");
    Words = Words && Goes ? Words + 1 : 0;
    if (Words != 3)
      continue;
    const unsigned First = Edits.file(File)->first;
    const unsigned End = At + T.getLength();
    const bool WholeLine = Text.substr(End).starts_with("\n");
    Edits.replace(First + Hash, First + End + WholeLine, "");
    Words = 0;
  }
}
