//===- Fronts.cpp - wavefronts of a nest of two loops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Points of one row keep their order on any front: those of a row are met one
// after the other. So the question is asked of pairs in different rows alone:
// is there one that touches one element, of which the later point lies on no
// later front?
//
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Fronts.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// Rows that stay further behind than this fill no front.
constexpr int64_t MaxSkew = 4;

/// The loop that is all of L's body, or null.
const For *onlyLoop(const For &L) {
  const auto Body = statements(L.Body);
  return Body.size() == 1 ? dyn_cast<For>(Body.front().get()) : nullptr;
}

/// 1 or -1 for a loop that steps by one; nothing for others.
std::optional<int64_t> stepOf(const For &L) {
  const Expr *E = L.Step.get();
  while (const auto *C = dyn_cast<Cast>(E))
    E = C->Operand.get();
  const auto *Step = dyn_cast<IntConst>(E);
  const bool Falls = L.Cond == BinaryOp::GT || L.Cond == BinaryOp::GE;
  const bool Rises = L.Cond == BinaryOp::LT || L.Cond == BinaryOp::LE;
  if (!Step || L.LKind != LoopKind::Serial || L.V->Kind == VarKind::Cursor)
    return std::nullopt;
  if (Rises && Step->Value == 1)
    return 1;
  return Falls && Step->Value == -1 && L.V->Ty.Signed
             ? std::optional<int64_t>(-1)
             : std::nullopt;
}

class FrontAnalysis : LoopProof {
public:
  FrontAnalysis(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : LoopProof(Q, F, Ctx) {}

  FrontFacts run() {
    Facts.Why = whyUnsuitable();
    if (!Facts.Why.isSet())
      Facts.Why = W.run();
    if (Facts.Why.isSet())
      return std::move(Facts);
    for (int64_t Skew = 0; Skew <= MaxSkew; ++Skew) {
      Needs N = W.Root.V.N;
      Reason Why = whyOutOfOrder(Skew, N);
      if (Why.isSet()) {
        Facts.Why = Why;
        if (Why.Code == "CR1190")
          return std::move(Facts);
        continue;
      }
      Facts.Skew = Skew;
      Facts.Why = addGuards(N, Facts.Guards, Facts.Assumed);
      return std::move(Facts);
    }
    return std::move(Facts);
  }

private:
  Reason whyUnsuitable() {
    const For &L = *Q.Loop;
    const auto Refuse = [&](const char *Text) {
      return Reason{"CR1111", Text, L.Loc};
    };
    if (Reason Hazard = findHazard(L); Hazard.isSet())
      return Hazard;
    Inner = onlyLoop(L);
    const auto Outer = stepOf(L), Step = Inner ? stepOf(*Inner) : std::nullopt;
    if (!Outer || !Step)
      return Refuse("the nest is not two loops that step by one");
    // A row that is left early says which of its points there are.
    if (Reason Hazard = findHazard(*Inner); Hazard.isSet())
      return Hazard;
    Test.Fronts = {0, *Outer, *Step};
    for (const ExprRef &E : {L.Lo, L.Hi, Inner->Lo, Inner->Hi}) {
      bool Loads = false;
      forEachExpr(E, [&](const ExprRef &Sub) {
        const auto *U = dyn_cast<VarUse>(Sub.get());
        Loads |= isa<Load>(Sub.get()) || isa<Call>(Sub.get()) ||
                 (U && assigns(Inner->Body, U->V.get()));
      });
      if (Loads || uses(E, Inner->V.get()))
        return Refuse("the range of a loop of the nest may change in it");
    }
    // What a point sets must be its own.
    std::set<const Var *> Own;
    bool Shares = false;
    forEachStmt(Inner->Body, [&](const StmtRef &S) {
      if (const auto *D = dyn_cast<Decl>(S.get()))
        Own.insert(D->V.get());
      if (const auto *Loop = dyn_cast<For>(S.get()); Loop && Loop->DeclaresVar)
        Own.insert(Loop->V.get());
      Shares |= isa<DeclBuffer>(S.get()) || isa<TensorOp>(S.get());
    });
    assignedVars(Inner->Body,
                 [&](const VarRef &V) { Shares |= !Own.count(V.get()); });
    return Shares ? Refuse("points of the nest share what is no element")
                  : Reason();
  }

  /// Why some point does not lie behind all that it hangs on, or may not.
  Reason whyOutOfOrder(int64_t Skew, Needs &N) {
    Test.Fronts->Skew = Skew;
    for (size_t I = 0; I < W.Touches.size(); ++I)
      for (size_t J = 0; J <= I; ++J) {
        const Touch *A = &W.Touches[I], *B = &W.Touches[J];
        if (A->At.Buf != B->At.Buf || (!A->writes() && !B->writes()) ||
            W.Own.count(A->At.Buf.get()))
          continue;
        if (A->Atomic || B->Atomic)
          return {"CR1111", "the order of atomic updates is not followed",
                  A->Loc};
        if (!A->writes())
          std::swap(A, B);
        for (When Pairs : {When::Before, When::After}) {
          const Meeting M = Test.test(*A, *B, Pairs);
          if (M.V == Meeting::Verdict::Budget)
            return {"CR1190",
                    "the order of the nest's points was not decided within the "
                    "allowed number of operations",
                    A->Loc};
          const Needs Both = N + M.N;
          if (M.V != Meeting::Verdict::Never ||
              (Both.size() > N.size() && S.contradictory(Both)))
            return {"CR1101", "no diagonal of the nest is free", A->Loc};
          N = Both;
        }
      }
    return {};
  }

  const For *Inner = nullptr;
  FrontFacts Facts;
};

} // namespace

FrontFacts analyseFronts(const LoopQuery &Q, const Function &F,
                         const Context &Ctx) {
  return FrontAnalysis(Q, F, Ctx).run();
}

} // namespace raise
