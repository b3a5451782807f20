//===- Rules.h - the derivatives that a configuration names -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_RULES_H
#define RAISE_LIB_DRIVER_RULES_H

#include "raise/Driver/Config.h"
#include "raise/Frontend/Lift.h"

namespace clang {
class ASTUnit;
} // namespace clang

namespace raise {

/// The functions of a unit that have a rule in its configuration. A rule for
/// what the unit does not declare is none of its business.
class Rules {
public:
  Rules() = default;
  Rules(const Config &Cfg, clang::ASTUnit &Unit);

  const DerivativeFunctions &functions() const { return Found; }
  /// What the rules name.
  std::vector<const clang::FunctionDecl *> derivatives() const;
  /// The rules for functions that can have none.
  const std::vector<Reason> &unfit() const { return Unfit; }
  /// What is wrong with a rule for a function that F calls, at its place in the
  /// configuration.
  std::vector<Reason> problemsOf(const Function &F) const;

private:
  DerivativeFunctions Found;
  std::vector<Reason> Unfit;
  /// By the place that DerivativeRule::From names.
  std::map<std::string, std::vector<Reason>> Problems;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_RULES_H
