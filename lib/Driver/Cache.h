//===- Cache.h - results that are known already -------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One file for each source and way of asking. It holds what the result was made
// from - each file that was read with a hash of its content, each that was
// looked for and not there - and the result. It answers only where all of that
// is so now, for the same build of the tool.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CACHE_H
#define RAISE_LIB_DRIVER_CACHE_H

#include "raise/Driver/Unit.h"
#include "raise/Frontend/FileFacts.h"
#include <mutex>

namespace raise {

class ResultCache {
public:
  /// What the source is asked for, apart from what files hold: the tool's
  /// build, the options, the commands, the environment.
  static std::string keyOf(const SourceFile &Source,
                           llvm::StringRef OutputFolder,
                           const UnitSettings &Settings);

  /// Folder need not be there. OldText is not part of what is kept.
  std::optional<UnitOutput> find(llvm::StringRef Folder, llvm::StringRef Key);

  /// A result that cannot be kept is no error.
  void keep(llvm::StringRef Folder, llvm::StringRef Key,
            const UnitOutput &Output, FileFacts Facts);

  /// As currentFact; asked once a run.
  std::string factOf(const std::string &Key);

private:
  std::mutex Mutex;
  FileFacts Known;
};

/// Facts about the files that decide, besides those that parsing reads, what
/// the source becomes: its configuration and its style of formatting.
FileFacts settingsFacts(llvm::StringRef Source, const UnitSettings &Settings);

/// The files that were read, sorted; not what was only looked at.
std::vector<std::string> filesOf(const FileFacts &Facts);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CACHE_H
