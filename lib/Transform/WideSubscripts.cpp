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
  Widener(const Var &V, const Type &Narrow) : V(V), Narrow(Narrow) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    return L && mentions(L->From)
               ? std::make_shared<Load>(widened(L->From), L->Ty, L->Loc)
               : E;
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
    // What has no sign keeps its value in 64 bits.
    const auto *Inner = C && !Narrow.Signed && E->Ty.isInt() && E->Ty.Bits == 64
                            ? dyn_cast<Cast>(C->Operand.get())
                            : nullptr;
    if (Inner)
      C = Inner;
    const auto *U = C ? dyn_cast<VarUse>(C->Operand.get()) : nullptr;
    return U && U->V.get() == &V && C->Ty == Narrow;
  }

  /// Sums of what has no sign may wrap.
  bool isWidened(const ExprRef &I) const {
    return Narrow.Signed ? I->Ty == Narrow && uses(I, &V) : isNarrow(I);
  }

  bool mentions(const Access &A) const {
    return llvm::any_of(A.Indices,
                        [&](const ExprRef &I) { return isWidened(I); });
  }

  ExprRef wide(const ExprRef &E) const {
    const Type I64 = Type::getI64();
    if (isNarrow(E)) {
      ExprRef Of = E;
      while (const auto *C = dyn_cast<Cast>(Of.get()))
        Of = C->Operand;
      return Of;
    }
    if (const auto *C = dyn_cast<IntConst>(E.get()))
      return build::intConst(C->Value, I64);
    const auto *B = dyn_cast<Binary>(E.get());
    if (B && E->Ty == Narrow &&
        (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
         B->Op == BinaryOp::Mul))
      return build::binary(B->Op, wide(B->L), wide(B->R));
    return build::cast(E, I64, /*Implicit=*/true);
  }

  Access widened(const Access &A) const {
    Access New = A;
    for (ExprRef &I : New.Indices)
      if (isWidened(I))
        I = wide(I);
    return New;
  }

  const Var &V;
  const Type Narrow;
};

} // namespace

StmtRef raise::widenSubscripts(const StmtRef &S, const Var &V,
                               const Type &Narrow) {
  return Widener(V, Narrow).run(S);
}
