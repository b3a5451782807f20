//===- LibraryHeaders.h - what emitted text needs of others -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LIBRARYHEADERS_H
#define RAISE_LIB_DRIVER_LIBRARYHEADERS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class Preprocessor;
}

namespace raise {

/// Which libraries emitted text names.
struct LibraryUse {
  bool Eigen = false, Blas = false;
  LibraryUse() = default;
  explicit LibraryUse(llvm::StringRef Emitted) { add(Emitted); }
  void add(llvm::StringRef Emitted);
  /// The lines that they need.
  std::string includes(llvm::StringRef End = "\n") const;
};

/// Text with what Uses needs behind the includes that it begins with, but for
/// what one of them brings.
std::string withHeaders(llvm::StringRef Text, LibraryUse Uses);

/// Where Text goes on behind the includes that it begins with, or else behind
/// the comment.
size_t behindIncludes(llvm::StringRef Text);

/// Whether a compile command finds <cblas.h>.
bool findsBlas(clang::Preprocessor &PP);

/// Why nothing was compiled where eigenFolder() has no answer.
inline constexpr llvm::StringLiteral EigenNotFound =
    "<Eigen/Core> was not found; say where it is by 'eigen-include' in "
    ".clang-raise";

/// The folder that a compile command needs for <Eigen/Core>: "" if it finds
/// that by itself, nothing if it cannot be found. Configured may be empty.
std::optional<std::string> eigenFolder(clang::Preprocessor &PP,
                                       llvm::StringRef Configured);

} // namespace raise

#endif // RAISE_LIB_DRIVER_LIBRARYHEADERS_H
