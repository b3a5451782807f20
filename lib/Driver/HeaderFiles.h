//===- HeaderFiles.h - headers that are edited with their sources -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A header is worked on as part of each source that includes it, and edited
// once, where all sources of the database say the same of it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_HEADERFILES_H
#define RAISE_LIB_DRIVER_HEADERFILES_H

#include "raise/Driver/Unit.h"
#include "raise/Frontend/FileFacts.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace raise {

struct ProjectHeader {
  std::string Spelled; ///< as Clang names it, and places in the IR do
  std::string Path;    ///< absolute, without . and ..
  clang::FileID File;
  /// Set where its text stands for several things: why it cannot be edited.
  std::string Problem;
};

/// The headers of a source that lie below Settings.HeadersBelow, are not
/// excluded, and hold a function with a loop that is no instantiation of a
/// template; in the order of their paths. Folder is that of the compile
/// command. Facts (may be null) gets what this rests on.
std::vector<ProjectHeader> projectHeaders(clang::ASTContext &AST,
                                          llvm::StringRef Folder,
                                          const UnitSettings &Settings,
                                          FileFacts *Facts);

/// Whether some header of the units would change.
bool editsHeaders(llvm::ArrayRef<UnitOutput> Units);

/// Moves the headers of Units into entries of their own behind them, each
/// header once: changed if all units that see it, Witnesses included, say the
/// same of it. With Doubt (why some source could not be asked) none is changed.
void addHeaders(std::vector<SourceFile> &Sources,
                std::vector<UnitOutput> &Units,
                llvm::ArrayRef<UnitOutput> Witnesses, llvm::StringRef Doubt);

} // namespace raise

#endif // RAISE_LIB_DRIVER_HEADERFILES_H
