//===- Repeated.cpp - calls that an expression makes twice ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Repeated.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

/// Calls of an expression, inner ones first.
class Calls {
public:
  std::vector<ExprRef> Always, All;

  void collect(const ExprRef &E, bool Lazy) {
    if (auto *S = dyn_cast<Select>(E.get())) {
      collect(S->Cond, Lazy);
      collect(S->True, true);
      collect(S->False, true);
    } else if (auto *B = dyn_cast<Binary>(E.get())) {
      const bool Short = B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr;
      collect(B->L, Lazy);
      collect(B->R, Lazy || Short);
    } else if (auto *U = dyn_cast<Unary>(E.get())) {
      collect(U->Operand, Lazy);
    } else if (auto *C = dyn_cast<Cast>(E.get())) {
      collect(C->Operand, Lazy);
    } else if (auto *L = dyn_cast<Load>(E.get())) {
      for (const ExprRef &I : L->From.Indices)
        collect(I, Lazy);
    } else if (auto *C = dyn_cast<Call>(E.get())) {
      for (const ExprRef &A : C->Args)
        collect(A, Lazy);
      All.push_back(E);
      if (!Lazy)
        Always.push_back(E);
    }
  }
};

class Replacer : public Rewriter {
public:
  Replacer(const ExprRef &Old, const ExprRef &New) : Old(Old), New(New) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    return structurallyEqual(E, Old) ? New : E;
  }

private:
  const ExprRef &Old, &New;
};

} // namespace

ExprRef repeatedCall(const ExprRef &E, const ExprRef &Value) {
  Calls Found;
  Found.collect(E, /*Lazy=*/false);
  for (const ExprRef &C : Found.Always) {
    if (cast<Call>(C.get())->Fn->MayTrap)
      continue;
    bool UsesValue = false;
    forEachExpr(C, [&](const ExprRef &Sub) {
      UsesValue |= Value && structurallyEqual(Sub, Value);
    });
    const auto Same = [&](const ExprRef &Other) {
      return structurallyEqual(C, Other);
    };
    if (!UsesValue && count_if(Found.All, Same) > 1)
      return C;
  }
  return nullptr;
}

ExprRef replaced(const ExprRef &E, const ExprRef &Old, const ExprRef &New) {
  return Replacer(Old, New).run(E);
}

StmtRef replaced(const StmtRef &S, const ExprRef &Old, const ExprRef &New) {
  return Replacer(Old, New).run(S);
}

} // namespace raise::grad
