//===- OneText.cpp - both branches of a region as one text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OneText.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {
namespace {

/// Whether A holds where B does: both compare one value with a number, however
/// wide.
bool followsFrom(const ExprRef &A, const ExprRef &B) {
  const auto Narrow = [](ExprRef E) {
    for (auto *C = dyn_cast<Cast>(E.get());
         C && C->Operand->Ty.isInt() && C->Ty.isInt() && C->Ty.Signed &&
         C->Operand->Ty.Signed && C->Operand->Ty.Bits < C->Ty.Bits;
         C = dyn_cast<Cast>(E.get()))
      E = C->Operand;
    return E;
  };
  auto *X = dyn_cast<Binary>(A.get()), *Y = dyn_cast<Binary>(B.get());
  auto *Of = X ? dyn_cast<IntConst>(Narrow(X->R).get()) : nullptr,
       *To = Y ? dyn_cast<IntConst>(Narrow(Y->R).get()) : nullptr;
  const bool Above = X && (X->Op == BinaryOp::GT || X->Op == BinaryOp::GE);
  return Of && To && X->Op == Y->Op &&
         (Of->Value == To->Value || (Above && Of->Value < To->Value)) &&
         X->L->Ty.Signed && Y->L->Ty.Signed &&
         structurallyEqual(Narrow(X->L), Narrow(Y->L));
}

/// Whether each loop in R's operation runs only where R's tests hold.
bool runsOnlyWhereTested(const Region &R, const TensorOp &T) {
  bool Only = true;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *Inner = dyn_cast<TensorOp>(S.get());
    if (!Inner)
      return;
    for (const Guard &G : R.Rests.Guards)
      Only &=
          G.Cond && any_of(Inner->Iterators, [&](const Iterator &It) {
            return followsFrom(G.Cond, sizeTest(BinaryOp::GT, It.Hi, It.Lo));
          });
  });
  return Only;
}

/// The tokens of C, as far as they are not of pragmas.
std::string plainText(const Code &C) {
  std::string Out;
  for (const std::string &Line : C.Lines) {
    if (StringRef(Line).ltrim().starts_with("#"))
      continue;
    copy_if(Line, std::back_inserter(Out), [](char Char) {
      return !isSpace(Char) && Char != '{' && Char != '}';
    });
  }
  return Out;
}

} // namespace

std::optional<Code> inOneText(const Region &R, const Code &Raised,
                              const Code &Original, const std::string &Test) {
  const ArrayRef<StmtRef> Body = statements(R.Body);
  auto *T = Body.size() == 1 ? dyn_cast<TensorOp>(Body[0].get()) : nullptr;
  const auto *Lo =
      T ? dyn_cast<IntConst>(withoutImplicitCasts(T->Iterators[0].Lo).get())
        : nullptr;
  if (!Lo || Lo->Value > 0 || Raised.Lines.empty() ||
      !StringRef(Raised.Lines[0]).starts_with("#pragma omp parallel for") ||
      StringRef(Raised.Lines[0]).contains(" simd") ||
      !runsOnlyWhereTested(R, *T) || plainText(Raised) != plainText(Original))
    return std::nullopt;
  Code C = Raised;
  C.Lines[0] += " if (parallel : " + Test + ")";
  return C;
}

} // namespace raise
