//===- ConfiguredGradients.h - what .clang-raise asks grad for ---*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CONFIGUREDGRADIENTS_H
#define RAISE_LIB_DRIVER_CONFIGUREDGRADIENTS_H

#include "raise/Driver/Unit.h"

namespace raise {

/// What is made of Sources where no function is named: for each file that the
/// `gradients` of their configurations name one entry, with its Output and its
/// Gradients. Only gradients of Sources; for a whole database (IsDatabase), a
/// gradient of another source is an error. An error names the place in
/// `.clang-raise`.
llvm::Expected<std::vector<SourceFile>>
configuredGradients(llvm::ArrayRef<SourceFile> Sources, bool IsDatabase,
                    const std::optional<Config> &FixedConfig);

/// The first entry that no function of its source answers to, as an error;
/// sources that could not be used say nothing.
llvm::Error checkConfiguredNames(llvm::ArrayRef<SourceFile> Sources,
                                 llvm::ArrayRef<UnitOutput> Units);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CONFIGUREDGRADIENTS_H
