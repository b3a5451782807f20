//===- OrderSums.cpp - nests of sums in the order that memory likes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reverse of a sum over rows goes down columns, and adds to two elements:
//
//   for (k) for (j) { a_adj[i,k] += c[j] * a[j,k]; a_adj[j,k] += c[j] * a[i,k];
//   }
//
// Its points meet in sums alone, so they may come in any order, and the loop
// that goes along the lines of memory goes innermost. Where its rows have few
// points the order that was there may be the faster one: a test tells.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LinesTouched.h"
#include "SumLoops.h"
#include "WholeStrips.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a row from which loops over rows pay, however many these are.
constexpr int64_t LeastOfRow = 16;

/// S and the loops in it, each of which is all that the one before it does.
std::vector<const For *> perfectNest(const StmtRef &S) {
  std::vector<const For *> Nest;
  for (const For *L = dyn_cast<For>(S.get()); L;) {
    Nest.push_back(L);
    const auto Body = statements(L->Body);
    L = Body.size() == 1 ? dyn_cast<For>(Body.front().get()) : nullptr;
  }
  return Nest;
}

bool hasLoop(const StmtRef &S) {
  bool Any = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Any |= isa<For>(Sub.get()) || isa<While>(Sub.get());
  });
  return Any;
}

class OrderSums : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const Obligations Before = N.Rests;
    if (StmtRef New = inOrder(S))
      return New;
    N.Rests = Before;
    StmtRef Body = bodyOf(L, L);
    return Body == L.Body ? S : withLoopBody(L, std::move(Body));
  }

  /// Whether L, the first of Nest, goes along lines better than any other.
  static bool isBest(const For &L, llvm::ArrayRef<const For *> Nest) {
    const StmtRef &Body = Nest.back()->Body;
    const double Own = linesPerStep(Body, L.V.get());
    for (const For *Other : Nest.drop_front()) {
      // A change of order must pay clearly.
      const double By = Other == Nest.back() ? 1.5 : 1;
      if (Own * By >= linesPerStep(Body, Other->V.get()))
        return false;
    }
    return true;
  }

  /// Whether L's iterations do not meet at all: sinkIterators has a place for
  /// it, where threads share it out as well.
  bool isFreeOfSums(const For &L) {
    const LoopFacts Facts = analyseLoop(query(L, L), F, Ctx);
    return Facts.R == LoopFacts::Result::Independent &&
           Facts.Reductions.empty() && isFree(Facts, L);
  }

  /// S, a nest, with its outermost loop innermost, where rows are long; null
  /// where it stays.
  StmtRef inOrder(const StmtRef &S) {
    const std::vector<const For *> Nest = perfectNest(S);
    if (Nest.size() < 2 || hasLoop(Nest.back()->Body))
      return nullptr;
    const For &Row = *Nest.front();
    if (Ctx.Brief.count(Row.V.get()) || !isBest(Row, Nest))
      return nullptr;
    Reason Why;
    const auto Form = ascendingForm(Row, /*KeepOrder=*/false, Why);
    if (!Form || Form->Lo->Ty != Row.V->Ty)
      return nullptr;
    const Iterator It = {Row.V, Form->Lo, Form->Hi, Form->Step};
    const auto From = constantValue(It.Lo), To = constantValue(It.Hi);
    const ExprRef Test = lengthTest(It, LeastOfRow, S);
    if (!Test && !(From && To && *To - *From >= LeastOfRow))
      return nullptr;
    if (isFreeOfSums(Row) || !mayReorder(Nest))
      return nullptr;
    StmtRef New = withLoopBody(Row, Nest.back()->Body);
    for (const For *L : llvm::reverse(llvm::ArrayRef(Nest).drop_front()))
      New = withLoopBody(*L, std::move(New));
    return Test ? std::make_shared<If>(Test, std::move(New), S) : New;
  }
};

} // namespace

FunctionRef raise::orderSums(FunctionRef F, Context &Ctx) {
  return withBody(*F, OrderSums(*F, Ctx).run(F->Body));
}
