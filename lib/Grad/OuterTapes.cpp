//===- OuterTapes.cpp - values that loops leave alone ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An element that a nest reads and does not write has one value for all
// iterations of those of its loops whose variables do not say which element it
// is. It is kept before the nest, once: for
//
//   for (p…) for (s…) sum[p] += A[s] * B[s][p];
//
// a copy of A over s, and not one over p and s.
//
//===----------------------------------------------------------------------===//

#include "ReversedLoop.h"
#include "Values.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

static const For &headerOf(const Node *Loop) {
  return *cast<For>(Loop->S.get());
}

/// The loops around At that write nothing that Use reads, outermost first, and
/// from the first one whose variable Use does not name.
std::vector<const Node *> Values::loopsThatLeave(const ExprRef &Use,
                                                 Position At) const {
  std::vector<const Node *> Loops;
  Substitution Free; // a loop's own variable is no reason
  for (const Node *Q = At.L->Owner; Q; Q = Q->In->Owner) {
    auto *F = dyn_cast<For>(Q->S.get());
    if (!F || F->V->Kind == VarKind::Cursor || !fixedStep(*F))
      break;
    auto Copy = std::make_shared<Var>(*F->V);
    Free[F->V.get()] = build::var(VarRef(std::move(Copy)));
    // What is written later was read as it is before the loop.
    if (mayChange(*cast<Load>(substitute(Use, Free).get()), *Q) &&
        !isReadFirst(*cast<Load>(Use.get()), At, *Q, Free))
      break;
    Loops.insert(Loops.begin(), Q);
  }
  const auto First = find_if(
      Loops, [&](const Node *Q) { return !uses(Use, headerOf(Q).V.get()); });
  Loops.erase(Loops.begin(), First);
  return Loops;
}

std::optional<std::vector<Values::Level>>
Values::levelsOf(const ExprRef &Use, ArrayRef<const Node *> Loops) {
  std::vector<Level> Out;
  std::vector<CountedLoop> Unused;
  Substitution Own;
  bool AtGreatest = false, AtLeast = false;
  for (const Node *Q : Loops) {
    const For &F = headerOf(Q);
    const bool Up = *fixedStep(F) > 0;
    Level Of = {Q, nullptr, F.Lo, F.Hi};
    // All elements that any iteration uses are those that one uses, if there is
    // one at which all bounds are widest and nothing is stepped over.
    for (auto [Bound, Greatest] :
         {std::pair(&Of.Lo, !Up), std::pair(&Of.Hi, Up)}) {
      const ExprRef Wide = extreme(*Bound, Unused, Greatest);
      if (!Wide)
        return std::nullopt;
      // Steps of two from 0 meet nothing that steps of two from 1 do.
      if (Bound == &Of.Lo && Wide != *Bound && std::abs(*fixedStep(F)) != 1)
        return std::nullopt;
      (Greatest ? AtGreatest : AtLeast) |= Wide != *Bound;
      const auto Sum = Polynomial::of(Wide);
      const auto Number = Sum ? Sum->asConstant() : std::nullopt;
      *Bound =
          Number ? build::intConst(*Number, Wide->Ty) : substitute(Wide, Own);
      if (!isFixedIn(*Bound, *Loops.front()))
        return std::nullopt;
    }
    if (uses(Use, F.V.get())) {
      auto Copy = std::make_shared<Var>(*F.V);
      Copy->Name = freshName(F.V->Name);
      Copy->Kind = VarKind::Local;
      Of.V = Copy;
      Own[F.V.get()] = build::var(Of.V);
    } else {
      Unused.push_back({Q, Of.Lo, Of.Hi});
    }
    Out.push_back(std::move(Of));
  }
  if (AtGreatest && AtLeast)
    return std::nullopt;
  return Out;
}

/// Whether a loop of the header's bounds runs at all.
static ExprRef runs(const For &F, const ExprRef &Lo, const ExprRef &Hi) {
  const ExprRef From = numberIn(Lo, Hi->Ty);
  if (isa<IntConst>(*From) && F.Cond == BinaryOp::LT)
    return build::binary(BinaryOp::GT, Hi, From);
  return build::binary(F.Cond, From, Hi);
}

ExprRef Values::keepOutside(const ExprRef &Use, Position At, StringRef Name,
                            unsigned Depth) {
  const std::vector<const Node *> Loops = loopsThatLeave(Use, At);
  if (Loops.empty())
    return nullptr;
  const auto IsUsed = [&](const Node *Q) {
    return uses(Use, headerOf(Q).V.get());
  };
  const Node &Outermost = *Loops.front();
  const bool Elements = any_of(Loops, IsUsed);
  if (loopsAround(*Outermost.In) + count_if(Loops, IsUsed) >= Depth)
    return nullptr;
  std::vector<CountedLoop> Counted;
  if (Elements && !countIterations(*At.L, Counted))
    return nullptr;
  auto Levels = levelsOf(Use, Loops);
  if (!Levels)
    return nullptr;
  // Nothing is read that no iteration reads: where a copy's loop runs, one of
  // the same bounds does.
  const auto IsCertain = [&](const Level &Of) {
    return any_of(*Levels, [&](const Level &Other) {
      const For &A = headerOf(Of.Loop), &B = headerOf(Other.Loop);
      return Other.V && A.Cond == B.Cond &&
             structurallyEqual(Of.Lo, Other.Lo) &&
             structurallyEqual(Of.Hi, Other.Hi);
    });
  };
  if (!Elements) {
    ExprRef Cond;
    for (const Level &Of : *Levels) {
      const ExprRef Runs = runs(headerOf(Of.Loop), Of.Lo, Of.Hi);
      Cond = Cond ? build::logicalAnd(Cond, Runs) : Runs;
    }
    return keep(Use, before(Outermost), Name, Cond);
  }
  std::vector<const Node *> Unused;
  Substitution Own;
  for (const Level &Of : *Levels)
    if (Of.V)
      Own[headerOf(Of.Loop).V.get()] = build::var(Of.V);
    else
      Unused.push_back(Of.Loop);
  // The copy lies as what it is of, if its loops may be in any order.
  const auto PlaceOf = [&](const Node &Q) {
    const std::vector<ExprRef> &Indices = cast<Load>(Use.get())->From.Indices;
    const auto At = find_if(Indices, [&](const ExprRef &I) {
      return uses(I, headerOf(&Q).V.get());
    });
    return At == Indices.end() ? 0U : unsigned(At - Indices.begin()) + 1;
  };
  const bool Rectangular = all_of(*Levels, [&](const Level &Of) {
    return none_of(*Levels, [&](const Level &Other) {
      return Other.V &&
             (uses(Of.Lo, Other.V.get()) || uses(Of.Hi, Other.V.get()));
    });
  });
  if (Rectangular)
    stable_sort(*Levels, [&](const Level &A, const Level &B) {
      return (A.V ? PlaceOf(*A.Loop) : 0) < (B.V ? PlaceOf(*B.Loop) : 0);
    });
  const Tape Kept = Rectangular ? tapeFor(At, Use->Ty, Name, Unused, PlaceOf)
                                : tapeFor(At, Use->Ty, Name, Unused);
  StmtRef Copy = substitute(
      StmtRef(std::make_shared<Store>(Kept.Written, Combiner::None, Use)), Own);
  for (const Level &Of : reverse(*Levels)) {
    const For &F = headerOf(Of.Loop);
    if (Of.V)
      Copy = std::make_shared<For>(
          Of.V, Of.Lo, F.Cond, Of.Hi, F.Step, LoopKind::Serial,
          /*DeclaresVar=*/true,
          std::make_shared<Block>(std::vector<StmtRef>{Copy}), F.Loc);
    else if (!IsCertain(Of))
      Copy = std::make_shared<If>(
          runs(F, Of.Lo, Of.Hi),
          std::make_shared<Block>(std::vector<StmtRef>{Copy}), nullptr, F.Loc);
  }
  Saves[{Outermost.In, Outermost.Index}].push_back(std::move(Copy));
  return declare(Use, At, headVariable(Use, At, Name),
                 std::make_shared<Load>(Kept.Read, Use->Ty));
}

} // namespace raise::grad
