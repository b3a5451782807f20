//===- OneTest.cpp - one test for the threads of several loops ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OneTest.h"
#include "RegionPrinter.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// The statements of a region's body, within a test that stands around all of
/// them, and how many come before the first that is a loop or holds one.
struct RegionLoops {
  const If *Whole = nullptr;
  ArrayRef<StmtRef> All;
  size_t First = 0;

  explicit RegionLoops(const StmtRef &Body) : All(statements(Body)) {
    const auto *I = All.size() == 1 ? dyn_cast<If>(All.front().get()) : nullptr;
    if (I && !I->Else) {
      Whole = I;
      All = statements(I->Then);
    }
    while (First < All.size() && loopsIn(All[First]) == 0)
      ++First;
  }
};

} // namespace

std::optional<std::string> oneTest(const Region &R, const Function &F,
                                   const Options &Opts, Names &N,
                                   ExprPrinter &P) {
  bool Directed = false;
  forEachStmt(R.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    Directed |= L && L->LKind != LoopKind::Serial;
  });
  if (!hasPlainOriginals(F) || Directed || !Opts.OpenMP ||
      Opts.Target != Dialect::OpenMP || !loopsAround(R, F).empty() ||
      R.Rests.Hoisted.empty())
    return std::nullopt;
  const Names Before = N;
  StmtPrinter Trial(Opts, N, P);
  Trial.setAround(R, F);
  Trial.print(R.Body);
  N = Before;
  const auto &Clauses = Trial.Clauses;
  const bool Same = !Clauses.empty() && all_of(Clauses, [&](const auto &C) {
    const Var *Size = C.second.get();
    return Size && C.first == Clauses.front().first && !assigns(R.Body, Size);
  });
  return Same ? std::optional(Clauses.front().first) : std::nullopt;
}

Code withOneTest(const std::string &Work, const StmtRef &Body,
                 StmtPrinter &Threads, const Options &Opts, Names &N,
                 ExprPrinter &P) {
  const RegionLoops Loops(Body);
  const auto Part = [&](ArrayRef<StmtRef> Of) {
    return makeBlock(Of.vec(), Body->Loc);
  };
  Code Out;
  const StmtRef Rest = Part(Loops.All.drop_front(Loops.First));
  if (Loops.First) {
    Threads.Behind = Rest;
    Out = Threads.print(Part(Loops.All.take_front(Loops.First)));
    Threads.Behind = nullptr;
  }
  Options Serial = Opts;
  Serial.OpenMP = false;
  const Names Before = N; // both forms may use the same
  const Code OnOne = StmtPrinter(Serial, N, P).print(Rest);
  N = Before;
  Threads.SizesTested = true;
  Out.append(branches(Work, Threads.print(Rest), OnOne));
  ++Out.Statements;
  return Loops.Whole
             ? nested("if (" + P.condition(Loops.Whole->Cond).Text + ")", Out,
                      true)
             : Out;
}

} // namespace raise
