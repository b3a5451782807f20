//===- UpdateChain.h - several updates in one expression --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_UPDATECHAIN_H
#define RAISE_ANALYSIS_UPDATECHAIN_H

#include "raise/IR/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace raise {

/// `x Op Operand`, as part of a longer expression.
struct ChainLink {
  Combiner Op;
  ExprRef Operand;
};

/// E as `((x op a) op b) op c`, two operands or more, where IsTarget holds for
/// x and for no other part of E, and the operators are all of + and -, or all
/// one of *, &, |, ^. Then `x = E` is `x op= a; x op= b; x op= c`, operation by
/// operation and so rounding by rounding.
std::optional<std::vector<ChainLink>>
updateChain(const ExprRef &E,
            llvm::function_ref<bool(const ExprRef &)> IsTarget);

} // namespace raise

#endif // RAISE_ANALYSIS_UPDATECHAIN_H
