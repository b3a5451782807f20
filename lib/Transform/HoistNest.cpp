//===- HoistNest.cpp - what hoisting needs, tested before the nest --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HoistNest.h"
#include "FoldConstants.h"
#include "raise/Analysis/Separation.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

bool raise::keepsDirective(const For &L) {
  return L.LKind == LoopKind::Claimed || L.LKind == LoopKind::Simd;
}

std::optional<Nest> raise::nestOfHoisted(const StmtRef &S,
                                         const std::vector<const For *> &Around,
                                         const Hoisting &H, const Function &F,
                                         const Context &Ctx) {
  Nest N;
  N.Root = S;
  N.Loops = Around;
  for (const StmtRef &Of : {S, H.Result})
    assignedVars(Of, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  N.Rests.Hoisted = H.Names;
  N.Rests.Assumptions = H.Assumed;
  if (!H.NeedsSeparation)
    return N;
  LoopQuery Q;
  Q.Loop = cast<For>(S.get());
  Q.Enclosing = Around;
  Separation Apart = separateBuffers(Q, F, Ctx);
  if (Apart.Why.isSet() || !N.adopt(Apart.Guards, /*Outermost=*/true))
    return std::nullopt;
  N.separate(Apart.Guards);
  for (const std::string &Text : Apart.Assumed)
    if (!llvm::is_contained(N.Rests.Assumptions, Text))
      N.Rests.Assumptions.push_back(Text);
  return N;
}

/// Whether `n > c` says all that G does, which is `n >= 0` or `n > 0`.
static bool implies(const ExprRef &Test, const Guard &G) {
  auto *T = dyn_cast<Binary>(Test.get());
  auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  if (!T || !B || T->Op != BinaryOp::GT ||
      (B->Op != BinaryOp::GT && B->Op != BinaryOp::GE))
    return false;
  auto Bare = [](ExprRef E) {
    while (auto *C = dyn_cast<Cast>(E.get())) {
      const Type &From = C->Operand->Ty;
      bool Keeps = From.isInt() && C->Ty.isInt() &&
                   (From.Signed == C->Ty.Signed
                        ? C->Ty.Bits >= From.Bits
                        : C->Ty.Signed && C->Ty.Bits > From.Bits);
      if (!Keeps)
        break;
      E = C->Operand;
    }
    return E;
  };
  auto Above = constantValue(T->R), Least = constantValue(B->R);
  return Above && Least && *Above >= 0 && *Least >= 0 && *Least <= *Above &&
         T->L->Ty.Signed && B->L->Ty.Signed &&
         structurallyEqual(Bare(T->L), Bare(B->L));
}

StmtRef raise::joinTests(const StmtRef &Body, Nest &N) {
  auto List = statements(Body);
  auto *I = List.size() == 1 ? dyn_cast<If>(List[0].get()) : nullptr;
  if (!I || I->Else || N.Rests.Guards.empty())
    return Body;
  llvm::erase_if(N.Rests.Guards,
                 [&](const Guard &G) { return implies(I->Cond, G); });
  Guard Runs;
  Runs.Cond = I->Cond;
  Runs.Why = "the loop runs";
  N.Rests.Guards.insert(N.Rests.Guards.begin(), Runs);
  return I->Then;
}

namespace {

/// Hoists out of the outermost loops that it changes, and does no more.
class EachLoop {
public:
  EachLoop(const Function &F, Context &Ctx)
      : F(F), Ctx(Ctx), Live(F), Rules(hoistRules(F, Ctx.Opts)) {}

  StmtRef run(const StmtRef &S, std::vector<const For *> Around) {
    auto Inside = [&](const StmtRef &Sub) { return run(Sub, Around); };
    auto *L = llvm::dyn_cast_or_null<For>(S.get());
    if (!L)
      return mapChildren(S, Inside);
    Hoisting H = hoistInvariants(*L, Live, Rules);
    if (H.Why.isSet())
      Ctx.Missed.push_back(H.Why);
    auto N = H.Result ? nestOfHoisted(S, Around, H, F, Ctx) : std::nullopt;
    if (N)
      return std::make_shared<Region>(std::move(N->Rests), H.Result, S, S->Loc);
    Around.push_back(L);
    return mapChildren(S, Inside);
  }

private:
  const Function &F;
  Context &Ctx;
  Liveness Live;
  HoistRules Rules;
};

} // namespace

FunctionRef raise::hoistInvariantsPass(FunctionRef F, Context &Ctx) {
  StmtRef Body = EachLoop(*F, Ctx).run(F->Body, {});
  return withBody(*F, std::move(Body));
}
