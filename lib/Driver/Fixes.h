//===- Fixes.h - edits for clang-apply-replacements --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_FIXES_H
#define RAISE_LIB_DRIVER_FIXES_H

#include "clang/Tooling/Core/Replacement.h"

namespace raise {

/// The edits that turn Old into New, of the file at that absolute path. An
/// error where YAML cannot hold them (what is no UTF-8 would come out as other
/// bytes).
llvm::Expected<std::vector<clang::tooling::Replacement>>
replacementsFor(llvm::StringRef Path, llvm::StringRef Old, llvm::StringRef New);

/// One YAML document, as clang-apply-replacements reads it.
std::string toYaml(llvm::StringRef MainSource,
                   std::vector<clang::tooling::Replacement> Replacements);

} // namespace raise

#endif // RAISE_LIB_DRIVER_FIXES_H
