//===- Liveness.h - scalars that may still be read --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_LIVENESS_H
#define RAISE_TRANSFORM_LIVENESS_H

#include "raise/IR/Function.h"
#include <map>
#include <set>

namespace raise {

/// Backward liveness of scalars over a structured body. For each statement it
/// answers which scalars may be read after it, before they are written again.
/// Conservative: what an Opaque mentions is read; a While or For may run its
/// body again; in a function with a goto (an Opaque of code CR1006), whatever
/// is read anywhere may be read after every statement.
class Liveness {
public:
  explicit Liveness(const Function &F);
  using VarSet = std::set<const Var *>;
  /// Answers for the statements of S, which stands in the place of Old, a
  /// statement that Of answers for.
  Liveness(const StmtRef &S, const Stmt *Old, const Liveness &Of);
  /// Scalars that may be read after S, which must be a statement of the
  /// function that was analysed.
  const VarSet &liveAfter(const Stmt *S) const;
  bool isLiveAfter(const Stmt *S, const Var *V) const {
    return liveAfter(S).count(V) != 0;
  }

private:
  struct Exits {
    VarSet OnBreak, OnContinue;
  };
  VarSet before(const StmtRef &S, VarSet After, const Exits &E);
  VarSet beforeLoop(const StmtRef &Body, const VarSet &After,
                    const VarSet &AtTop);
  std::map<const Stmt *, VarSet> After;
  VarSet Always;
};

} // namespace raise

#endif // RAISE_TRANSFORM_LIVENESS_H
