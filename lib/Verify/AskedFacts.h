//===- AskedFacts.h - inputs on which facts hold ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_ASKEDFACTS_H
#define RAISE_LIB_VERIFY_ASKEDFACTS_H

#include "raise/IR/Function.h"
#include "raise/Interp/Interp.h"

namespace raise {

/// The value of the type nearest to V.
int64_t clampTo(int64_t V, const Type &Ty);

/// What the user has taken for granted of a function's integer parameters
/// (raise/IR/Fact.h), wherever in it.
class AskedFacts {
public:
  AskedFacts(const Function &F, const std::vector<VarRef> &Ints);
  /// Moves arguments until it holds, if that is simple. An input on which it
  /// does not hold is rejected when the original is run.
  void satisfy(interp::Inputs &In) const;

private:
  std::vector<ExprRef> Conditions;
  Function Sizes; ///< has these parameters, and no others
  bool holds(const ExprRef &Cond, interp::Inputs &In) const;
  bool satisfy(const ExprRef &Cond, interp::Inputs &In) const;
};

} // namespace raise

#endif // RAISE_LIB_VERIFY_ASKEDFACTS_H
