//===- VerifyTensor.cpp - invariants of tensor operations and regions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifierInternal.h"
#include "raise/IR/Effects.h"

using namespace llvm;

namespace raise::detail {

void Verifier::iterator(const Iterator &I) {
  if (!I.V->Ty.isInt())
    report("iterator '" + I.V->Name + "' has type " + I.V->Ty.name());
  typed(I.Lo, I.V->Ty, "the start of iterator '" + I.V->Name + "'");
  typed(I.Hi, I.V->Ty, "the end of iterator '" + I.V->Name + "'");
  typed(I.Step, I.V->Ty, "the step of iterator '" + I.V->Name + "'");
  if (const auto *C = dyn_cast_or_null<IntConst>(I.Step.get()))
    if (C->Value == 0 || (C->Ty.Signed && C->Value < 0))
      report("the step of iterator '" + I.V->Name + "' is not positive");
  declare(*I.V);
}

void Verifier::tensorOp(const TensorOp &T) {
  if (T.Iterators.empty())
    report("a tensor operation has no iterator");
  const auto Outside = Visible;
  for (const Iterator &I : T.Iterators)
    iterator(I);
  if (T.Mask)
    typed(T.Mask, Type::getBool(), "the mask");
  Tensors.push_back({&T, {}, {}});
  body(T.Body);
  Tensors.pop_back();
  Visible = Outside;
}

bool Verifier::allowedInTensor(const Stmt &S) {
  switch (S.Kind) {
  case StmtKind::Block:
  case StmtKind::Assign:
  case StmtKind::Store:
  case StmtKind::If:
  case StmtKind::TensorOp:
    return true;
  case StmtKind::Decl:
    return cast<Decl>(S).Init != nullptr;
  default:
    return false;
  }
}

static bool hasKind(const TensorOp &T, IterKind Kind) {
  for (const Iterator &I : T.Iterators)
    if (I.Kind == Kind)
      return true;
  return false;
}

/// Walks outwards to the operation whose body declares V: all operations inside
/// write a scalar that their points share.
void Verifier::writtenInTensor(const VarRef &V, Combiner Op) {
  for (TensorScope &S : reverse(Tensors)) {
    for (const Iterator &I : S.Op->Iterators)
      if (I.V == V)
        return report("iterator '" + V->Name + "' is assigned");
    if (S.Own.contains(V.get()))
      return;
    // In order, anything may be written.
    if (hasKind(*S.Op, IterKind::Serial) || hasKind(*S.Op, IterKind::Scan))
      continue;
    if (!hasKind(*S.Op, IterKind::Reduction))
      return report("all points of a tensor operation without reduction write "
                    "scalar '" +
                    V->Name + "'");
    if (Op == Combiner::None)
      return report("a reduction replaces scalar '" + V->Name +
                    "' instead of combining");
    for (const auto &[Other, Before] : S.Outer)
      if (Other == V.get() && Before != Op)
        return report("scalar '" + V->Name + "' is reduced with two combiners");
    S.Outer.emplace_back(V.get(), Op);
  }
}

/// A guard stands before the region, on any input.
void Verifier::evaluableBefore(const ExprRef &E) {
  if (E && effectsOf(E).MayTrap)
    report("a guard may trap");
}

void Verifier::guard(const Guard &G) {
  const bool HasRanges = G.A.Buf && G.B.Buf;
  if (G.Cond ? (G.A.Buf || G.B.Buf) : !HasRanges)
    return report("a guard is either a condition or two ranges");
  if (G.Cond) {
    typed(G.Cond, Type::getBool(), "a guard");
    return evaluableBefore(G.Cond);
  }
  for (const ElementRange *R : {&G.A, &G.B}) {
    use(*R->Buf);
    typed(R->Lo, Type::getI64(), "the start of a guard's range");
    typed(R->Hi, Type::getI64(), "the end of a guard's range");
    evaluableBefore(R->Lo);
    evaluableBefore(R->Hi);
  }
}

void Verifier::region(const Region &R) {
  for (const Guard &G : R.Rests.Guards)
    guard(G);
  if (!R.Body || !R.Original)
    return report("a region lacks its body or its original");
  body(R.Body);
  body(R.Original);
}

} // namespace raise::detail
