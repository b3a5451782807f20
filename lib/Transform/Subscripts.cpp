//===- Subscripts.cpp - elements as polynomials ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Subscripts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// A subscript as a polynomial, if arithmetic of its own width does not wrap
/// where that of 64 bits would not.
std::optional<Polynomial> subscript(const ExprRef &E) {
  bool Wraps = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *C = dyn_cast<Cast>(Sub.get());
    Wraps |= !Sub->Ty.isInt() || Sub->Ty.Bits < 32 ||
             (!Sub->Ty.Signed && Sub->Ty.Bits < 64) ||
             (C && C->Operand->Ty.Bits > Sub->Ty.Bits);
  });
  return Wraps ? std::nullopt : Polynomial::of(E);
}

/// Whether products and quotients of it fit, and nothing wraps.
bool isSmall(int64_t V) { return V >= -INT32_MAX && V <= INT32_MAX; }

/// Calls Fn with what is evaluated whenever E is.
void forEachSure(const ExprRef &E,
                 llvm::function_ref<void(const ExprRef &)> Fn) {
  Fn(E);
  if (const auto *B = dyn_cast<Binary>(E.get())) {
    forEachSure(B->L, Fn);
    if (B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr)
      forEachSure(B->R, Fn);
  } else if (const auto *U = dyn_cast<Unary>(E.get())) {
    forEachSure(U->Operand, Fn);
  } else if (const auto *C = dyn_cast<Cast>(E.get())) {
    forEachSure(C->Operand, Fn);
  } else if (const auto *C = dyn_cast<Call>(E.get())) {
    for (const ExprRef &Arg : C->Args)
      forEachSure(Arg, Fn);
  } else if (const auto *S = dyn_cast<Select>(E.get())) {
    forEachSure(S->Cond, Fn);
  }
}

} // namespace

std::optional<Subscripts> raise::subscripts(const Access &A) {
  Subscripts All;
  for (const ExprRef &E : A.Indices) {
    auto P = subscript(E);
    if (!P)
      return std::nullopt;
    All.push_back(std::move(*P));
  }
  return All;
}

bool raise::isSteady(const Access &A, const StmtRef &Body) {
  const Buffer &B = *A.Buf;
  if (B.Volatile || B.Lies == ArrayHome::Growing ||
      B.Home == PointerHome::Global || B.Home == PointerHome::Memory ||
      !A.Field.empty())
    return false;
  bool Steady = true;
  for (const auto &List : {A.Indices, A.Extents})
    for (const ExprRef &E : List)
      forEachExpr(E, [&](const ExprRef &Sub) {
        const auto *U = dyn_cast<VarUse>(Sub.get());
        Steady &=
            !isa<Load>(Sub.get()) && !(U && (U->V->Kind == VarKind::Cursor ||
                                             assigns(Body, U->V.get())));
      });
  return Steady;
}

bool raise::differ(const Subscripts &A, const Subscripts &B) {
  for (size_t D = 0; D < A.size(); ++D) {
    const auto By = (A[D] - B[D]).asConstant();
    if (By && *By != 0 && *By > INT32_MIN && *By < INT32_MAX)
      return true;
  }
  return false;
}

bool raise::areComparable(const Access &A, const Access &B) {
  if (A.Buf != B.Buf || A.Field != B.Field ||
      A.Indices.size() != B.Indices.size() ||
      A.Extents.size() != B.Extents.size())
    return false;
  for (size_t D = 0; D < A.Extents.size(); ++D)
    if (!structurallyEqual(A.Extents[D], B.Extents[D]))
      return false;
  return true;
}

std::optional<int64_t> raise::strideAlong(const Access &A, const Var *V) {
  if (llvm::any_of(A.Extents, [&](const ExprRef &E) { return uses(E, V); }))
    return std::nullopt;
  int64_t Stride = 0;
  for (size_t D = 0; D < A.Indices.size(); ++D) {
    if (!uses(A.Indices[D], V))
      continue;
    const auto P = Polynomial::of(A.Indices[D]);
    const auto By = P ? P->coefficient(V) : std::nullopt;
    const auto Constant = By ? By->asConstant() : std::nullopt;
    if (!Constant || !isSmall(*Constant) || D + 1 != A.Indices.size())
      return std::nullopt;
    Stride = *Constant;
  }
  return Stride;
}

Distance raise::distanceOf(const Subscripts &Stored, const Subscripts &Loaded,
                           const Var *V, int64_t Step) {
  Distance D{true, std::nullopt};
  for (size_t I = 0; I < Stored.size(); ++I) {
    const auto Moves = Stored[I].mentions(V) ? Stored[I].coefficient(V)
                                             : Polynomial::constant(0);
    const auto Apart = (Loaded[I] - Stored[I]).asConstant();
    const auto By = Moves ? Moves->asConstant() : std::nullopt;
    if (!Apart || !By || !isSmall(*By) || !isSmall(*Apart))
      return {};
    const int64_t PerIteration = *By * Step;
    if (PerIteration == 0) {
      if (*Apart != 0)
        return {true, std::nullopt}; // two elements, whatever the iterations
      continue;
    }
    if (*Apart % PerIteration != 0)
      return {true, std::nullopt};
    const int64_t Now = *Apart / PerIteration;
    if (D.By && *D.By != Now)
      return {true, std::nullopt};
    D.By = Now;
  }
  D.Known = D.By.has_value(); // one element for all iterations
  return D;
}

Distance raise::distanceBetween(const Access &Stored, const Access &Other,
                                const StmtRef &Body, const Var *V,
                                llvm::ArrayRef<Guard> Guards) {
  if (Stored.Buf != Other.Buf)
    return {areApart(Guards, *Stored.Buf, *Other.Buf), std::nullopt};
  if (!areComparable(Stored, Other) || !isSteady(Stored, Body) ||
      !isSteady(Other, Body))
    return {};
  const auto To = subscripts(Stored), From = subscripts(Other);
  return To && From ? distanceOf(*To, *From, V, 1) : Distance();
}

bool raise::loadsSurely(const StmtRef &S, const Expr *Read) {
  ExprRef Value;
  if (const auto *D = dyn_cast<Decl>(S.get()))
    Value = D->Init;
  else if (const auto *A = dyn_cast<Assign>(S.get()))
    Value = A->Value;
  else if (const auto *St = dyn_cast<Store>(S.get()))
    Value = St->Value;
  bool Found = false;
  if (Value)
    forEachSure(Value, [&](const ExprRef &E) { Found |= E.get() == Read; });
  return Found;
}
