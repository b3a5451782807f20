//===- Interchange.cpp - a free loop goes around one that keeps its order -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of a perfect nest, a loop whose iterations are independent in whatever order
// the others have can be the outermost one: no two of its iterations touch one
// element, so what each element sees is what one iteration does, and that one
// goes through the other loops in their order. No sum rounds otherwise.
//
//===----------------------------------------------------------------------===//
#include "LinesTouched.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// The loops of the perfect nest that L is the outermost of.
std::vector<const For *> perfectNest(const For &L) {
  std::vector<const For *> Out{&L};
  for (;;) {
    const auto Body = statements(Out.back()->Body);
    const auto *Inner =
        Body.size() == 1 ? dyn_cast<For>(Body[0].get()) : nullptr;
    if (!Inner)
      return Out;
    Out.push_back(Inner);
  }
}

/// Whether E computes with what is not known here.
bool isArithmetic(const ExprRef &E) {
  bool Computes = false, Varies = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *C = dyn_cast<Cast>(Sub.get());
    Computes |= isa<Binary>(Sub.get()) || isa<Unary>(Sub.get()) ||
                (C && C->Operand->Ty.isFloat() && !C->Ty.isFloat());
    Varies |= isa<VarUse>(Sub.get());
  });
  return Computes && Varies;
}

class Interchanger {
public:
  Interchanger(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : Q(Q), F(F), Ctx(Ctx), Nest(perfectNest(*Q.Loop)) {}

  std::optional<LoopSequence> run() {
    for (const For *L : Nest)
      if (L->LKind != LoopKind::Serial || !isFixed(*L) ||
          (!L->DeclaresVar && mayBeReadAfter(L->V.get())))
        return std::nullopt;
    if (Nest.size() < 2 || !runsThrough(*Nest.back()) ||
        analyseLoop(Q, F, Ctx).R == LoopFacts::Result::Independent)
      return std::nullopt;
    for (size_t To = 1; To < Nest.size(); ++To)
      if (!wasBetterInside(To))
        if (auto Found = outermost(To))
          return Found;
    return std::nullopt;
  }

private:
  /// Whether nothing in the nest but the variables of loops changes L's bounds.
  bool isFixed(const For &L) const {
    return isFixedIn(L.Step, *Q.Loop) && isFixedIn(L.Lo, L) &&
           isFixedIn(L.Hi, L);
  }

  /// Whether what loop K gains around the others is lost where it was: in the
  /// innermost place it went along the lines of memory, and instead of it one
  /// that keeps an order, or sums, would stand there.
  bool wasBetterInside(size_t K) const {
    const StmtRef &Body = Nest.back()->Body;
    bool HoldsLoops = false;
    forEachStmt(Body,
                [&](const StmtRef &S) { HoldsLoops |= isa<For>(S.get()); });
    return K + 1 == Nest.size() && !HoldsLoops &&
           goesAlongLines(Body, Nest[K]->V.get());
  }

  bool mayBeReadAfter(const Var *V) const {
    return !Q.LiveOut || llvm::is_contained(*Q.LiveOut, V);
  }

  /// The nest with loop K of it, whose range no other sets, around the others.
  std::optional<LoopSequence> outermost(size_t K) {
    const For &L = *Nest[K];
    LoopSequence Out;
    for (size_t At = 0; At < K; ++At)
      if (!isFixedIn(L.Lo, *Nest[At]) || !isFixedIn(L.Hi, *Nest[At]))
        return std::nullopt;
    // Its bounds are computed before the others are known to run at all.
    if (isArithmetic(L.Lo) || isArithmetic(L.Hi)) {
      const auto Count = K == 1 ? countTrips(*Q.Loop) : std::nullopt;
      if (!Count)
        return std::nullopt;
      if (const auto *Runs = dyn_cast<IntConst>(Count->Runs.get());
          !Runs || !Runs->Value)
        Out.Guards.push_back(
            {Count->Runs, {}, {}, "the loop runs, so that the other may"});
    }
    StmtRef Body = Nest.back()->Body;
    for (size_t At = Nest.size(); At-- > 0;)
      if (At != K)
        Body = withBody(*Nest[At], Body);
    const auto Swapped = withBody(L, Body);
    LoopQuery Own = Q;
    Own.Loop = Swapped.get();
    LoopFacts Facts = analyseLoop(Own, F, Ctx);
    if (Facts.R != LoopFacts::Result::Independent || !isFree(Facts, *Swapped) ||
        !Facts.Reductions.empty() || !Facts.Inspections.empty())
      return std::nullopt;
    Out.Body = {Swapped};
    llvm::append_range(Out.Guards, Facts.Guards);
    Out.Assumed = std::move(Facts.Assumed);
    return Out;
  }

  static std::shared_ptr<const For> withBody(const For &L, const StmtRef &B) {
    return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                                 L.DeclaresVar, B, L.Loc);
  }

  const LoopQuery &Q;
  const Function &F;
  const Context &Ctx;
  const std::vector<const For *> Nest; ///< outermost first
};

} // namespace

std::optional<LoopSequence>
raise::interchange(const LoopQuery &Q, const Function &F, const Context &Ctx) {
  return Interchanger(Q, F, Ctx).run();
}
