//===- FactorTapes.cpp - values that are kept as one ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For `v = k * (a + b - 2 * c)` the adjoint of k needs a + b - 2 * c: where a,
// b and c are overwritten, that is one number to keep and not three. Which
// parts of a statement's derivatives are kept whole is a cut of the smallest
// number of values between what the forward sweep has and what the reverse
// uses; the parts that are looked at are the largest made of the function's
// values alone.
//
//===----------------------------------------------------------------------===//

#include "PathConditions.h"
#include "Rules.h"
#include "Values.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Exprs = std::vector<ExprRef>;

bool holds(const Exprs &In, const ExprRef &E) {
  return any_of(In,
                [&](const ExprRef &Of) { return structurallyEqual(Of, E); });
}

bool isProduct(const ExprRef &E) {
  if (const auto *U = dyn_cast<Unary>(E.get()))
    return isProduct(U->Operand);
  const auto *B = dyn_cast<Binary>(E.get());
  return B && B->Op == BinaryOp::Mul;
}

void addOnce(Exprs &To, const ExprRef &E) {
  if (!holds(To, E))
    To.push_back(E);
}

} // namespace

/// Whether E is made of the function's values alone, by what has no effect;
/// adds those values to Leaves.
bool Values::isOfPrimal(const ExprRef &E, Exprs &Leaves) const {
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return true;
  case ExprKind::VarUse:
    addOnce(Leaves, E);
    return N.Vars.count(cast<VarUse>(E.get())->V.get()) != 0;
  case ExprKind::Load:
    addOnce(Leaves, E);
    return N.Buffers.count(cast<Load>(E.get())->From.Buf.get()) != 0;
  case ExprKind::Call:
    if (!hasRule(*cast<Call>(E.get())->Fn))
      return false;
    break;
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Cast:
    break;
  default: // what may not be evaluated
    return false;
  }
  for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K)
    if (!isOfPrimal(Operand, Leaves))
      return false;
  return true;
}

/// The largest parts of E that are numbers of the function's values alone.
void Values::primalParts(const ExprRef &E, Exprs &Parts) const {
  Exprs Leaves;
  if (E->Ty.isFloat() && isOfPrimal(E, Leaves))
    return addOnce(Parts, E);
  for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K)
    primalParts(Operand, Parts);
}

void Values::keepFactors(ArrayRef<ExprRef> Es, Position P) {
  const unsigned Depth = loopsAround(*P.L);
  if (P.Ends || P.Index >= P.L->Nodes.size())
    return;
  if (isNear())
    keepCalls(Es, P);
  if (!Depth)
    return; // of one value there is not much to keep
  llvm::SaveAndRestore<bool> InPlace(Here, true);
  Exprs Parts, Free, Kept, Outer;
  for (const ExprRef &E : Es)
    primalParts(E, Parts);
  // Which of a part's values would have a tape of this depth.
  std::vector<std::pair<ExprRef, Exprs>> Candidates;
  Exprs Alone;
  for (const ExprRef &Part : Parts) {
    Exprs Leaves, Needed;
    (void)isOfPrimal(Part, Leaves);
    bool Whole = true;
    for (const ExprRef &Leaf : Leaves) {
      if (!holds(Free, Leaf) && !holds(Kept, Leaf) && !holds(Outer, Leaf))
        (withoutTape(Leaf, P)       ? Free
         : !resolve(Leaf, P, Depth) ? Kept
                                    : Outer)
            .push_back(Leaf);
      // What has a smaller tape is better kept there; and what a condition
      // guards is not evaluated ahead of it.
      Whole &=
          !holds(Outer, Leaf) && !pathCondition(*P.L->Nodes[P.Index]->S, Leaf);
      if (holds(Kept, Leaf))
        Needed.push_back(Leaf);
    }
    if (Whole && Needed.size() > 1)
      Candidates.push_back({Part, Needed});
    else
      for (const ExprRef &Leaf : Needed)
        addOnce(Alone, Leaf);
  }
  Exprs Apart = Alone;
  size_t Whole = 0;
  erase_if(Candidates, [&](const auto &C) {
    return all_of(C.second,
                  [&](const ExprRef &Leaf) { return holds(Alone, Leaf); });
  });
  for (const auto &[Part, Needed] : Candidates)
    for (const ExprRef &Leaf : Needed)
      addOnce(Apart, Leaf);
  Whole = Candidates.size() + Alone.size();
  if (Whole >= Apart.size())
    return;
  Here = false;
  const StmtRef &S = P.L->Nodes[P.Index]->S;
  for (const auto &Candidate : Candidates) {
    const ExprRef &Part = Candidate.first;
    bool There = false; // the statement computes it too
    // (A product with a name could not be a part of a fused sum.)
    if (isa<Decl, Assign, Store>(*S) && !isProduct(Part))
      forEachExpr(S, [&](const ExprRef &Sub) {
        There |= structurallyEqual(Sub, Part);
      });
    if (There)
      keepNamed(Part, P, "factor");
    else
      keep(Part, P, "factor");
  }
  if (!Candidates.empty())
    Factored.insert({P.L, P.Index});
}

//===-- Calls
//---------------------------------------------------------------===//

void Values::keepCalls(ArrayRef<ExprRef> Es, Position P) {
  const StmtRef &S = P.L->Nodes[P.Index]->S;
  if (!isa<Decl, Assign, Store>(*S))
    return;
  Exprs Made;
  forEachExpr(S, [&](const ExprRef &Sub) {
    Exprs Leaves;
    if (isa<Call>(*Sub) && Sub->Ty.isFloat() && isSlow(Sub) &&
        isOfPrimal(Sub, Leaves) && !pathCondition(*S, Sub))
      addOnce(Made, Sub);
  });
  for (const ExprRef &C : Made) {
    bool Again = false;
    for (const ExprRef &E : Es)
      forEachExpr(
          E, [&](const ExprRef &Sub) { Again |= structurallyEqual(Sub, C); });
    if (Again)
      keepCall(C, P);
  }
}

void Values::keepCall(const ExprRef &C, Position P) {
  if (!known(C, P))
    keepNamed(C, P, baseName(*cast<Call>(C.get())->Fn).str());
}

void Values::keepNamed(const ExprRef &E, Position P, const std::string &Name) {
  // The forward sweep has it under a name too.
  auto V = std::make_shared<Var>();
  V->Name = freshName(Name + "_here");
  V->Ty = E->Ty;
  V->Const = true;
  Saves[{P.L, P.Index}].push_back(std::make_shared<Decl>(V, E));
  if (P.L == &N.Root)
    declare(E, P, V, nullptr);
  else
    keep(E, P, Name, nullptr, build::var(V));
  Named[{P.L, P.Index}].push_back({E, V});
  Factored.insert({P.L, P.Index});
}

} // namespace raise::grad
