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
  findEntered();
  addIncluders(Edits);
  addOnce(Edits);
  addIncluders(Edits);
  putInOrder(SM.getMainFileID());
}

void CudaHeaders::readDirectives(ASTUnit &Unit) {
  PreprocessingRecord *Record = Unit.getPreprocessor().getPreprocessingRecord();
  if (!Record)
    return;
  Skipped = Record->getSkippedRanges();
  for (const PreprocessedEntity *E : *Record)
    if (const auto *I = dyn_cast<InclusionDirective>(E))
      readDirective(*I);
}

void CudaHeaders::readDirective(const InclusionDirective &I) {
  const SourceLocation Hash = I.getSourceRange().getBegin();
  const auto [File, Begin] = SM.getDecomposedLoc(Hash);
  Directive D{Begin,           Begin,   0,       I.getFileName().str(),
              I.wasInQuotes(), nullptr, FileID()};
  if (auto F = I.getFile())
    D.File = &F->getFileEntry();
  // `#`, `include` and the rest of the line.
  const StringRef Text = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), LO, Text.begin(),
            Text.begin() + Begin, Text.end());
  Token T;
  for (unsigned N = 0; !Raw.LexFromRawLexer(T) || !T.is(tok::eof); ++N) {
    if (N > 0 && T.isAtStartOfLine())
      break;
    const unsigned At = SM.getFileOffset(T.getLocation());
    if (N == 2)
      D.NameBegin = At;
    D.End = At + T.getLength();
    if (N == 2 && T.is(tok::less)) { // what stands there may be no token
      const size_t Close = Text.find('>', At);
      D.End = Close == StringRef::npos ? D.End : Close + 1;
      break;
    }
  }
  Directives[File].push_back(std::move(D));
}

void CudaHeaders::findEntered() {
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
    if (!E.isFile() || E.getFile().getIncludeLoc().isInvalid())
      continue;
    const FileID File =
        SM.getFileID(SourceLocation::getFromRawEncoding(E.getOffset()));
    const auto [By, At] =
        SM.getDecomposedExpansionLoc(E.getFile().getIncludeLoc());
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
void CudaHeaders::addOnce(EditList &Edits) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const auto &[File, In] : Directives) {
      if (Pasted.count(File) || !Includers.count(File) ||
          llvm::none_of(In, [&](const Directive &D) { return isRepeated(D); }))
        continue;
      if (Edits.file(File))
        Changed = Pasted.insert(File).second;
      else
        Edits.error("CR1502",
                    "this system header includes a header of the project's "
                    "whose device code is translated, and would get it again; "
                    "make it one of the project's (-I)",
                    SM.getLocForStartOfFile(File));
    }
  }
}

void CudaHeaders::putInOrder(FileID File) {
  for (const Directive &D : Directives[File])
    if (D.Entered.isValid() && Pasted.count(D.Entered))
      putInOrder(D.Entered);
  Order.push_back(File);
}

void CudaHeaders::mendIncludes(FileID File, const Folders &In,
                               EditList &Edits) const {
  refuseQuestions(File, In, Edits);
  const auto Known = Directives.find(File);
  if (Known == Directives.end())
    return;
  const unsigned First = Edits.textOf(File).first;
  for (const Directive &D : Known->second) {
    if (isRepeated(D))
      Edits.replace(First + D.Begin, First + D.End, "");
    else if (D.Entered.isInvalid() || !Pasted.count(D.Entered))
      adapt(File, D, In, Edits);
  }
}

void CudaHeaders::paste(FileID File, EditList &Edits) const {
  if (File == SM.getMainFileID())
    return;
  dropOnce(File, Edits);
  const FileID By = Includers.at(File);
  const auto &Of = Directives.at(By);
  const auto D =
      llvm::find_if(Of, [&](const Directive &D) { return D.Entered == File; });
  if (D == Of.end())
    return; // CR1502
  const auto Text = Edits.textOf(File);
  std::string Whole = Edits.text(Text.first, Text.second);
  StringRef Body = Whole;
  Body.consume_front("\xEF\xBB\xBF"); // the mark of UTF-8
  Body = Body.trim("\r\n");
  // What follows the directive in its line goes on in one of its own.
  const StringRef Rest = SM.getBufferData(By).substr(D->End).take_until(
      [](char C) { return C == '\n'; });
  const unsigned Blanks = Rest.size() - Rest.ltrim(" \t").size();
  // (A name that ends its line with a backslash would go on in the next.)
  const StringRef Name =
      path::is_absolute(D->Name) ? path::filename(D->Name) : StringRef(D->Name);
  const std::string Title = Name.contains('\\') ? "an include" : Name.str();
  const auto Place = Edits.textOf(By);
  Edits.replace(Place.first + D->Begin, Place.first + D->End + Blanks,
                "// From " + Title + ":\n" + Body.str() + "\n// End of " +
                    Title + "." + (Rest.trim().empty() ? "" : "\n"));
}

/// Where quoted names of File's are looked for first.
llvm::SmallString<256> CudaHeaders::folderOf(FileID File,
                                             const Folders &In) const {
  llvm::SmallString<256> Here(In.Source);
  const auto Ref = SM.getFileEntryRefForID(File);
  if (!Ref || File == SM.getMainFileID())
    return Here;
  Here = path::parent_path(Ref->getName());
  SM.getFileManager().makeAbsolutePath(Here);
  return Here;
}

bool CudaHeaders::isSkipped(SourceLocation Loc) const {
  return llvm::any_of(Skipped, [&](SourceRange R) {
    return SM.isPointWithin(Loc, R.getBegin(), R.getEnd());
  });
}

/// `__has_include("x.h")` is answered from where the text lies.
void CudaHeaders::refuseQuestions(FileID File, const Folders &In,
                                  EditList &Edits) const {
  if (In.Output.empty() || folderOf(File, In) == In.Output)
    return;
  Lexer Raw(File, SM.getBufferOrFake(File), SM, LO);
  Token T;
  for (unsigned Words = 0; !Raw.LexFromRawLexer(T);) {
    if (T.is(tok::raw_identifier))
      Words = T.getRawIdentifier() == "__has_include";
    else if (Words == 1 && T.is(tok::l_paren))
      Words = 2;
    else if (Words == 2 && T.is(tok::string_literal)) {
      Words = 0;
      if (isSkipped(T.getLocation()))
        continue;
      Edits.error("CR1502",
                  "what __has_include finds here may not be found from the "
                  "folder of the result; name that folder beside the source",
                  T.getLocation());
    } else
      Words = 0;
  }
}

/// `#include "x.h"` names the same file from the output's folder, and from the
/// source's where a header's text is in the source now.
void CudaHeaders::adapt(FileID File, const Directive &D, const Folders &In,
                        EditList &Edits) const {
  if (In.Output.empty() || !D.IsQuoted || !D.File ||
      path::is_absolute(D.Name) || D.NameBegin == 0)
    return;
  const llvm::SmallString<256> Here = folderOf(File, In);
  auto IsFile = [&](StringRef Path) {
    const auto Ref = SM.getFileManager().getOptionalFileRef(Path);
    return Ref && &Ref->getFileEntry() == D.File;
  };
  auto Beside = [&](StringRef Folder) {
    llvm::SmallString<256> Path(Folder);
    path::append(Path, D.Name);
    return Path;
  };
  // Found by a search path, it is found again, unless another one is nearer.
  const llvm::SmallString<256> Was = Beside(Here), Will = Beside(In.Output);
  if (IsFile(Was) ? Here == In.Output
                  : (!llvm::sys::fs::exists(Will) || IsFile(Will)))
    return;
  // (Behind a link `..` is not where the name says.)
  llvm::SmallString<256> Target(Was);
  path::remove_dots(Target, /*remove_dot_dot=*/true);
  if (!IsFile(Target)) {
    Target = D.File->tryGetRealPathName();
    if (Target.empty())
      return;
  }
  const unsigned First = Edits.textOf(File).first;
  Edits.replace(First + D.NameBegin, First + D.End,
                '"' + relativePath(Target, In.Output) + '"');
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
    const unsigned First = Edits.textOf(File).first;
    const unsigned End = At + T.getLength();
    const bool WholeLine = Text.substr(End).starts_with("\n");
    Edits.replace(First + Hash, First + End + WholeLine, "");
    Words = 0;
  }
}
