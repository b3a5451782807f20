//===- Deliver.h - what a run leaves on the disk ------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_DELIVER_H
#define RAISE_LIB_DRIVER_DELIVER_H

#include "raise/Driver/Unit.h"

namespace raise {

/// Why Header, beside Path, cannot be written; "" if it can. Nobody named the
/// header: what somebody else wrote is not replaced.
std::string cannotWriteHeader(const std::string &Header, llvm::StringRef Path);

/// An error where somebody has edited the source since it was read, which is to
/// become Text.
llvm::Error checkUnchanged(const SourceFile &S, llvm::StringRef Text,
                           const UnitOutput &U);

/// What came of a run.
struct RunOutcome {
  llvm::ArrayRef<Result> Results;
  llvm::ArrayRef<Reason> Refused, Problems;
  int ExitStatus;
  std::string Project; ///< its folder
};

/// The text of --sarif.
std::string sarifOf(const RunOutcome &Run, llvm::ArrayRef<SourceFile> Sources,
                    llvm::ArrayRef<UnitOutput> Units);

/// Sets Result::Fixes: the edits that rewrite the file, for editors.
void offerFixes(const SourceFile &S, UnitOutput &U);

} // namespace raise

#endif // RAISE_LIB_DRIVER_DELIVER_H
