//===- EigenHeader.h - what text with Eigen's expressions needs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_EIGENHEADER_H
#define RAISE_LIB_DRIVER_EIGENHEADER_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class Preprocessor;
}

namespace raise {

/// Whether Text, which was emitted, names something of Eigen's.
bool usesEigen(llvm::StringRef Text);

/// Text with `#include <Eigen/Core>` behind the includes that it begins with,
/// unless one of them is of Eigen's.
std::string withEigenHeader(llvm::StringRef Text);

/// The folder that a compile command needs for <Eigen/Core>: "" if it finds
/// that by itself, nothing if it cannot be found. Configured may be empty.
std::optional<std::string> eigenFolder(clang::Preprocessor &PP,
                                       llvm::StringRef Configured);

} // namespace raise

#endif // RAISE_LIB_DRIVER_EIGENHEADER_H
