//===- EigenFrames.cpp - expressions out of their regions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CounterRanges.h"
#include "EigenCode.h"
#include "RegionPrinter.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::eigen {
namespace {

class FrameRemover : public Rewriter {
public:
  FrameRemover(const Function &F, const Place &Where, const Names &N)
      : F(F), Where(Where), N(N) {}

  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *R = dyn_cast<Region>(S.get());
    return R && isUnguarded(*R) && isAllExpressions(*R) ? R->Body : S;
  }

private:
  bool isUnguarded(const Region &R) const {
    return R.Rests.Guards.empty() && !R.Rests.Inspection && !leavesUnused(R, F);
  }

  /// Alone, as it would be printed in the worst case.
  bool isAllExpressions(const Region &R) const {
    NotNegative Counters;
    for (const StmtRef &L : loopsAround(R, F))
      if (auto *Counted = dyn_cast<For>(L.get()))
        Counters.enter(*Counted);
    Place Here = Where;
    Here.Counters = &Counters;
    return all_of(statements(R.Body), [&](const StmtRef &S) {
      Names Own = N;
      Views V(Own, *Where.P);
      auto *T = dyn_cast<TensorOp>(S.get());
      return T && Group(Here, V).add(*T);
    });
  }

  const Function &F;
  const Place &Where;
  const Names &N;
};

} // namespace

StmtRef withoutFrames(const StmtRef &S, const Function &F, const Place &Where,
                      const Names &N) {
  return FrameRemover(F, Where, N).run(S);
}

} // namespace raise::eigen
