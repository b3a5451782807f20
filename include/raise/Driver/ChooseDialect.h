//===- ChooseDialect.h - the dialect of what is written ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_CHOOSEDIALECT_H
#define RAISE_DRIVER_CHOOSEDIALECT_H

#include "raise/Driver/Config.h"
#include "raise/Driver/Options.h"

namespace clang {
class LangOptions;
}

namespace raise {

/// That of the command line, else the project's, as far as it is for the
/// source's language.
Dialect chooseDialect(const ToolOptions &Tool, const Config &Cfg,
                      const clang::LangOptions &Lang);

/// Why Source, in Lang, has no form in the dialect that was asked for; empty
/// if it has one.
std::string whyNotDialect(Dialect Chosen, const clang::LangOptions &Lang,
                          llvm::StringRef Source);

} // namespace raise

#endif // RAISE_DRIVER_CHOOSEDIALECT_H
