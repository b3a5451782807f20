//===- RaisedForm.cpp - what a raised function asks of its inputs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RaisedForm.h"
#include "raise/IR/Visitor.h"

using namespace raise;

bool raise::hasTests(const Function *Raised) {
  bool Any = false;
  if (Raised)
    forEachStmt(Raised->Body, [&](const StmtRef &S) {
      auto *R = llvm::dyn_cast<Region>(S.get());
      Any |= R && !R->Rests.Guards.empty();
    });
  return Any;
}

bool raise::looksAhead(const Function *Raised) {
  bool Any = false;
  if (Raised)
    forEachStmt(Raised->Body, [&](const StmtRef &S) {
      auto *T = llvm::dyn_cast<TensorOp>(S.get());
      if (T && T->Iterators.front().Kind == IterKind::Search)
        forEachStmt(T->Body, [&](const StmtRef &Sub) {
          Any |= llvm::isa<TensorOp>(Sub.get());
        });
    });
  return Any;
}

size_t raise::elementsOf(const Buffer &B) {
  constexpr int64_t Most = 1 << 17;
  int64_t Count = 1;
  for (const ExprRef &E : B.Extents) {
    auto *C = llvm::dyn_cast_or_null<IntConst>(E.get());
    if (!C || C->Value <= 0 || C->Value > Most / Count)
      return 0;
    Count *= C->Value;
  }
  return B.Kind == BufferKind::Global && !B.Elem.isVoid() ? size_t(Count) : 0;
}
