//===- EigenElement.cpp - the part of a buffer that an access runs over ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenOp.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::eigen {

std::string Operation::sizeText(const Sum &S) const {
  return P.value(Syms.exprOf(S)).Text;
}

/// The address of the family's first element.
std::string Operation::pointer(const Family &F, const Motion &M) {
  DenseMap<const Var *, ExprRef> First;
  for (size_t K = 0; K < Iters.size(); ++K) {
    const Iterator &It = Iters[K];
    const int64_t Ahead = F.Least[K] - M.Shifts[K];
    const bool Backwards = M.Steps[K].asConstant() == -1;
    const Type &Ty = It.V->Ty;
    ExprRef At =
        Backwards ? build::sub(build::cast(It.Hi, Ty), build::intConst(1, Ty))
                  : build::cast(It.Lo, Ty);
    const auto Lo = numberOf(It.Lo);
    if (Lo && !Backwards)
      At = build::intConst(*Lo + Ahead, Ty);
    else if (Ahead)
      At = Ahead > 0 ? build::add(At, build::intConst(Ahead, Ty))
                     : build::sub(At, build::intConst(-Ahead, Ty));
    First[It.V.get()] = At;
    // Where there is no element, there may be no such address.
    NeedsPoint |= Lo != 0 || Backwards;
  }
  Access A = F.First;
  for (ExprRef &I : A.Indices)
    I = replaced(I, First);
  if (A.isView() || A.Buf->rank() == 1) {
    auto Wide = P.WideIndex.find(A.Buf.get());
    ExprRef Flat = flatIndex(A, Wide != P.WideIndex.end() && Wide->second);
    auto Offset = Syms.sumOf(Flat);
    if (auto Fixed = Offset ? Offset->asConstant() : std::nullopt)
      return P.pointer(*A.Buf, build::intConst(*Fixed, Type::getI64()));
    return P.pointer(*A.Buf, Flat);
  }
  return "&" + P.access(A);
}

/// What is between rows of Width elements, as Eigen takes it: empty where there
/// is no gap. Nothing where it may not be positive.
Operation::Text Operation::strideText(const Sum &Step, const Sum &Width) const {
  if (Step == Width)
    return "";
  ExprRef E = Syms.exprOf(Step);
  auto Gap = Step.plus(Width, -1).asConstant();
  auto Fixed = Step.asConstant(), Least = Width.asConstant();
  const bool Fits = (Gap && *Gap > 0) || (Fixed && Least && *Fixed >= *Least) ||
                    (!Fixed && isNotNegative(E));
  if (!Fits)
    return std::nullopt;
  return P.value(E).Text;
}

/// The part of a view that begins At elements behind its first, where More than
/// the iterator has are in it.
std::string Operation::part(size_t K, int64_t At, int64_t More,
                            StringRef Of) const {
  const std::string &Count = SizeTexts[K];
  auto Named = [&](StringRef First, StringRef Last, StringRef Middle) {
    if (At == 0)
      return "." + First.str() + "(" + Count + ")";
    if (At == More)
      return "." + Last.str() + "(" + Count + ")";
    return "." + Middle.str() + "(" + std::to_string(At) + ", " + Count + ")";
  };
  if (More == 0)
    return "";
  return Of == "rows"      ? Named("topRows", "bottomRows", "middleRows")
         : Of == "columns" ? Named("leftCols", "rightCols", "middleCols")
                           : Named("head", "tail", "segment");
}

Operation::Text Operation::vectorView(const Family &F, const Motion &M,
                                      Algebra Kind, size_t K) {
  const Sum &Step = M.Steps[K];
  const int64_t More = F.Most[K] - F.Least[K];
  auto By = Step.asConstant();
  const bool Backwards = By == -1;
  if ((By && !Backwards && (*By < 1 || *By > 64)) || (Backwards && More))
    return std::nullopt;
  View New;
  New.Buf = F.First.Buf;
  New.Kind = Kind;
  New.Pointer = pointer(F, F.M);
  New.Sizes = {sizeText(Counts[K].plus(Sum::constant(More)))};
  if (!By) {
    ExprRef E = Syms.exprOf(Step);
    if (!isNotNegative(E))
      return std::nullopt;
    New.Stride = P.value(E).Text;
  } else if (*By > 1) {
    New.Stride = std::to_string(*By);
  }
  return V.name(New, F.Written) + (Backwards ? ".reverse()" : "") +
         part(K, M.Shifts[K] - F.Least[K], More, "elements");
}

/// Rows are those of iterator Row.
Operation::Text Operation::view(const Family &F, const Motion &M, Algebra Kind,
                                size_t Row, size_t Column) {
  const bool Turned = M.Steps[Column].asConstant() != 1;
  if (Turned)
    std::swap(Row, Column);
  if (M.Steps[Column].asConstant() != 1)
    return std::nullopt;
  const int64_t MoreRows = F.Most[Row] - F.Least[Row];
  const int64_t MoreColumns = F.Most[Column] - F.Least[Column];
  const Sum Width = Counts[Column].plus(Sum::constant(MoreColumns));
  Text Stride = strideText(M.Steps[Row], Width);
  if (!Stride || M.Steps[Row].asConstant() == 1)
    return std::nullopt;
  View New;
  New.Buf = F.First.Buf;
  New.Kind = Kind;
  New.TwoDimensional = true;
  New.Pointer = pointer(F, F.M);
  New.Sizes = {sizeText(Counts[Row].plus(Sum::constant(MoreRows))),
               sizeText(Width)};
  New.Stride = *Stride;
  std::string Name = V.name(New, F.Written);
  const int64_t Down = M.Shifts[Row] - F.Least[Row];
  const int64_t Right = M.Shifts[Column] - F.Least[Column];
  if (MoreRows && MoreColumns)
    Name += ".block(" + std::to_string(Down) + ", " + std::to_string(Right) +
            ", " + SizeTexts[Row] + ", " + SizeTexts[Column] + ")";
  else
    Name += part(Row, Down, MoreRows, "rows") +
            part(Column, Right, MoreColumns, "columns");
  return Name + (Turned ? ".transpose()" : "");
}

std::optional<Piece> Operation::element(const Access &A) {
  auto M = motionOf(A, Syms);
  if (!M)
    return std::nullopt;
  const unsigned Dims = dims(*M);
  auto F = find_if(Families, [&](const Family &Each) {
    return Each.First.Buf == A.Buf && Each.M.Steps == M->Steps &&
           Each.M.Rest == M->Rest;
  });
  if (F == Families.end() || !Dims)
    return std::nullopt;
  Text Name;
  if (Dims == 3)
    Name = view(*F, *M, Algebra::Array, 1 - Inner, Inner);
  else
    Name = vectorView(*F, *M, Algebra::Array, Dims == 1 ? 0 : 1);
  if (!Name)
    return std::nullopt;
  return Piece{*Name, Prec::Postfix, Dims};
}

} // namespace raise::eigen
