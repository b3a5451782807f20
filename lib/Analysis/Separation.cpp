//===- Separation.cpp - which buffers of a loop must not overlap ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Separation.h"
#include "AliasRanges.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

namespace raise {
using namespace analysis;

static bool isUsed(const Inspection &I, llvm::ArrayRef<Guard> Guards) {
  return llvm::any_of(Guards, [&](const Guard &G) {
    for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
      if (E && (uses(E, I.Least.get()) || uses(E, I.Greatest.get())))
        return true;
    return false;
  });
}

Separation separateBuffers(const LoopQuery &Q, const Function &F,
                           const Context &Ctx) {
  Separation Result;
  Symbols S;
  Walk W(S, Q, F);
  Result.Why = W.run();
  if (Result.Why.isSet())
    return Result;
  const Needs Base = W.Root.V.N;
  AliasFacts A = analysis::separateBuffers(S, W, Ctx.Opts.Alias, Base);
  Result.Why = A.Why;
  if (Result.Why.isSet())
    return Result;
  Result.Assumed = A.Assumed;
  Result.Guards = S.guards(Base + A.N);
  Result.Guards.insert(Result.Guards.end(), A.Guards.begin(), A.Guards.end());
  // What hangs on the values of an index array is not known by now.
  for (const Inspection &I : W.Inspections)
    if (isUsed(I, Result.Guards))
      Result.Why = {"CR1105",
                    "which elements are used hangs on the values of an index",
                    Q.Loop->Loc};
  return Result;
}

} // namespace raise
