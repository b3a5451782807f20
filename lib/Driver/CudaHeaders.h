//===- CudaHeaders.h - headers in the place of their include ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A header of the project's that holds kernels, launches or shared memory is
// translated with the source that includes it: its text, with its edits, takes
// the place of the `#include`. So do the headers through which it is included.
// All others stay as they are, and so do their includes.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CUDAHEADERS_H
#define RAISE_LIB_DRIVER_CUDAHEADERS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <vector>

namespace clang {
class ASTUnit;
class FileEntry;
class InclusionDirective;
class LangOptions;
class SourceManager;
} // namespace clang

namespace raise {

class EditList;

class CudaHeaders {
public:
  /// Translated: files whose text is needed, beside those that Edits changes.
  /// Adds an error to Edits for a file whose text has no place.
  CudaHeaders(clang::ASTUnit &Unit, EditList &Edits,
              std::set<clang::FileID> Translated);

  /// Each header before the one that includes it; the main file last.
  llvm::ArrayRef<clang::FileID> innermostFirst() const { return Order; }

  struct Folders {
    llvm::StringRef Source, Output; ///< absolute
  };

  /// Mends the includes of File for the output's folder. Comes before pieces of
  /// File are taken out with their edits.
  void mendIncludes(clang::FileID File, const Folders &In,
                    EditList &Edits) const;
  /// Puts a header's text where it is included. All edits of File must have
  /// been made.
  void paste(clang::FileID File, EditList &Edits) const;

private:
  struct Directive {
    unsigned Begin, End; ///< in bytes: from `#` to what is no comment any more
    unsigned NameBegin;  ///< what is included begins here, and goes on to End
    std::string Name;    ///< what it is, a macro's name expanded
    bool IsQuoted;
    const clang::FileEntry *File; ///< null where nothing was found
    clang::FileID Entered;        ///< invalid where it was left out
  };
  void readDirectives(clang::ASTUnit &Unit);
  void readDirective(const clang::InclusionDirective &I);
  void findEntered();
  Directive *directiveOf(clang::FileID Header);
  void addIncluders(EditList &Edits);
  void addOnce(EditList &Edits);
  void refuseQuestions(clang::FileID File, const Folders &In,
                       EditList &Edits) const;
  llvm::SmallString<256> folderOf(clang::FileID File, const Folders &In) const;
  bool isSkipped(clang::SourceLocation Loc) const;
  bool isRepeated(const Directive &D) const;
  void putInOrder(clang::FileID File);
  void adapt(clang::FileID File, const Directive &D, const Folders &In,
             EditList &Edits) const;
  void dropOnce(clang::FileID File, EditList &Edits) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;
  std::map<clang::FileID, std::vector<Directive>> Directives;
  std::map<clang::FileID, clang::FileID> Includers;
  std::set<clang::FileID> Pasted;
  std::vector<clang::SourceRange> Skipped; ///< by the preprocessor
  std::vector<clang::FileID> Order;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_CUDAHEADERS_H
