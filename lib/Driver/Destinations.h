//===- Destinations.h - where the results of a run go ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_DESTINATIONS_H
#define RAISE_LIB_DRIVER_DESTINATIONS_H

#include "raise/Driver/Database.h"

namespace raise {

/// What is said of a CUDA source that would be edited in place.
inline constexpr llvm::StringRef NotInPlace =
    "a CUDA source becomes a file of its own; name it with -o";

class Destinations {
public:
  Destinations() = default;
  /// Root is the folder that all sources have in common. Options outlives this.
  Destinations(const ToolOptions &Options, llvm::ArrayRef<SourceFile> Sources,
               std::string Root);

  /// Where the result for S lies; empty for standard output.
  std::string of(const SourceFile &S) const;
  /// Of the header beside a file of derivatives; empty for standard output.
  static std::string headerOf(llvm::StringRef Path);

  /// Whatever can be known to fail, before any work is done. Sets the Problem
  /// of a source whose result alone cannot be written.
  llvm::Error check(llvm::MutableArrayRef<SourceFile> Sources) const;

private:
  using NamedFiles = std::vector<std::pair<llvm::StringRef, llvm::StringRef>>;
  bool toStandardOutput() const;
  llvm::StringRef output() const;
  NamedFiles reports() const;
  llvm::Error checkReports(llvm::ArrayRef<SourceFile> Sources) const;
  llvm::Error checkAll(llvm::ArrayRef<SourceFile> Sources) const;
  std::string cannotDeliver(const SourceFile &S) const;

  const ToolOptions *Opts = nullptr;
  std::string Root;
  bool IsConfigured = false; ///< `.clang-raise` says where results go
  bool ToFolder = false;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_DESTINATIONS_H
