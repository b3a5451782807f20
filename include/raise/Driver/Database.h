//===- Database.h - which files, compiled how --------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the compile commands of the sources. A command is only ever read, never
// run.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_DATABASE_H
#define RAISE_DRIVER_DATABASE_H

#include "raise/Driver/GradientRequest.h"
#include "raise/Driver/Options.h"
#include "clang/Tooling/CompilationDatabase.h"

namespace raise {

/// One source file and its compile commands.
struct SourceFile {
  std::string Path;    ///< absolute, without . and ..
  std::string Display; ///< as results and remarks name it
  /// At least one; distinct. More than one where a project compiles the file
  /// several times.
  std::vector<clang::tooling::CompileCommand> Commands;
  /// Set where this source cannot be used: what is wrong and what to do. The
  /// others are still processed.
  std::string Problem;
  /// Where the configuration says which derivatives are made: these, and the
  /// file that they go to (absolute). Empty: the command line says it.
  std::vector<GradientRequest> Gradients;
  std::string Output;
};

/// The sources that Opts asks for, without duplicates: in the order of the
/// command line, or sorted by path for a whole database. An error is one that
/// concerns all of them, such as a broken compile_commands.json.
llvm::Expected<std::vector<SourceFile>> findSources(const ToolOptions &Opts);

} // namespace raise

#endif // RAISE_DRIVER_DATABASE_H
