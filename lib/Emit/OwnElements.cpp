//===- OwnElements.cpp - stores that iterations do not share --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OwnElements.h"
#include "ExprPrinter.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

/// How often V is used in E; many if it is not plainly added or multiplied, so
/// that its terms may cancel.
static unsigned plainUses(const ExprRef &E, const Var *V) {
  constexpr unsigned Many = 100;
  if (!uses(E, V))
    return 0;
  if (isa<VarUse>(*E))
    return 1;
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() ? plainUses(C->Operand, V) : Many;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub &&
             B->Op != BinaryOp::Mul))
    return Many;
  return std::min(Many, plainUses(B->L, V) + plainUses(B->R, V));
}

bool moves(const Access &A, const Var *V, const StmtRef &Body) {
  bool Set = false;
  assignedVars(Body, [&](const VarRef &Let) {
    for (const ExprRef &E : A.Indices)
      Set |= uses(E, Let.get());
  });
  unsigned Used = 0;
  for (const ExprRef &E : A.Indices)
    Used += plainUses(E, V);
  return !Set && Used == 1 &&
         none_of(A.Extents, [&](const ExprRef &E) { return uses(E, V); });
}

bool isOfStrip(const Store &St, const TensorOp &T, const Iterator &It) {
  const auto *By = dyn_cast<IntConst>(It.Step.get());
  return St.Op == Combiner::None && By && By->Value > 1 &&
         any_of(statements(T.Body), [&](const StmtRef &S) {
           const auto *Points = dyn_cast<TensorOp>(S.get());
           if (!Points || Points->Iterators.size() != 1)
             return false;
           const Iterator &Over = Points->Iterators.front();
           const auto *Lo =
               dyn_cast<VarUse>(withoutImplicitCasts(Over.Lo).get());
           return Lo && Lo->V == It.V && Over.Kind == IterKind::Parallel &&
                  any_of(
                      statements(Points->Body),
                      [&](const StmtRef &Sub) { return Sub.get() == &St; }) &&
                  moves(St.To, Over.V.get(), Points->Body);
         });
}

} // namespace raise
