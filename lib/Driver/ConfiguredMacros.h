//===- ConfiguredMacros.h - values that a compile command sets --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. What is proved of a loop is proved for the values
// that its macros have under one compile command; its text is compiled under
// others too (`-DN=500`). Macros that a command may set, from its own line or
// by a condition around their definition, are tested beside the rest, so that
// the original runs for other values.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CONFIGUREDMACROS_H
#define RAISE_LIB_DRIVER_CONFIGUREDMACROS_H

#include "raise/IR/Context.h"
#include "raise/IR/Stmt.h"
#include "llvm/ADT/APSInt.h"
#include <memory>

namespace clang {
class ASTUnit;
class FunctionDecl;
} // namespace clang

namespace raise {

class Function;

/// Of macros, beside a loop.
struct MacroTests {
  std::vector<Guard> Guards;
  /// Why one of them cannot be tested where the loop stands.
  Reason WhyNot;
};

class ConfiguredMacros {
public:
  /// Unit outlives this. For the text of a header, what its sources define
  /// before they include it is set from outside as well.
  explicit ConfiguredMacros(clang::ASTUnit &Unit, bool OfHeader = false);
  ~ConfiguredMacros();

  bool has(llvm::StringRef Name) const;

  struct Value {
    std::string Name;
    llvm::APSInt Is;
  };

  /// Such macros that F and what it names use.
  std::vector<Value> valuesIn(const clang::FunctionDecl &F) const;

  /// A test `N == 1000` for each such macro of an integer value in what R
  /// replaces of F's text, in the types and constants that it names, and in
  /// the functions that it calls; in the order in which they are found. Lifted
  /// is F as it was lifted.
  MacroTests testsFor(const Region &R, const clang::FunctionDecl &F,
                      const Function &Lifted) const;

private:
  class Definitions;
  clang::ASTUnit &Unit;
  std::unique_ptr<Definitions> Defined;
};

/// R with Tests before its own.
std::shared_ptr<const Region> withTests(const Region &R,
                                        std::vector<Guard> Tests);

} // namespace raise

#endif
