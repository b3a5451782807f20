//===- Parse.h - from a compile command to a Clang AST ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A user's compile command is made fit for parsing with the Clang that this
// project links: what belongs to code generation, output, dependency files or
// nvcc alone is taken out, CUDA is parsed for the host against the shipped
// prelude. A command is only ever read, never run.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_PARSE_H
#define RAISE_FRONTEND_PARSE_H

#include "raise/Frontend/FileFacts.h"
#include "raise/IR/Context.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/CompilationDatabase.h"
#include <optional>

namespace raise {

/// A command that parseSource takes.
struct ParseCommand {
  std::string Directory; ///< relative paths of the arguments start here
  std::string File;      ///< absolute path of the source
  std::vector<std::string> Arguments; ///< Arguments[0] names the driver
  bool Cuda = false;                  ///< the source is CUDA
  bool LanguageC = false;             ///< the source is C
  bool OpenMP = false;                ///< compiled with -fopenmp
  bool OpenMPSimd = false;            ///< with -fopenmp or -fopenmp-simd
  bool MathErrno = true;              ///< without -fno-math-errno (-ffast-math)
};

/// Where the shipped headers are: <folder of the tool>/../lib/clang-raise.
/// `MainAddress` is any address inside the running program.
std::string shippedHeaders(const char *Argv0, void *MainAddress);

/// The command to parse Cmd's file with. `Headers` is what shippedHeaders
/// returned; its `prelude` folder is used for CUDA sources.
ParseCommand adjustCommand(const clang::tooling::CompileCommand &Cmd,
                           llvm::StringRef Headers);

/// Has Cmd's file parsed with definitions of library functions (CBLAS), whose
/// calls are then read as calls of these: for derivatives, which follow from
/// them. What is written back into a source must not be read so.
void addLibraryRules(ParseCommand &Cmd, llvm::StringRef Headers);

/// Launches spelled with spaces, `k << < g, b >> > (...)`, which nvcc takes and
/// Clang does not: the same text, of the same length, with `<<<` and `>>>`
/// joined. Nothing where there is none. Comments and strings are not touched.
std::optional<std::string> mendLaunches(llvm::StringRef Source);

/// Parses the file. Errors holds Clang's errors, each with its place
/// ("k.cu:3:5: use of undeclared identifier 'x'"); if there are any the result
/// is null. Warnings are dropped. Safe to call from several threads at once.
/// With Facts, notes there what was read; Facts must outlive the result.
std::unique_ptr<clang::ASTUnit> parseSource(const ParseCommand &Cmd,
                                            std::vector<Reason> &Errors,
                                            FileFacts *Facts = nullptr);

/// Sets the fields of Opts that follow from how the file is compiled.
void applyCommand(const ParseCommand &Cmd, Options &Opts);

} // namespace raise

#endif // RAISE_FRONTEND_PARSE_H
