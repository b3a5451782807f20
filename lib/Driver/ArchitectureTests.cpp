//===- ArchitectureTests.cpp - code that asks for its device --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArchitectureTests.h"
#include "CudaEdits.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace raise;
using llvm::StringRef;

void ArchitectureTests::addBody(const clang::FunctionDecl &FD, bool IsDevice) {
  const clang::Stmt *S =
      FD.doesThisDeclarationHaveABody() ? FD.getBody() : nullptr;
  if (!S)
    return;
  const auto From = SM.getDecomposedExpansionLoc(S->getBeginLoc()),
             To = SM.getDecomposedExpansionLoc(S->getEndLoc());
  if (From.first == To.first)
    Bodies.push_back({From.first, From.second, To.second, IsDevice});
}

/// The innermost one.
const ArchitectureTests::Body *ArchitectureTests::around(clang::FileID File,
                                                         unsigned At) const {
  const Body *Found = nullptr;
  for (const Body &B : Bodies)
    if (B.File == File && B.Begin < At && At < B.End &&
        (!Found || B.Begin > Found->Begin))
      Found = &B;
  return Found;
}

bool ArchitectureTests::isSkipped(clang::FileID File, unsigned At) const {
  return llvm::any_of(Skipped, [&](const clang::SourceRange &R) {
    const auto From = SM.getDecomposedLoc(R.getBegin()),
               To = SM.getDecomposedLoc(R.getEnd());
    return From.first == File && From.second < At && At < To.second;
  });
}

/// Where the line of Text that holds At begins, with those that go on in it.
static size_t directiveAt(StringRef Text, size_t At) {
  size_t Begin = Text.rfind('\n', At) + 1; // 0 after npos
  while (Begin > 0 && Text.take_front(Begin - 1).rtrim("\r").ends_with("\\"))
    Begin = Text.rfind('\n', Begin - 1 ? Begin - 2 : 0) + 1;
  return Begin;
}

/// Whether Line compares with the number of an architecture: 0 and 1 ask no
/// more than whether there is one.
static bool comparesVersion(StringRef Line) {
  unsigned Digits = 0, Most = 0;
  for (const char C : Line) {
    Digits = llvm::isDigit(C) ? Digits + 1 : 0;
    Most = std::max(Most, Digits);
  }
  return Most >= 3 && Line.find_first_of("<>=") != StringRef::npos;
}

void ArchitectureTests::checkFile(clang::FileID File, EditList &Edits) const {
  const StringRef Text = SM.getBufferData(File);
  for (size_t At = Text.find("__CUDA_ARCH__"); At != StringRef::npos;
       At = Text.find("__CUDA_ARCH__", At + 1)) {
    const size_t Begin = directiveAt(Text, At);
    StringRef Line = Text.substr(Begin, Text.find('\n', At) - Begin);
    const size_t Hash = Begin + (Line.size() - Line.ltrim().size());
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (!Line.starts_with("if") && !Line.starts_with("elif"))
      continue;
    const Body *In = around(File, unsigned(At));
    const bool AsksNumber = comparesVersion(Line);
    if ((In ? In->IsDevice : !AsksNumber) && !isSkipped(File, unsigned(Hash)))
      Edits.error("CR1508",
                  "what depends on __CUDA_ARCH__ would be what the host gets, "
                  "on which the result runs",
                  SM.getComposedLoc(File, unsigned(Hash)));
  }
}

void ArchitectureTests::check(EditList &Edits) const {
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const clang::SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
    if (!E.isFile() ||
        clang::SrcMgr::isSystem(E.getFile().getFileCharacteristic()))
      continue;
    const auto Loc = clang::SourceLocation::getFromRawEncoding(E.getOffset());
    if (!SM.isInSystemHeader(Loc))
      checkFile(SM.getFileID(Loc), Edits);
  }
}
