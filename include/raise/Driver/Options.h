//===- Options.h - the command line ------------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The command line as data. Nothing below Driver reads a flag: what a library
// needs of it is handed down in raise::Options.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_OPTIONS_H
#define RAISE_DRIVER_OPTIONS_H

#include "raise/IR/Context.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace raise {

enum class Command { Rewrite, Grad, Explain };
llvm::StringRef nameOf(Command C); ///< as it is typed

/// What was asked for. Fields that `.clang-raise` may set too are optional
/// here: the command line wins where it says something.
struct ToolOptions {
  Command Cmd = Command::Explain;
  std::vector<std::string> Sources;     ///< as spelled; empty: the database's
  std::optional<std::string> BuildPath; ///< -p
  std::vector<std::string> Functions;   ///< --function
  std::vector<std::string> Wrt, Of;     ///< --wrt, --of; empty: defaults
  bool Forward = false;                 ///< --mode=forward; else reverse
  bool Split = false;                   ///< adjoints as two functions
  unsigned Directions = 1;              ///< tangents at once
  std::optional<std::string> Output;    ///< -o; "-" is standard output
  bool InPlace = false, Diff = false, Check = false;
  std::optional<std::string> FixesFile; ///< --export-fixes
  std::optional<bool> Verify;
  bool Quiet = false; ///< no remarks
  bool RequireRaised = false, RequireVerified = false;
  std::optional<FPMode> FP;
  std::optional<AliasMode> Alias;
  std::optional<Dialect> Target;
  std::optional<std::string> JsonFile, SarifFile, ConfigFile;
  std::optional<std::string> Depfile;      ///< --depfile
  std::optional<std::string> CacheFolder;  ///< --cache
  std::optional<std::string> ReportFolder; ///< --report
  unsigned Jobs = 1;
  unsigned Shard = 1, Shards = 1; ///< --shard=1/1
  /// The command line that writes what `--check` compares, for a shell.
  std::string Repair;
  /// After `--`; set (perhaps empty) where `--` was given.
  std::optional<std::vector<std::string>> CompileFlags;
};

/// Options that print something and end the run.
struct ImmediateAnswer {
  enum class What { Help, Version, IncludeDir } W = What::Help;
  std::optional<Command> About; ///< --help after a command
};

struct ParsedArguments {
  ToolOptions Options;
  std::optional<ImmediateAnswer> Answer;
};

/// Reads the arguments (without the program's name). An error says what is
/// wrong and what to write instead; an unknown option names the nearest known
/// one.
llvm::Expected<ParsedArguments>
parseArguments(llvm::ArrayRef<llvm::StringRef> Args);

/// The text of --help, for all commands or for one.
std::string helpText(std::optional<Command> About);

/// The entry of Candidates with the smallest edit distance to Word, or "" if
/// none is near enough to be what was meant.
llvm::StringRef nearestName(llvm::StringRef Word,
                            llvm::ArrayRef<llvm::StringRef> Candidates);

llvm::Expected<FPMode> parseFPMode(llvm::StringRef Text);
llvm::Expected<AliasMode> parseAliasMode(llvm::StringRef Text);
/// Only the dialects that are built are accepted.
llvm::Expected<Dialect> parseTarget(llvm::StringRef Text);

} // namespace raise

#endif // RAISE_DRIVER_OPTIONS_H
