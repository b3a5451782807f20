//===- Config.h - the reader of .clang-raise ---------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Settings of a project, in YAML; docs/configuration.md lists the keys. To add
// one, add a row to the table in Config.cpp and a field here.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_CONFIG_H
#define RAISE_DRIVER_CONFIG_H

#include "raise/Driver/GradientRequest.h"
#include "raise/Grad/Signature.h"
#include "raise/IR/Context.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>

namespace raise {

struct Config {
  std::string Path; ///< where it was read; empty for the defaults
  /// Qualified names of functions; `*` matches any text. An empty Include
  /// takes all.
  std::vector<std::string> Include, Exclude;
  /// Files and folders whose sources are not edited, from the configuration's
  /// folder; `*` matches any text but `/`, `**` any text.
  std::vector<std::string> ExcludeFiles;
  /// Where results are kept, as written; empty: nowhere.
  std::string CacheFolder;
  std::optional<FPMode> FP;
  std::optional<AliasMode> Alias;
  std::optional<Dialect> Target;
  std::optional<bool> Verify;
  /// Folder of <Eigen/Core>, for --verify where the flags do not lead to it.
  std::string EigenInclude;
  /// Products of matrices may become calls of CBLAS.
  bool Blas = false;
  /// What --verify links for them: the NAME of -lNAME, or a path.
  std::string BlasLibrary = "openblas";
  /// Function, then parameter: the range its verification inputs lie in.
  std::map<std::string, llvm::StringMap<std::string>> Inputs;
  /// Where those of a function stand: "FileName:line:column".
  std::map<std::string, std::string> InputsAt;
  /// Of a function: those that give its derivatives, by qualified names; what
  /// is empty is not given.
  struct Rule {
    std::string Tangent, Adjoint;
    unsigned Line = 0, Column = 0;
  };
  std::map<std::string, Rule> Derivatives;
  /// Function: how `grad` reverses its loop over time steps.
  std::map<std::string, grad::Checkpoints> Steps;
  /// What `grad` makes where no function is named. Source and Output as
  /// written, from the configuration's folder.
  struct GradientEntry {
    GradientRequest Request;
    std::string Source, Output;
  };
  std::vector<GradientEntry> Gradients;
  MachineFacts Machine;

  /// Whether Include and Exclude let this function through.
  bool selects(llvm::StringRef QualifiedName) const;
  /// Whether ExcludeFiles names this file (an absolute path) or a folder above
  /// it.
  bool excludesFile(llvm::StringRef File) const;
};

/// Reads a configuration from text. An error names FileName:line:column, the
/// key and, where one is near, the key that was meant.
llvm::Expected<Config> parseConfig(llvm::StringRef Text,
                                   llvm::StringRef FileName);

/// Reads that file; an error if it cannot be read.
llvm::Expected<Config> loadConfig(llvm::StringRef Path);

/// Path of the nearest `.clang-raise` in the folder of the file or above, or
/// "".
std::string findConfig(llvm::StringRef SourceFile);

/// What holds for SourceFile: Fixed where it is set, else the nearest
/// configuration, else the defaults. Errors as loadConfig.
llvm::Expected<Config> configFor(llvm::StringRef SourceFile,
                                 const std::optional<Config> &Fixed);

} // namespace raise

#endif // RAISE_DRIVER_CONFIG_H
