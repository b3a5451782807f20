//===- CudaEdits.h - changes of a source text -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CUDAEDITS_H
#define RAISE_LIB_DRIVER_CUDAEDITS_H

#include "raise/IR/Context.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include <set>
#include <vector>

namespace raise {

/// Edits of the main file and of the project's headers that it includes, by
/// offsets into one text: the main file's, in bytes, then that of every other
/// file that was entered (once for each time). Replacements do not overlap;
/// insertions may nest around each other and inside pieces that are taken out
/// again with their edits applied (`text`). No range lies in two files.
class EditList {
public:
  EditList(const clang::SourceManager &SM, const clang::LangOptions &LO);

  /// Offset of a location that is written in one of the files (not in a
  /// macro's body); None and an error otherwise.
  std::optional<unsigned> offset(clang::SourceLocation Loc, const char *What);
  /// The same, behind the token at Loc.
  std::optional<unsigned> offsetAfter(clang::SourceLocation Loc,
                                      const char *What);

  void replace(unsigned Begin, unsigned End, std::string Text);
  /// Text before and after [Begin, End), which is wrapped once more for each
  /// call; outer ranges must be wrapped first.
  void wrap(unsigned Begin, unsigned End, std::string Before,
            std::string After);
  /// The piece [Begin, End) with all edits inside it applied.
  std::string text(unsigned Begin, unsigned End) const;
  std::string original(unsigned Begin, unsigned End) const {
    return llvm::StringRef(Source).slice(Begin, End).str();
  }
  /// The piece, taken out of the text between, whose edits are dropped.
  void replaceAll(unsigned Begin, unsigned End, std::string Text);

  using Piece = std::pair<unsigned, unsigned>;
  /// The text of a file; None for one that is not the project's.
  std::optional<Piece> file(clang::FileID File) const;
  /// The text of one of files().
  Piece textOf(clang::FileID File) const {
    return file(File).value_or(Piece());
  }
  bool covers(clang::SourceLocation Loc) const;
  bool isChanged(clang::FileID File) const;
  /// All files, the main one first, then in the order in which they were
  /// entered.
  llvm::ArrayRef<clang::FileID> files() const { return Files; }

  bool mentions(llvm::StringRef Word) const {
    return llvm::StringRef(Source).contains(Word);
  }

  /// While it is set, errors are not kept: what has no translation is left.
  bool Silent = false;
  void error(std::string Code, std::string Text, clang::SourceLocation Loc);
  std::vector<Reason> Errors;

private:
  struct Edit {
    unsigned Begin, End;
    std::string Text;
    int Rank; ///< order among edits at one offset
  };
  bool isOneFile(unsigned Begin, unsigned End);

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;
  std::string Source;
  std::vector<clang::FileID> Files;
  std::vector<Piece> Pieces; ///< of each of Files, in their order
  std::vector<Edit> Edits;
  int Wraps = 0;
  std::set<std::pair<std::string, unsigned>> Told;
};

/// Records what changes inside of functions: launches, __shared__ variables,
/// volatile accesses in device code, dropped attributes. Skipped: what the
/// preprocessor left out.
void editBodies(clang::ASTContext &AST, EditList &Edits,
                llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CUDAEDITS_H
