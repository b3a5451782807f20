//===- UsualStyle.h - the style a file is written in ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_USUALSTYLE_H
#define RAISE_LIB_DRIVER_USUALSTYLE_H

#include "clang/Format/Format.h"
#include "llvm/ADT/StringRef.h"

namespace raise {

/// LLVM's style with what is usual in Code: how far a block is indented, by
/// spaces or tabs, on which side of a declaration's `*` the blank stands, and
/// whether braces have lines of their own. For a project that has no
/// .clang-format: what is written into its file should look like the rest.
clang::format::FormatStyle usualStyle(llvm::StringRef Code);

} // namespace raise

#endif // RAISE_LIB_DRIVER_USUALSTYLE_H
