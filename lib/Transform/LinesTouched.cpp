//===- LinesTouched.cpp - how near to one another a loop's accesses lie ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LinesTouched.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include <algorithm>
#include <cmath>

using namespace raise;
using llvm::dyn_cast;

/// The same of one access; 0 where it does not move. Lets are put in place of
/// the variables that they set.
static double stepCost(const Access &A, const Var *V,
                       const Substitution &Lets) {
  const std::vector<ExprRef> &Inner =
      A.isView() ? A.Extents
                 : A.Buf->Extents; // of a declared array: [0] is unused
  Polynomial Flat = Polynomial::constant(0);
  for (unsigned D = 0; D != A.Indices.size(); ++D) {
    auto P = Polynomial::of(substitute(A.Indices[D], Lets));
    if (!P)
      return uses(substitute(A.Indices[D], Lets), V) ? 1 : 0;
    if (D != 0) {
      const ExprRef &X = Inner[A.isView() ? D - 1 : D];
      auto Extent = X ? Polynomial::of(X) : std::nullopt;
      if (!Extent)
        return 1;
      Flat = Flat * *Extent;
    }
    Flat = Flat + *P;
  }
  auto Stride = Flat.coefficient(V);
  if (!Stride)
    return 1;
  if (Stride->isZero())
    return 0;
  auto C = Stride->asConstant();
  double PerLine = 64.0 / std::max(1u, A.Buf->Elem.sizeInBytes());
  return C ? std::min(1.0, std::abs(static_cast<double>(*C)) / PerLine) : 1.0;
}

/// Whether its declaration is all that sets V.
static bool isSetOnce(const StmtRef &Body, const Var *V) {
  unsigned Times = 0;
  assignedVars(Body, [&](const VarRef &Set) { Times += Set.get() == V; });
  return Times == 1;
}

/// Integers that are computed once in an iteration.
static Substitution letsOf(const StmtRef &Body) {
  Substitution Lets;
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    if (D && D->Init && D->V->Ty.isInt() && isSetOnce(Body, D->V.get()))
      Lets[D->V.get()] = substitute(D->Init, Lets);
  });
  return Lets;
}

double raise::linesPerStep(const StmtRef &Body, const Var *V) {
  return linesPerStep(Body, V, Body);
}

double raise::linesPerStep(const StmtRef &Body, const Var *V,
                           const StmtRef &Around) {
  const Substitution Lets = letsOf(Around);
  double Sum = 0;
  for (const MemoryAccess &A : effectsOf(Body).Memory)
    Sum +=
        stepCost(A.At, V, Lets) * (A.How == MemoryAccess::Mode::Read ? 1 : 2);
  return Sum;
}

bool raise::goesAlongLines(const StmtRef &Body, const Var *V) {
  const Substitution Lets = letsOf(Body);
  bool Moves = false;
  for (const MemoryAccess &A : effectsOf(Body).Memory) {
    const double Lines = stepCost(A.At, V, Lets);
    if (Lines >= 1)
      return false;
    Moves |= Lines > 0;
  }
  return Moves;
}
