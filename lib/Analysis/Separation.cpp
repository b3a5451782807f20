//===- Separation.cpp - which buffers of a loop must not overlap ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Separation.h"
#include "LoopProof.h"

namespace raise {
using namespace analysis;

namespace {

class Separator : LoopProof {
public:
  Separator(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : LoopProof(Q, F, Ctx) {}

  Separation run() {
    Separation Result;
    Result.Why = W.run();
    if (!Result.Why.isSet())
      Result.Why = addGuards(W.Root.V.N, Result.Guards, Result.Assumed);
    // What hangs on the values of an index array is not known by now.
    for (const Inspection &I : W.Inspections)
      if (!Result.Why.isSet() && isUsed(I, Result.Guards))
        Result.Why = {"CR1105",
                      "which elements are used hangs on the values of an index",
                      Q.Loop->Loc};
    return Result;
  }
};

} // namespace

Separation separateBuffers(const LoopQuery &Q, const Function &F,
                           const Context &Ctx) {
  return Separator(Q, F, Ctx).run();
}

} // namespace raise
