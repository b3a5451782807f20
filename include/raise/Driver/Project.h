//===- Project.h - what belongs to the user's project ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_PROJECT_H
#define RAISE_DRIVER_PROJECT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace raise {

/// Path with every symbolic link resolved, of what exists of it.
std::string resolvedPath(llvm::StringRef Path);

/// The project's folder, without symbolic links: the nearest folder with a
/// `.clang-raise` or `.git`, searched upward from BuildPath and then from the
/// current folder; else what CMake's cache in BuildPath names as its sources;
/// else BuildPath; else the current folder.
std::string projectRoot(const std::optional<std::string> &BuildPath);

/// Whether the file, once its links are resolved, lies below Root.
bool liesBelow(llvm::StringRef Root, llvm::StringRef File);

/// As messages name it: relative to the current folder where the file lies
/// below it.
std::string displayPath(llvm::StringRef Absolute);

} // namespace raise

#endif // RAISE_DRIVER_PROJECT_H
