//===- Preamble.h - includes and macros that are repeated -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. What the preprocessor needs to know in a file that
// repeats parts of a source.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_PREAMBLE_H
#define RAISE_LIB_DRIVER_PREAMBLE_H

#include "SourceParts.h"

namespace raise {

/// The definitions of the macros that the main file defines and that stand at
/// its end, in order.
class MacroParts {
public:
  explicit MacroParts(clang::ASTUnit &Unit);
  llvm::ArrayRef<std::pair<std::string, SourceParts::Piece>> all() const {
    return All;
  }

private:
  std::vector<std::pair<std::string, SourceParts::Piece>> All;
};

/// Where the last file that the main file includes is named; 0 for none.
unsigned lastIncludeOf(clang::ASTUnit &Unit);

} // namespace raise

#endif // RAISE_LIB_DRIVER_PREAMBLE_H
