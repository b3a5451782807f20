//===- Sarif.h - code-scanning results ---------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_SARIF_H
#define RAISE_REPORT_SARIF_H

#include "raise/Report/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise {

/// A run, as SARIF describes one.
struct SarifRun {
  llvm::ArrayRef<Result> Results;
  /// Places that have no translation, or no derivative: errors with a code.
  llvm::ArrayRef<Reason> Refused;
  /// What went wrong beyond that: a source that cannot be used, a check that
  /// failed. Where the place has no line, the file alone is named.
  llvm::ArrayRef<Reason> Problems;
  int ExitStatus = 0;
  std::string Version; ///< of clang-raise
  /// Absolute folders. Files below Root are named relative to it; Here is what
  /// relative names start from.
  std::string Root, Here;
  /// The text of a file as results name it, for columns, which count
  /// characters here; "" where it is not known.
  llvm::function_ref<llvm::StringRef(llvm::StringRef File)> TextOf;
};

/// A SARIF 2.1.0 log of one run, ending with a newline. A loop that several
/// results tell the same of (that of a header) is there once.
std::string toSarif(const SarifRun &Run);

/// The text of docs/diagnostics/<Code>.md; "" if there is none.
llvm::StringRef diagnosticPage(llvm::StringRef Code);

} // namespace raise

#endif // RAISE_REPORT_SARIF_H
