//===- OwnText.h - headers that belong to their source ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. A file that stands beside a source includes the
// headers that the source includes. Not all of them can be included twice in
// one program, or by a compiler of the host: one that holds device code, or
// that defines what is exported, is a part of its source like the main file.
// What is needed of it is repeated in its place.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_OWNTEXT_H
#define RAISE_LIB_DRIVER_OWNTEXT_H

#include "raise/IR/Context.h"
#include "clang/Basic/SourceLocation.h"
#include <map>
#include <set>
#include <vector>

namespace clang {
class ASTUnit;
class FileEntry;
class SourceManager;
} // namespace clang

namespace raise {

class OwnText {
public:
  /// Unit outlives this.
  explicit OwnText(clang::ASTUnit &Unit);

  bool has(clang::FileID File) const { return Files.count(File) != 0; }
  /// Where a macro is expanded counts.
  bool has(clang::SourceLocation Loc) const;
  /// Whether an include of File is left out.
  bool replaces(const clang::FileEntry *File) const {
    return Entries.count(File) != 0;
  }

  /// Where Loc stands in one text, in which those headers take the place of
  /// their includes. Loc is written in one of the files.
  unsigned offset(clang::SourceLocation Loc) const;

  /// CR1809 where such a header is included by one that is no file of the
  /// project's, so that it cannot be left out.
  llvm::ArrayRef<Reason> errors() const { return Errors; }

private:
  void addIncluders();
  void layOut();
  unsigned sizeOf(clang::FileID File) const;

  const clang::SourceManager &SM;
  std::set<clang::FileID> Files; ///< the main one too
  std::set<const clang::FileEntry *> Entries;
  std::map<clang::FileID, unsigned> Begins;
  /// What a file includes of Files: where, and what.
  std::map<clang::FileID, std::vector<std::pair<unsigned, clang::FileID>>>
      Inside;
  std::vector<Reason> Errors;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_OWNTEXT_H
