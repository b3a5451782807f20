//===- Reaching.h - whether code comes to a buffer --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_REACHING_H
#define RAISE_LIB_TRANSFORM_REACHING_H

#include "raise/IR/Stmt.h"
#include <optional>
#include <vector>

namespace raise {

/// Whether telling where B is loads a pointer by way of another one, which may
/// lead nowhere: `s->p`, but not `this->p`, nor a member of what has a name.
bool isFoundInMemory(const Buffer &B);

/// Tests, each of which can be made once those before it hold, under which S
/// surely works on B, so that where B is can be asked before S. Testable says
/// of an expression whether it can be evaluated before S. Unset if there are no
/// such tests; empty if S works on B in any case.
std::optional<std::vector<ExprRef>>
testsToReach(const Buffer &B, const StmtRef &S,
             llvm::function_ref<bool(const ExprRef &)> Testable);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_REACHING_H
