//===- Internal.h - the parts of verification -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_INTERNAL_H
#define RAISE_LIB_VERIFY_INTERNAL_H

#include "raise/Verify/Discovery.h"

namespace raise {

/// Numbers of the harness's enum Kind, which are those of the types' table.
unsigned harnessKind(const Type &T);

/// The program that loads both libraries and compares: one caller for each job.
std::string harnessSource(llvm::ArrayRef<VerifyJob> Jobs);

/// Writes the inputs in the harness's format; false if the file cannot be
/// written.
bool writeData(llvm::StringRef Path, const VerifyJob &Job,
               const std::vector<TestInput> &Inputs);

/// A program's outcome: exit status (negative: could not be run or was killed)
/// and everything that it printed.
struct ProgramResult {
  int Status = -1;
  std::string Output;
  bool TimedOut = false;
};
ProgramResult runProgram(llvm::ArrayRef<std::string> Arguments,
                         llvm::StringRef OutputFile, unsigned Seconds);

/// The first error in the compiler's output; empty if it succeeded.
std::string firstError(const ProgramResult &R);

/// Builds SourceFile with entries for the given jobs into a shared library.
/// Returns the compiler's first error; empty on success.
std::string buildLibrary(llvm::ArrayRef<const VerifyJob *> Jobs,
                         llvm::ArrayRef<unsigned> Numbers,
                         llvm::StringRef SourceFile,
                         std::string VerifyJob::*Below, bool Exact,
                         llvm::StringRef RuntimeDir, llvm::StringRef WorkDir,
                         llvm::StringRef Name);
/// Compiler and flags for a program that is compiled as the project is, with
/// every rounding as written.
std::vector<std::string> compileArguments(const VerifyJob &Job,
                                          llvm::StringRef RuntimeDir);
std::string buildHarness(llvm::ArrayRef<VerifyJob> Jobs,
                         llvm::StringRef WorkDir, llvm::StringRef Name);

/// Whether the project's flags can round differently from -ffp-contract=off.
bool flagsAffectRounding(llvm::ArrayRef<std::string> Flags);
/// Whether the flags say that there are no NaNs or infinities.
bool flagsAssumeFinite(llvm::ArrayRef<std::string> Flags);

} // namespace raise

#endif // RAISE_LIB_VERIFY_INTERNAL_H
