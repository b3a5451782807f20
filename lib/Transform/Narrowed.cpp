//===- Narrowed.cpp - values computed in 64 bits that fit an int ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Narrowed.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::dyn_cast;

ExprRef NarrowedValues::add(ExprRef Wide, const Type &Ty) {
  auto Name = std::make_shared<Var>();
  Name->Name = "narrowed";
  Name->Ty = Ty;
  Values[Name.get()] = {Name, std::move(Wide)};
  return build::var(Name);
}

ExprRef NarrowedValues::wideOf(const Var *V) const {
  auto It = Values.find(V);
  return It == Values.end() ? nullptr : It->second.second;
}

namespace {

/// Replaces the names, children first: conversions everywhere ...
class Converter : public Rewriter {
public:
  explicit Converter(const NarrowedValues &Values) : Values(Values) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    ExprRef Wide = U ? Values.wideOf(U->V.get()) : nullptr;
    return Wide ? build::cast(run(Wide), E->Ty) : E;
  }

private:
  const NarrowedValues &Values;
};

/// ... after 64-bit values in subscripts and comparisons.
class Widener : public Rewriter {
public:
  explicit Widener(const NarrowedValues &Values) : Values(Values) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get())) {
      Access At = L->From;
      return widenIndices(At)
                 ? std::make_shared<Load>(std::move(At), E->Ty, E->Loc)
                 : E;
    }
    auto *B = dyn_cast<Binary>(E.get());
    if (B && isComparison(B->Op) && isSigned(B->L->Ty) &&
        (holdsName(B->L) || holdsName(B->R)))
      return build::binary(B->Op, widen(B->L), widen(B->R));
    return E;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (!St)
      return S;
    Access At = St->To;
    return widenIndices(At)
               ? std::make_shared<Store>(std::move(At), St->Op, St->Value,
                                         St->Atomic, St->Loc)
               : S;
  }

private:
  const NarrowedValues &Values;

  static bool isSigned(const Type &Ty) {
    return Ty.isInt() && Ty.Signed && Ty.Bits >= 32;
  }

  bool holdsName(const ExprRef &E) const {
    bool Any = false;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Any |= U && Values.wideOf(U->V.get());
    });
    return Any;
  }

  bool widenIndices(Access &At) {
    bool Changed = false;
    for (ExprRef &I : At.Indices)
      if (isSigned(I->Ty) && holdsName(I)) {
        I = widen(I);
        Changed = true;
      }
    return Changed;
  }

  /// E in 64 bits. Signed arithmetic that does not overflow in its own type has
  /// the same value in a wider one.
  ExprRef widen(const ExprRef &E) {
    Type Wide = Type::getI64();
    if (!holdsName(E))
      return build::cast(E, Wide);
    if (auto *U = dyn_cast<VarUse>(E.get()))
      return widen(Values.wideOf(U->V.get()));
    if (auto *B = dyn_cast<Binary>(E.get());
        B && isSigned(E->Ty) &&
        (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
         B->Op == BinaryOp::Mul))
      return build::binary(B->Op, widen(B->L), widen(B->R));
    if (auto *C = dyn_cast<Cast>(E.get()); C && isSigned(E->Ty) &&
                                           isSigned(C->Operand->Ty) &&
                                           E->Ty.Bits >= C->Operand->Ty.Bits)
      return widen(C->Operand);
    return build::cast(E, Wide);
  }
};

} // namespace

StmtRef NarrowedValues::expand(const StmtRef &S) const {
  if (Values.empty())
    return S;
  return Converter(*this).run(Widener(*this).run(S));
}
