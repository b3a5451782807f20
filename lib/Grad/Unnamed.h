//===- Unnamed.h - parameters that nobody named -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_UNNAMED_H
#define RAISE_LIB_GRAD_UNNAMED_H

#include "raise/Grad/Signature.h"

namespace raise::grad {

/// Fills what Sig says of parameters without a slot: those that derivatives
/// only pass through get workspaces, and where one that has no derivative may
/// overlap one that has, that is what F's derivative requires not to be. All or
/// nothing: what has no place then is for whyNotDifferentiable to refuse, and
/// the result says why.
Reason settleUnnamed(const Function &F, Signature &Sig, AliasMode Alias);

/// Declares W, all zero.
StmtRef declaration(const Workspace &W);

/// Refused, where NoRoom may be set: each that would have needed room says why
/// there is none.
std::vector<Reason> withReason(std::vector<Reason> Refused,
                               const Reason &NoRoom);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_UNNAMED_H
