//===- EarlyExits.h - loops that some iteration leaves ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_EARLYEXITS_H
#define RAISE_LIB_TRANSFORM_EARLYEXITS_H

#include "raise/IR/Context.h"
#include <optional>

namespace raise {

/// A loop that counts with a variable of its own, and what stands around it.
struct OwnedLoop {
  std::vector<StmtRef> Before, After;
  std::shared_ptr<const For> Loop;
};

/// L, whose variable is declared outside of it, with one of its own: L's is set
/// before the loop to Last, which is what it is if no iteration leaves, and by
/// each break to the iteration that takes it. Last null: what it is after the
/// loop is of no interest. Nothing where L's bound or step uses it.
std::optional<OwnedLoop> withOwnVariable(const For &L, const ExprRef &Last);

/// L, a loop that starts from what its own variable holds (`for (; i < n;
/// i++)`) and that no iteration leaves, with a variable of its own; L's is left
/// as it was before. Null for any other loop.
std::shared_ptr<const For> ownStart(const For &L);

/// W with its iterations numbered: `while (c(i)) { S(i); i += 1; }` is, but for
/// the names, `t = 0; for (k = 0; ...; k += 1) { if (!c(i + k)) { t = k; break;
/// } S(i + k); } i += t;`, and so for each variable that every iteration
/// changes by the same number. The range ends at 2^62, which no loop reaches.
/// Nothing, and Why, where no such variable says which element is looked at.
std::optional<OwnedLoop> countedWhile(const While &W, Reason &Why);

/// S if it is a while loop; or the last statement of S, where S is a `for` that
/// became one, after what its header does first. Null otherwise.
const While *wholeWhile(const StmtRef &S);

/// Whether a break, continue or return stands anywhere in S.
bool leavesEarly(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_EARLYEXITS_H
