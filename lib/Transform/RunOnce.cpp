//===- RunOnce.cpp - what every iteration does alike, once ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) for (j) { a[j] = 1 - a[j-1]; aa[j][i] = a[j] * d[j]; }
//
// stores the same a in every iteration of i. Done once, before the rest, it
// keeps no iterations of i apart from others:
//
//   for (j) a[j] = 1 - a[j-1];
//   for (i) for (j) aa[j][i] = a[j] * d[j];
//
//===----------------------------------------------------------------------===//
#include "Peel.h"
#include "raise/Analysis/Repeats.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

/// What of S is in Slice.
static StmtRef filtered(const StmtRef &S, const BodySlice &Slice) {
  const auto Inside = [&](const StmtRef &Sub) {
    StmtRef Kept = Sub ? filtered(Sub, Slice) : nullptr;
    return Kept ? Kept : makeBlock({});
  };
  if (const auto *B = dyn_cast<Block>(S.get())) {
    std::vector<StmtRef> Out;
    for (const StmtRef &Sub : B->Body)
      if (StmtRef Kept = filtered(Sub, Slice))
        Out.push_back(std::move(Kept));
    return Out.empty() ? nullptr : makeBlock(std::move(Out), S->Loc);
  }
  if (!Slice.count(S.get()))
    return nullptr;
  if (const auto *I = dyn_cast<If>(S.get())) {
    StmtRef Else = I->Else ? filtered(I->Else, Slice) : nullptr;
    return std::make_shared<If>(I->Cond, Inside(I->Then), Else, S->Loc);
  }
  if (const auto *L = dyn_cast<For>(S.get()))
    return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                 L->DeclaresVar, Inside(L->Body), S->Loc);
  return S;
}

static bool stores(const StmtRef &S) {
  bool Any = false;
  forEachStmt(S, [&](const StmtRef &Sub) { Any |= isa<Store>(Sub.get()); });
  return Any;
}

std::optional<LoopSequence>
raise::runOnce(const LoopQuery &Q, const Function &F, const Context &Ctx) {
  const For &L = *Q.Loop;
  if (!runsThrough(L) || !isFixedIn(L.Step, L) || !isFixedIn(L.Lo, L) ||
      !isFixedIn(L.Hi, L))
    return std::nullopt;
  RepeatFacts Facts = analyseRepeats(Q, F, Ctx);
  if (Facts.Once.empty())
    return std::nullopt;
  const StmtRef Rest = filtered(L.Body, Facts.Rest);
  if (!Rest || !stores(Rest))
    return std::nullopt;
  LoopSequence Out;
  const StmtRef Once = withOwnVariables(filtered(L.Body, Facts.Once));
  Out.Body = statements(Once).vec();
  Out.Body.push_back(std::make_shared<For>(
      L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar, Rest, L.Loc));
  // As others test it that ask for a point.
  const ExprRef Lo = build::cast(L.Lo, L.Hi->Ty),
                Runs = L.Cond == BinaryOp::LT ? sizeTest(BinaryOp::GT, L.Hi, Lo)
                                              : build::binary(L.Cond, Lo, L.Hi);
  if (const auto *C = dyn_cast<IntConst>(Runs.get()); !C || !C->Value)
    Out.Guards.push_back({Runs, {}, {}, "the loop runs"});
  llvm::append_range(Out.Guards, Facts.Guards);
  Out.Assumed = std::move(Facts.Assumed);
  return Out;
}
