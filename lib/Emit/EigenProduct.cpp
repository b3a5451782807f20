//===- EigenProduct.cpp - operations that are products of matrices --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An operation that does nothing but to add a product of two elements: which
// iterators its three accesses share says which product it is.
//
//===----------------------------------------------------------------------===//

#include "EigenOp.h"
#include "raise/IR/Terms.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::eigen {

/// One number, without a look at memory.
static bool isSimpleFactor(const ExprRef &E) {
  bool Simple = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Simple &= !isa<Load>(*Sub) && !isa<Call>(*Sub) && !isa<Select>(*Sub);
  });
  return Simple;
}

std::optional<Operation::Factors> Operation::factors(const Write &W) {
  const Type &Ty = W.Value->Ty;
  if (!Ty.isFloat() || (Ty.Bits != 32 && Ty.Bits != 64) ||
      Ty != (W.Scalar ? W.Scalar->Ty : W.To.Buf->Elem))
    return std::nullopt;
  SmallVector<ExprRef, 4> All;
  factorsOf(W.Value, All);
  Factors Found;
  for (const ExprRef &E : All) {
    auto *L = dyn_cast<Load>(E.get());
    if (L && !Syms.isFixed(E)) {
      if (!Views::canView(*L->From.Buf) ||
          (!W.Scalar && L->From.Buf == W.To.Buf))
        return std::nullopt;
      Found.Loads.push_back(L->From);
    } else if (Syms.isFixed(E) && isSimpleFactor(E)) {
      Found.Scale = Found.Scale ? build::mul(Found.Scale, E) : E;
    } else {
      return std::nullopt;
    }
  }
  // A factor in front of the product is another order of rounding.
  if (Found.Loads.size() != 2 ||
      (Found.Scale && Where.Opts->FP != FPMode::Fast))
    return std::nullopt;
  return Found;
}

Operation::Text Operation::matrix(const Access &A, size_t Row, size_t Column,
                                  bool Written) {
  auto M = motionOf(A, Syms);
  return view({A, *M, M->Shifts, M->Shifts, Written}, *M, Algebra::Matrix, Row,
              Column);
}

Operation::Text Operation::vector(const Access &A, size_t K, bool Written) {
  auto M = motionOf(A, Syms);
  // Eigen's products want the address of their vectors.
  if (M->Steps[K].asConstant() == -1)
    return std::nullopt;
  return vectorView({A, *M, M->Shifts, M->Shifts, Written}, *M, Algebra::Matrix,
                    K);
}

/// The one iterator in Bits.
static std::optional<size_t> only(unsigned Bits) {
  for (size_t K = 0; K < 3; ++K)
    if (Bits == 1u << K)
      return K;
  return std::nullopt;
}

Operation::Text Operation::scalarProduct(const Product &Of, StringRef Sign) {
  const Write &W = *Of.W;
  NeedsPoint |= !W.Scalar;
  Text X = vector(Of.A, 0), Y = vector(Of.B, 0);
  if (!X || !Y)
    return std::nullopt;
  return (W.Scalar ? P.nameOf(W.Scalar.get()) : P.access(W.To)) + Sign.str() +
         *X + ".dot(" + *Y + ");";
}

/// The target holds a table (or, without columns, a vector) of sums (or, where
/// nothing is summed, of products).
Operation::Text Operation::matrixProduct(const Product &Is, StringRef Sign) {
  const Write &W = *Is.W;
  const Shape &Of = Is.Of;
  Text To = Of.Column ? matrix(W.To, *Of.Row, *Of.Column, true)
                      : vector(W.To, *Of.Row, true);
  Text L =
      Of.Summed ? matrix(Is.A, *Of.Row, *Of.Summed) : vector(Is.A, *Of.Row);
  Text R = !Of.Summed  ? vector(Is.B, *Of.Column)
           : Of.Column ? matrix(Is.B, *Of.Summed, *Of.Column)
                       : vector(Is.B, *Of.Summed);
  if (!To || !L || !R)
    return std::nullopt;
  return *To + ".noalias()" + Sign.str() + *L + " * " + *R +
         (Of.Summed ? ";" : ".transpose();");
}

/// W as a product, if it is one: which of its accesses are rows, columns and
/// what is summed.
std::optional<Operation::Product> Operation::readProduct(const Write &W) {
  Product Found;
  Found.W = &W;
  const bool Sums = W.Op == Combiner::Add || W.Op == Combiner::Sub;
  auto F = factors(W);
  if (!F || (!Sums && W.Op != Combiner::None))
    return std::nullopt;
  Found.Scale = F->Scale;
  Found.A = F->Loads[0];
  Found.B = F->Loads[1];
  auto MA = motionOf(Found.A, Syms), MB = motionOf(Found.B, Syms);
  if (!MA || !MB)
    return std::nullopt;
  unsigned InA = dims(*MA), InB = dims(*MB);
  const unsigned InTo = W.Scalar ? 0 : dims(W.M), Summed = InA & InB & ~InTo;
  if ((InA | InB | InTo) != whole() || (Summed && !only(Summed)) ||
      (Summed && (!Sums || Where.Opts->FP == FPMode::Strict)))
    return std::nullopt;
  Found.Of.Summed = only(Summed);
  if (!InTo) {
    if (InA != Summed || InB != Summed)
      return std::nullopt;
    return Found;
  }
  auto One = only(InTo);
  for (size_t K = 0; K < Iters.size() && !One; ++K)
    if (W.M.Steps[K].asConstant() == 1)
      Found.Of.Column = K;
  if (!One && !Found.Of.Column)
    return std::nullopt;
  const unsigned InRows =
      One ? 1u << *One : InTo & ~(1u << Found.Of.Column.value_or(0));
  if (!only(InRows))
    return std::nullopt;
  Found.Of.Row = *only(InRows);
  if (!(InA & InRows)) {
    std::swap(Found.A, Found.B);
    std::swap(InA, InB);
  }
  if (InA != (InRows | Summed) || InB != ((InTo & ~InRows) | Summed))
    return std::nullopt;
  return Found;
}

bool Operation::product() {
  const auto Found =
      Writes.size() == 1 ? readProduct(Writes.front()) : std::nullopt;
  if (!Found)
    return false;
  const Write &W = *Found->W;
  const bool Scalar = !Found->Of.Row;
  if (Scalar ? Found->Scale != nullptr
             : Found->Of.Summed && Where.Opts->FP != FPMode::Fast)
    return false;
  const std::string Sign = W.Op == Combiner::None  ? " = "
                           : W.Op == Combiner::Add ? " += "
                                                   : " -= ";
  Text Line;
  const auto Before = V.keep();
  const bool NeededPoint = NeedsPoint;
  if (Scalar) {
    Line = scalarProduct(*Found, Sign);
  } else {
    NeedsPoint |= Found->Of.Summed.has_value();
    std::string Scale;
    if (Found->Scale) {
      Printed Text = P.inType(Found->Scale, Found->Scale->Ty);
      Scale = parenthesised(Text, Prec::Product) + " * ";
    }
    Line = matrixProduct(*Found, Sign + Scale);
  }
  if (Line) {
    Statements.push_back(std::move(*Line));
    return true;
  }
  V.restore(Before);
  NeedsPoint = NeededPoint;
  return false;
}

} // namespace raise::eigen
