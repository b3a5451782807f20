//===- Unit.h - one source file from text to results -------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parse, lift, prove, emit, verify: everything that concerns one source and
// nothing that concerns two. Writes no file (but for verification's own
// folder), prints nothing, and may run in several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_UNIT_H
#define RAISE_DRIVER_UNIT_H

#include "raise/Driver/Config.h"
#include "raise/Driver/Database.h"
#include "raise/Driver/Options.h"
#include "raise/Report/Review.h"

namespace raise {

class ResultCache;

/// What a run has in common for all its files.
struct UnitSettings {
  const ToolOptions *Tool = nullptr;
  std::string Headers; ///< folder that holds runtime/ and prelude/
  /// The --config file, already read; else each source's nearest is used.
  std::optional<Config> FixedConfig;
  ResultCache *Cache = nullptr; ///< null: nothing is kept
  /// Headers below this folder are worked on with the sources that include
  /// them; empty: no headers.
  std::string HeadersBelow;
};

struct UnitOutput {
  /// In source order. Empty where Errors has entries.
  std::vector<Result> Results;
  /// Why the source, its compile command or its configuration cannot be used:
  /// exit status 2, nothing is written for it.
  std::vector<Reason> Errors;
  /// What a CUDA file holds that has no translation: exit status 1, nothing is
  /// written for it.
  std::vector<Reason> Refused;
  std::string OldText;
  /// The rewritten text, also if nothing changed; unset for explain, after an
  /// error and after a refusal.
  std::optional<std::string> NewText;
  /// For grad: the header beside NewText.
  std::optional<std::string> HeaderText;
  /// For a report of grad: what `rewrite` would make of the source.
  std::optional<std::string> RaisedText;
  bool Cuda = false;
  /// For --depfile: the files that it all was made from, sorted.
  std::vector<std::string> Inputs;
  /// Marked blocks of the source that a person changed, as places.
  std::vector<Reason> EditedBlocks;
  /// The entries of ToolOptions::Functions that some function of the file
  /// answers to, and all qualified names that could have been meant.
  std::vector<std::string> FunctionsFound, FunctionNames;
  /// For --report: as many as Results, and the functions that were looked at.
  std::vector<ReviewDetail> Details;
  std::vector<ReviewFunction> Functions;
  /// The project's headers with loops, as this source sees them: HeaderPath
  /// names them.
  std::vector<UnitOutput> Headers;
  std::string HeaderPath;
};

/// OutputFolder is where a translated CUDA file will lie (its relative includes
/// are adapted to it).
UnitOutput processUnit(const SourceFile &Source, llvm::StringRef OutputFolder,
                       const UnitSettings &Settings);

} // namespace raise

#endif // RAISE_DRIVER_UNIT_H
