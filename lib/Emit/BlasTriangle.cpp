//===- BlasTriangle.cpp - calls of BLAS that write one triangle -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product of a table and its own transpose is the same on both sides of its
// diagonal, so loops compute one side only. BLAS has calls for that: syrk,
// and syr2k for two tables, each with the other's transpose.
//
//===----------------------------------------------------------------------===//

#include "BlasArguments.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::eigen {

/// Whether sums of It's bounds are what its loop compares: a negative number is
/// another one where it is compared without a sign.
static bool comparesSums(const Iterator &It) {
  const auto Lo = numberOf(It.Lo);
  return (Lo && *Lo >= 0) ||
         (It.V->Ty.Signed && It.Lo->Ty.Signed && It.Hi->Ty.Signed);
}

/// If one iterator begins or ends at another, the two must go over a triangle:
/// iterators are those of the square around it then, and Half says which side
/// it is. Nothing else may begin or end at an iterator.
bool Operation::readTriangle() {
  std::optional<size_t> Cut;
  for (size_t K = 0; K < Iters.size(); ++K) {
    if (Syms.isFixed(Iters[K].Lo) && Syms.isFixed(Iters[K].Hi))
      continue;
    if (Cut)
      return false;
    Cut = K;
  }
  if (!Cut)
    return true;
  const Iterator &It = Iters[*Cut];
  const auto Lo = Syms.sumOf(It.Lo), Hi = Syms.sumOf(It.Hi);
  for (size_t K = 0; K < *Cut && Lo && Hi; ++K) {
    const Iterator &By = Iters[K];
    const auto First = Syms.sumOf(By.Lo), End = Syms.sumOf(By.Hi);
    const Sum At = Sum::symbol(Syms.iterator(K));
    const bool Below = Hi == At.plus(Sum::constant(1)) && Lo == First,
               Above = Lo == At && Hi == End;
    if (!First || !End || (!Below && !Above) || !comparesSums(By) ||
        (Below && !comparesSums(It)) || It.V->Ty != By.V->Ty)
      continue;
    Square.assign(Iters.begin(), Iters.end());
    Square[*Cut].Lo = By.Lo;
    Square[*Cut].Hi = By.Hi;
    Iters = Square;
    Half = Below ? Triangle{*Cut, K} : Triangle{K, *Cut};
    return true;
  }
  return false;
}

/// Whether A goes along iterator I through the elements that B goes through
/// along J, and both alike along all others.
bool Operation::areOneTable(const Access &A, size_t I, const Access &B,
                            size_t J) {
  const auto MA = motionOf(A, Syms), MB = motionOf(B, Syms);
  if (A.Buf != B.Buf || !MA || !MB)
    return false;
  Sum FirstOfA = MA->Rest, FirstOfB = MB->Rest;
  for (size_t K = 0; K < Iters.size(); ++K) {
    const size_t Other = K == I ? J : K == J ? I : K;
    if (!(MA->Steps[K] == MB->Steps[Other]))
      return false;
    FirstOfA = FirstOfA.plus(MA->Steps[K], MA->Shifts[K]);
    FirstOfB = FirstOfB.plus(MB->Steps[K], MB->Shifts[K]);
  }
  return FirstOfA == FirstOfB;
}

/// Which side of a table with rows of iterator Row T's points are.
std::optional<StringRef> Operation::sideOf(const Shape &Of) const {
  // Without a sum it is memory's speed, which loops have too.
  if (!Half || !Of.Row || !Of.Column || !Of.Summed)
    return std::nullopt;
  if (Half->Lesser == *Of.Column && Half->Greater == *Of.Row)
    return "CblasLower";
  if (Half->Lesser == *Of.Row && Half->Greater == *Of.Column)
    return "CblasUpper";
  return std::nullopt;
}

/// Nothing but a triangle of the result is counted or written.
bool Operation::blasTriangle(const BlasCall &C) {
  const Shape &Of = C.Is.Of;
  const auto Side = sideOf(Of);
  Stored A, To;
  if (!Side || !areOneTable(C.Is.A, *Of.Row, C.Is.B, *Of.Column) ||
      !blasMatrix(C.Is.W->To, *Of.Row, *Of.Column, To) || To.Turned ||
      !blasMatrix(C.Is.A, *Of.Row, *Of.Summed, A))
    return false;
  C.addTo(Statements, "syrk",
          {"CblasRowMajor", Side->str(), turned(A.Turned), C.rows(), C.summed(),
           C.Alpha},
          {A.Pointer, A.Step, C.Beta, To.Pointer, To.Step});
  return true;
}

/// Whether the two products are `A · Bᵀ` and `B · Aᵀ`, with one factor.
bool Operation::areOneCall() {
  if (Products.size() != 2)
    return false;
  const Product &First = Products[0], &Then = Products[1];
  const Shape &Of = First.Of;
  const bool SameScale = First.Scale && Then.Scale
                             ? structurallyEqual(First.Scale, Then.Scale)
                             : First.Scale == Then.Scale;
  return Of.Row && Of.Column && SameScale && First.W->Op == Then.W->Op &&
         areOneTable(First.A, *Of.Row, Then.B, *Of.Column) &&
         areOneTable(Then.A, *Of.Row, First.B, *Of.Column);
}

/// The one call that the two products are.
bool Operation::blasTwoTables(const BlasCall &C) {
  const Shape &Of = C.Is.Of;
  const auto Side = sideOf(Of);
  Stored A, B, To;
  if (!Side || !blasMatrix(C.Is.W->To, *Of.Row, *Of.Column, To) || To.Turned ||
      !blasMatrix(C.Is.A, *Of.Row, *Of.Summed, A) ||
      !blasMatrix(Products[1].A, *Of.Row, *Of.Summed, B) ||
      A.Turned != B.Turned)
    return false;
  C.addTo(Statements, "syr2k",
          {"CblasRowMajor", Side->str(), turned(A.Turned), C.rows(), C.summed(),
           C.Alpha},
          {A.Pointer, A.Step, B.Pointer, B.Step, C.Beta, To.Pointer, To.Step});
  return true;
}

} // namespace raise::eigen
