//===- WideSubscripts.cpp - subscripts of a wider counter -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WideSubscripts.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::dyn_cast;

namespace {

class Widener : public Rewriter {
public:
  explicit Widener(const Var &V) : V(V) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    return L && mentions(L->From) ? build::load(widened(L->From)) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *St = dyn_cast<Store>(S.get());
    return St && mentions(St->To)
               ? std::make_shared<Store>(widened(St->To), St->Op, St->Value,
                                         St->Atomic, St->Loc)
               : S;
  }

private:
  bool isNarrow(const ExprRef &E) const {
    const auto *C = dyn_cast<Cast>(E.get());
    const auto *U = C ? dyn_cast<VarUse>(C->Operand.get()) : nullptr;
    return U && U->V.get() == &V && C->Ty == Type::getI32();
  }

  bool mentions(const Access &A) const {
    return llvm::any_of(A.Indices, [&](const ExprRef &I) {
      return I->Ty == Type::getI32() && uses(I, &V);
    });
  }

  ExprRef wide(const ExprRef &E) const {
    const Type I64 = Type::getI64();
    if (isNarrow(E))
      return llvm::cast<Cast>(E.get())->Operand;
    if (const auto *C = dyn_cast<IntConst>(E.get()))
      return build::intConst(C->Value, I64);
    const auto *B = dyn_cast<Binary>(E.get());
    if (B && E->Ty == Type::getI32() &&
        (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
         B->Op == BinaryOp::Mul))
      return build::binary(B->Op, wide(B->L), wide(B->R));
    return build::cast(E, I64, /*Implicit=*/true);
  }

  Access widened(const Access &A) const {
    Access New = A;
    for (ExprRef &I : New.Indices)
      if (I->Ty == Type::getI32() && uses(I, &V))
        I = wide(I);
    return New;
  }

  const Var &V;
};

} // namespace

StmtRef raise::widenSubscripts(const StmtRef &S, const Var &V) {
  return Widener(V).run(S);
}
