//===- LoopProof.h - what every proof about a loop works with ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_LOOPPROOF_H
#define RAISE_LIB_ANALYSIS_LOOPPROOF_H

#include "AliasRanges.h"
#include "Conflicts.h"
#include "IslProblem.h"
#include "raise/Analysis/Loops.h"
#include "raise/IR/Context.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

namespace raise::analysis {

/// One iteration of a loop, walked: its accesses over symbols, and a test
/// whether two of them meet, within the budget of one proof.
class LoopProof {
protected:
  LoopProof(const LoopQuery &Q, const Function &F, const Context &Ctx,
            bool Inspect = false)
      : Q(Q), Ctx(Ctx), W(S, Q, F, Inspect), Budget(Ctx.Opts.MaxIslOperations),
        Test(S, W, *Q.Loop, Budget) {}

  /// The last step of a proof that needs N: buffers that may overlap are told
  /// apart, and what is needed becomes tests. Why it cannot be.
  Reason addGuards(const Needs &N, std::vector<Guard> &Guards,
                   std::vector<std::string> &Assumed) {
    AliasFacts A = separateBuffers(S, W, Ctx.Opts.Alias, N);
    if (A.Why.isSet())
      return A.Why;
    if (S.contradictory(N + A.N))
      return {"CR1105",
              "the tests under which iterations are independent exclude each "
              "other",
              Q.Loop->Loc};
    Assumed = A.Assumed;
    Attained = A.Attained;
    Guards = S.guards(N + A.N);
    Guards.insert(Guards.end(), A.Guards.begin(), A.Guards.end());
    return {};
  }

  /// Whether a guard uses what I finds.
  static bool isUsed(const Inspection &I, llvm::ArrayRef<Guard> Guards) {
    return llvm::any_of(Guards, [&](const Guard &G) {
      for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
        if (E && (uses(E, I.Least.get()) || uses(E, I.Greatest.get())))
          return true;
      return false;
    });
  }

  bool Attained = true; ///< see AliasFacts; of the last addGuards()
  const LoopQuery &Q;
  const Context &Ctx;
  Symbols S;
  Walk W;
  IslBudget Budget;
  ConflictTest Test;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_LOOPPROOF_H
