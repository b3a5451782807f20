//===- Terms.cpp - sums of products ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Terms.h"

namespace raise {

using llvm::dyn_cast;

void factorsOf(const ExprRef &E, llvm::SmallVectorImpl<ExprRef> &Into) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (B && B->Op == BinaryOp::Mul) {
    factorsOf(B->L, Into);
    factorsOf(B->R, Into);
  } else {
    Into.push_back(E);
  }
}

llvm::SmallVector<Addend, 2> addendsOf(const ExprRef &E) {
  if (const auto *U = dyn_cast<Unary>(E.get()); U && U->Op == UnaryOp::Neg) {
    auto Found = addendsOf(U->Operand);
    for (Addend &A : Found)
      A.Minus = !A.Minus;
    return Found;
  }
  const auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub &&
             B->Op != BinaryOp::Mul))
    return {{E, false}};
  auto L = addendsOf(B->L);
  const auto R = addendsOf(B->R);
  if (B->Op != BinaryOp::Mul) {
    for (const Addend &A : R)
      L.push_back({A.Value, A.Minus != (B->Op == BinaryOp::Sub)});
    return L;
  }
  if (L.size() > 1 && R.size() > 1)
    return {{E, false}};
  llvm::SmallVector<Addend, 2> Found;
  for (const Addend &A : L)
    for (const Addend &Each : R)
      Found.push_back({A.Value == B->L && Each.Value == B->R
                           ? E
                           : build::binary(BinaryOp::Mul, A.Value, Each.Value),
                       A.Minus != Each.Minus});
  return Found;
}

} // namespace raise
