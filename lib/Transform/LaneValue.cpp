//===- LaneValue.cpp - what the lanes of a vector compute -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneValue.h"
#include "Subscripts.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

bool raise::isAbsolute(const ExprRef &E) {
  const auto *C = dyn_cast<Call>(E.get());
  if (!C || C->Fn->Definition)
    return false;
  llvm::StringRef Name = C->Fn->Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  return Name == "fabs" || Name == "fabsf";
}

bool raise::isRepeatable(const ExprRef &E) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (!Sub->Ty.isFloat())
      return;
    auto *C = dyn_cast<Call>(Sub.get());
    auto *S = dyn_cast<Cast>(Sub.get());
    bool Absolute =
        C && !C->Fn->Definition &&
        llvm::is_contained({"fabs", "fabsf", "std::fabs", "std::abs"},
                           C->Fn->Name);
    bool Widens =
        S && S->Operand->Ty.isFloat() && S->Operand->Ty.Bits <= S->Ty.Bits;
    Ok &= Absolute || Widens || isa<Load>(Sub.get()) ||
          isa<VarUse>(Sub.get()) || isa<FloatConst>(Sub.get()) ||
          isa<Unary>(Sub.get());
  });
  return Ok;
}

bool raise::isLaneValue(const ExprRef &E, const Var *V) {
  bool Ok = true;
  const auto IsNear = [&](const Access &A) {
    const auto Stride = strideAlong(A, V);
    return Stride && std::abs(*Stride) <= 1;
  };
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (const auto *L = dyn_cast<Load>(Sub.get()))
      Ok &= L->From.Field.empty() && !L->From.Buf->Volatile && IsNear(L->From);
    else if (isa<Call>(Sub.get()))
      Ok &= isAbsolute(Sub);
    else if (const auto *B = dyn_cast<Binary>(Sub.get()))
      Ok &= B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr &&
            !(Sub->Ty.isInt() &&
              (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
    else
      Ok &= !isa<Select>(Sub.get());
  });
  return Ok;
}

namespace {

/// Subscripts along V as those of Start, and a lane.
class ToLane : public Rewriter {
public:
  ToLane(const VarRef &V, ExprRef Start, const VarRef &Lane)
      : V(V), Start(std::move(Start)), Lane(Lane) {}

private:
  const VarRef &V;
  const ExprRef Start;
  const VarRef &Lane;

  /// A, if V has part in its last subscript.
  std::optional<Access> along(const Access &A) const {
    if (A.Indices.empty() || !uses(A.Indices.back(), V.get()))
      return std::nullopt;
    Access New = A;
    ExprRef &Last = New.Indices.back();
    const auto P = Polynomial::of(Last);
    const auto By = P ? P->coefficient(V.get()) : std::nullopt;
    if (!By)
      return std::nullopt;
    const bool Backwards = By->asConstant() == -1;
    const ExprRef First = substitute(Last, V, Start),
                  Far = build::cast(build::var(Lane), First->Ty);
    Last = Backwards ? build::sub(First, Far) : build::add(First, Far);
    return New;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    const auto New = L ? along(L->From) : std::nullopt;
    return New ? build::load(*New) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *St = dyn_cast<Store>(S.get());
    const auto New = St ? along(St->To) : std::nullopt;
    return New ? std::make_shared<Store>(*New, St->Op, St->Value, St->Atomic,
                                         St->Loc)
               : S;
  }
};

} // namespace

StmtRef raise::forLane(const StmtRef &S, const VarRef &V, const ExprRef &Start,
                       const VarRef &Lane) {
  return substitute(
      ToLane(V, Start, Lane).run(S), V,
      build::add(Start, build::cast(build::var(Lane), Start->Ty)));
}
