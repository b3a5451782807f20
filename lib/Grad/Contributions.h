//===- Contributions.h - what an expression's adjoint passes on -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_CONTRIBUTIONS_H
#define RAISE_LIB_GRAD_CONTRIBUTIONS_H

#include "raise/Grad/Derivatives.h"

namespace raise::grad {

struct Contribution;
/// In the order in which they are made.
using Contributions = std::vector<Contribution>;

/// One of: `To's adjoint += Terms`; a name for Terms, which later contributions
/// use; a branch.
struct Contribution {
  ExprRef To;
  VarRef Named;
  Sum Terms;
  ExprRef Cond;
  Contributions Then, Else;
};

struct ContributionHooks {
  std::function<bool(const ExprRef &)> IsActive;
  /// Gives the adjoint of argument K for that of the call; null if that is
  /// always zero.
  std::function<ExprRef(const Call &, unsigned K, const ExprRef &Seed)>
      OfArgument;
  std::function<VarRef(llvm::StringRef Name, const Type &)> Temporary;
};

/// What E's adjoint Seed passes on to the variables and places that E's value
/// depends on. Terms are made of E's own parts, as they are when E is
/// evaluated. One contribution for each source of a branch, where that can be.
/// Value as for propagate.
Contributions contributionsOf(const ExprRef &E, const Term &Seed,
                              const ContributionHooks &Hooks,
                              const ExprRef &Value);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_CONTRIBUTIONS_H
