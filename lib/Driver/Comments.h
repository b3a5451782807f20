//===- Comments.h - the comments of a piece of source -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. What replaces a loop keeps what its author wrote
// about it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_COMMENTS_H
#define RAISE_LIB_DRIVER_COMMENTS_H

#include "raise/Emit/OpenMP.h"

namespace clang {
class LangOptions;
} // namespace clang

namespace raise {

/// The comments between Begin and End of Source, in order. One that has its
/// line to itself belongs to the statement that follows, any other to the one
/// that its line begins with. Switches of clang-format are left out: the new
/// text has a layout of its own.
std::vector<SourceComment> commentsIn(llvm::StringRef Source, unsigned Begin,
                                      unsigned End,
                                      const clang::LangOptions &Lang);

} // namespace raise

#endif // RAISE_LIB_DRIVER_COMMENTS_H
