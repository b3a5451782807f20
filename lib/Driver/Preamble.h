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

/// The definitions of the macros that the source's own text defines and that
/// stand at its end, in order; not those that guard a header.
class MacroParts {
public:
  MacroParts(clang::ASTUnit &Unit, const OwnText &Own);
  llvm::ArrayRef<std::pair<std::string, SourceParts::Piece>> all() const {
    return All;
  }

private:
  std::vector<std::pair<std::string, SourceParts::Piece>> All;
};

/// Where the last file that is included again is named; 0 for none.
unsigned lastIncludeOf(clang::ASTUnit &Unit, const OwnText &Own);

} // namespace raise

#endif // RAISE_LIB_DRIVER_PREAMBLE_H
