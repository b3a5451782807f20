//===- ChooseSources.h - which of the sources are worked on -------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CHOOSESOURCES_H
#define RAISE_LIB_DRIVER_CHOOSESOURCES_H

#include "raise/Driver/Unit.h"

namespace raise {

/// Whether what is written, shown or checked are the sources themselves.
bool editsSources(const ToolOptions &Opts);

/// Keeps the files of the shard that Opts asks for. A file's shard follows from
/// its place below Root alone, so other files may come and go.
void takeShard(std::vector<SourceFile> &Sources, const ToolOptions &Opts,
               llvm::StringRef Root);

/// Takes out of Sources what the configuration excludes, and where sources are
/// edited, what a database names outside of the project's folder. Returns what
/// is to be said of that, with the file in the place. LeftOut gets what was
/// taken out.
std::vector<Reason> leaveOut(std::vector<SourceFile> &Sources,
                             const ToolOptions &Opts,
                             const std::optional<Config> &FixedConfig,
                             llvm::StringRef ProjectRoot,
                             std::vector<SourceFile> &LeftOut);

/// Of sources that are one file under several names: all become one text, or
/// stay as they are.
void reconcile(llvm::ArrayRef<SourceFile> Sources,
               llvm::MutableArrayRef<UnitOutput> Units);

/// No two texts fit in one file: Unit changes nothing.
void leaveForConflict(UnitOutput &Unit);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CHOOSESOURCES_H
