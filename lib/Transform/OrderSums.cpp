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
// that goes along the lines of memory goes innermost. What else the loop does
// is done in loops of its own, before and after. Where its rows have few points
// the order that was there may be the faster one: a test tells.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LinesTouched.h"
#include "SumLoops.h"
#include "WholeStrips.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a row from which loops over rows pay, however many these are: of
/// 30, half come after the last whole step of a compiler's vectors.
constexpr int64_t LeastOfRow = 48;

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

/// Whether Body adds to an element that all points of V have in common, and for
/// all that a compiler knows looks at it by another name: each point would wait
/// for the one before it.
bool isChain(const StmtRef &Body, const Var *V) {
  std::map<const Buffer *, unsigned> Accesses;
  std::set<const Buffer *> Common;
  for (const MemoryAccess &A : effectsOf(Body).Memory) {
    ++Accesses[A.At.Buf.get()];
    if (A.How != MemoryAccess::Mode::Read &&
        llvm::none_of(A.At.Indices,
                      [&](const ExprRef &I) { return uses(I, V); }))
      Common.insert(A.At.Buf.get());
  }
  return llvm::any_of(Common, [&](const Buffer *B) { return Accesses[B] > 1; });
}

class OrderSums : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const Obligations Before = N.Rests;
    if (StmtRef New = inOrder(S, L))
      return New;
    N.Rests = Before;
    StmtRef Body = bodyOf(L, L);
    return Body == L.Body ? S : withLoopBody(L, std::move(Body));
  }

  /// Whether L, the first of Nest, goes along lines better than any other.
  static bool isBest(const For &L, llvm::ArrayRef<const For *> Nest) {
    const StmtRef &Body = Nest.back()->Body;
    if (!goesAlongLines(Body, L.V.get()) || isChain(Body, L.V.get()))
      return false;
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

  /// Whether L's points, as a row, are enough; null where that is known. None
  /// where they are too few, or cannot be told before S.
  static std::optional<ExprRef> rowsTest(const For &L, const StmtRef &S) {
    Reason Why;
    const auto Form = ascendingForm(L, /*KeepOrder=*/false, Why);
    if (!Form || Form->Lo->Ty != L.V->Ty)
      return std::nullopt;
    const Iterator It = {L.V, Form->Lo, Form->Hi, Form->Step};
    const auto From = constantValue(It.Lo), To = constantValue(It.Hi);
    if (From && To)
      return *To - *From >= LeastOfRow ? std::optional<ExprRef>(nullptr)
                                       : std::nullopt;
    const ExprRef Test = lengthTest(It, LeastOfRow, S);
    return Test ? std::optional<ExprRef>(Test) : std::nullopt;
  }

  /// Nest with its outermost loop innermost.
  static StmtRef rowsLast(llvm::ArrayRef<const For *> Nest) {
    StmtRef New = withLoopBody(*Nest.front(), Nest.back()->Body);
    for (const For *L : llvm::reverse(Nest.drop_front()))
      New = withLoopBody(*L, std::move(New));
    return New;
  }

  /// S, which is L, with its points innermost, where these are many; null where
  /// it stays.
  StmtRef inOrder(const StmtRef &S, const For &L) {
    const auto Body = statements(L.Body);
    std::set<const Stmt *> Chosen; // the nests that L goes inside of
    for (const StmtRef &Sub : Body) {
      std::vector<const For *> Nest = {&L};
      llvm::append_range(Nest, perfectNest(Sub));
      if (Nest.size() < 2 || hasLoop(Nest.back()->Body) || !isBest(L, Nest))
        continue;
      if (!mayReorder(Nest))
        return nullptr;
      Chosen.insert(Sub.get());
    }
    if (Chosen.empty() || Ctx.Brief.count(L.V.get()))
      return nullptr;
    const auto Test = rowsTest(L, S);
    if (!Test)
      return nullptr;
    StmtRef New;
    if (Body.size() == 1)
      New = isFreeOfSums(L) ? nullptr : rowsLast(perfectNest(S));
    else if (auto Parts = apartFrom(L, Chosen))
      New = makeBlock(std::move(*Parts), L.Loc);
    return !New ? nullptr : *Test ? std::make_shared<If>(*Test, New, S) : New;
  }

  /// L as several loops, of which those with one of Chosen have L innermost.
  std::optional<std::vector<StmtRef>>
  apartFrom(const For &L, const std::set<const Stmt *> &Chosen) {
    std::map<const Stmt *, unsigned> Labels;
    unsigned Last = 1;
    for (const StmtRef &Sub : statements(L.Body)) {
      const bool Alone = Chosen.count(Sub.get());
      Labels[Sub.get()] = Alone ? ++Last : Last;
      Last += Alone;
    }
    auto Parts =
        inParts(L, [&](const StmtRef &Sub) { return Labels.at(Sub.get()); });
    if (!Parts)
      return std::nullopt;
    for (StmtRef &Part : *Parts)
      if (const auto Nest = perfectNest(Part); Nest.size() > 1 &&
                                               !hasLoop(Nest.back()->Body) &&
                                               isBest(*Nest.front(), Nest))
        Part = rowsLast(Nest);
    return Parts;
  }
};

} // namespace

FunctionRef raise::orderSums(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no order of loops, nor have calls.
  if (Ctx.Opts.Target != Dialect::OpenMP ||
      (Ctx.Opts.Blas && Ctx.Opts.FP == FPMode::Fast))
    return F;
  return withBody(*F, OrderSums(*F, Ctx).run(F->Body));
}
