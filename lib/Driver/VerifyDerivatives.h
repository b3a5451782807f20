//===- VerifyDerivatives.h - derivatives, compiled, compared ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_VERIFYDERIVATIVES_H
#define RAISE_LIB_DRIVER_VERIFYDERIVATIVES_H

#include "GradFile.h"
#include "Rules.h"
#include "raise/Driver/Config.h"
#include "raise/Driver/Unit.h"
#include "raise/Frontend/Parse.h"
#include "raise/Report/Result.h"
#include "clang/Frontend/ASTUnit.h"

namespace raise {

/// A source file as one compile command has it, with what was asked of it.
struct DerivativesOf {
  const SourceFile &Source;
  llvm::StringRef OldText;
  clang::ASTUnit &AST;
  const ParseCommand &Cmd;
  const UnitSettings &Settings;
  const Config &Cfg;
  const Options &Opts;
  const Rules &UserRules;
};

/// Compiles the derivatives of Items, written as NewText, and compares each
/// with its primal; so too those of Eager, the same without their tests for
/// enough work, if there are any. Results, one for each item, get a verdict,
/// its figures, and status Failed where it is wrong.
void verifyDerivatives(const DerivativesOf &Of, llvm::StringRef NewText,
                       llvm::ArrayRef<GradItem> Items,
                       llvm::ArrayRef<GradItem> Eager,
                       llvm::MutableArrayRef<Result> Results);

} // namespace raise

#endif // RAISE_LIB_DRIVER_VERIFYDERIVATIVES_H
