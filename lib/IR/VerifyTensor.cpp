//===- VerifyTensor.cpp - invariants of tensor operations and regions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifierInternal.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"

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
  const unsigned Outer = LoopDepth;
  Tensors.push_back({&T, {}, {}});
  LoopDepth = 0;
  body(T.Body);
  LoopDepth = Outer;
  Tensors.pop_back();
  Visible = Outside;
}

/// Whether a point of the innermost operation may be the last.
bool Verifier::mayEndTensor() const {
  const auto &Its = Tensors.back().Op->Iterators;
  return Its.size() == 1 && isOrdered(Its[0].Kind);
}

/// Whether a point may end the function.
bool Verifier::mayEndFunction() const {
  return Tensors.size() == 1 && mayEndTensor();
}

bool Verifier::allowedInTensor(const Stmt &S) {
  switch (S.Kind) {
  case StmtKind::Block:
  case StmtKind::Assign:
  case StmtKind::Store:
  case StmtKind::If:
  case StmtKind::TensorOp:
  case StmtKind::Decl:
  case StmtKind::DeclBuffer:
  // What one point does in order:
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Break:
  case StmtKind::Continue:
    return true;
  case StmtKind::Return:
    return mayEndFunction();
  case StmtKind::Opaque:
    return cast<Opaque>(&S)->NoReturn && mayEndFunction();
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
  // To subtract is to add something else.
  if (Op == Combiner::Sub)
    Op = Combiner::Add;
  for (TensorScope &S : reverse(Tensors)) {
    for (const Iterator &I : S.Op->Iterators)
      if (I.V == V)
        return report("iterator '" + V->Name + "' is assigned");
    if (S.Own.contains(V.get()))
      return;
    // In order, anything may be written.
    if (any_of(S.Op->Iterators,
               [](const Iterator &I) { return isOrdered(I.Kind); }))
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

/// E without casts to integers that keep its value (guards compute in 64
/// bits).
static const Expr *uncast(const Expr *E) {
  while (auto *C = dyn_cast<Cast>(E)) {
    const Type &From = C->Operand->Ty;
    bool Keeps = C->Ty.Signed == From.Signed
                     ? C->Ty.Bits >= From.Bits
                     : C->Ty.Signed && C->Ty.Bits > From.Bits;
    if (!From.isInt() || !C->Ty.isInt() || !Keeps)
      break;
    E = C->Operand.get();
  }
  return E;
}

/// Whether one of the guards says that E > 0.
static bool isPositiveBy(ArrayRef<Guard> Earlier, const ExprRef &E) {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value > 0;
  // A product is positive when both factors are (guards compute in 64 bits, and
  // say so where a product of theirs must fit).
  if (auto *B = dyn_cast<Binary>(uncast(E.get())); B && B->Op == BinaryOp::Mul)
    if (isPositiveBy(Earlier, B->L) && isPositiveBy(Earlier, B->R))
      return true;
  for (const Guard &G : Earlier) {
    auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
    auto *Least = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    if (!Least || !structurallyEqual(*uncast(B->L.get()), *uncast(E.get())))
      continue;
    if ((B->Op == BinaryOp::GT && Least->Value >= 0) ||
        (B->Op == BinaryOp::GE && Least->Value >= 1))
      return true;
  }
  return false;
}

/// A guard stands before the region, on any input. Guards are tested in order,
/// so one may divide by what an earlier one found to be positive.
void Verifier::evaluableBefore(const ExprRef &E, ArrayRef<Guard> Earlier) {
  if (!E || !effectsOf(E).MayTrap)
    return;
  bool Safe = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *C = dyn_cast<Call>(Sub.get()))
      Safe &= !C->Fn->MayTrap;
    auto *B = dyn_cast<Binary>(Sub.get());
    if (B && B->Ty.isInt() &&
        (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem))
      Safe &= isPositiveBy(Earlier, B->R);
  });
  if (!Safe)
    report("a guard may trap");
}

void Verifier::guard(const Guard &G, ArrayRef<Guard> Earlier) {
  const bool HasRanges = G.A.Buf && G.B.Buf;
  if (G.Cond ? (G.A.Buf || G.B.Buf) : !HasRanges)
    return report("a guard is either a condition or two ranges");
  if (G.Cond) {
    typed(G.Cond, Type::getBool(), "a guard");
    return evaluableBefore(G.Cond, Earlier);
  }
  for (const ElementRange *R : {&G.A, &G.B}) {
    use(*R->Buf);
    typed(R->Lo, Type::getI64(), "the start of a guard's range");
    typed(R->Hi, Type::getI64(), "the end of a guard's range");
    evaluableBefore(R->Lo, Earlier);
    evaluableBefore(R->Hi, Earlier);
  }
}

void Verifier::region(const Region &R) {
  const auto Outside = Visible;
  if (R.Rests.Inspection) {
    Effects Of = effectsOf(R.Rests.Inspection);
    bool Writes = any_of(Of.Memory, [](const MemoryAccess &A) {
      return A.How != MemoryAccess::Mode::Read;
    });
    if (Writes || !Of.ScalarWrites.empty() || Of.Unknown)
      report("an inspection has effects");
    for (const StmtRef &S : statements(R.Rests.Inspection))
      stmt(S);
  }
  ArrayRef<Guard> Guards = R.Rests.Guards;
  for (unsigned N = 0; N != Guards.size(); ++N)
    guard(Guards[N], Guards.take_front(N));
  if (!R.Body || !R.Original)
    return report("a region lacks its body or its original");
  if (R.Rests.Means)
    body(R.Rests.Means);
  body(R.Body);
  body(R.Original);
  Visible = Outside;
}

} // namespace raise::detail
