//===- EigenCode.cpp - the Eigen form of operations as lines --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenCode.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::eigen {

/// Whether T may have its views declared before Earlier runs: nothing that they
/// are made of changes there.
static bool mayLookAhead(const TensorOp &T,
                         ArrayRef<const TensorOp *> Earlier) {
  if (Earlier.empty())
    return true;
  bool Fixed = true;
  const StmtRef Whole(StmtRef(), &T);
  for (const TensorOp *E : Earlier)
    assignedVars(E->Body,
                 [&](const VarRef &V) { Fixed &= !uses(Whole, V.get()); });
  auto Look = [&](const Buffer &B) {
    Fixed &= B.Kind != BufferKind::Pointer || B.Home == PointerHome::Fixed ||
             B.Home == PointerHome::Variable;
  };
  forEachExpr(Whole, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Look(*L->From.Buf);
  });
  forEachStmt(Whole, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Look(*St->To.Buf);
  });
  return Fixed;
}

/// Whether two tests ask for the same, in whatever order.
static bool askTheSame(StringRef A, StringRef B) {
  SmallVector<StringRef, 4> InA, InB;
  A.split(InA, " && ");
  B.split(InB, " && ");
  llvm::sort(InA);
  llvm::sort(InB);
  return InA == InB;
}

bool Group::add(const TensorOp &T, size_t Level) {
  if (Where.Opts->Target != Dialect::Eigen || Where.P->isC())
    return false;
  // What is around in the nest must leave each point to itself.
  for (const Iterator &It : ArrayRef(T.Iterators).take_front(Level))
    if (It.Kind != IterKind::Parallel)
      return false;
  if (!mayLookAhead(T, Operations))
    return false;
  const auto Before = V.keep();
  Operation Op(T, Level, Where, V);
  if (!Op.run() || (!empty() && !askTheSame(Op.test(), Test))) {
    V.restore(Before);
    return false;
  }
  if (empty())
    Test = Op.test();
  Operations.push_back(&T);
  append_range(Statements, Op.Statements);
  return true;
}

std::vector<std::string> Group::take() {
  std::vector<std::string> Lines = V.take();
  append_range(Lines, Statements);
  return Lines;
}

std::optional<std::string> testOf(const Region &R, const Place &Where,
                                  const Names &N) {
  ArrayRef<StmtRef> Body = statements(R.Body);
  auto *T = Body.size() == 1 ? dyn_cast<TensorOp>(Body[0].get()) : nullptr;
  Names Own = N;
  Views V(Own, *Where.P);
  Group G(Where, V);
  if (!T || !G.add(*T))
    return std::nullopt;
  return G.test();
}

bool declaresView(StringRef Line) {
  return Line.ltrim().starts_with("Eigen::Map<");
}

} // namespace raise::eigen
