//===- LinearValue.cpp - a scalar as a start and what was added -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LinearValue.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

bool LinearValue::operator==(const LinearValue &O) const {
  if (Base != O.Base || Modulus != O.Modulus || Sum.size() != O.Sum.size())
    return false;
  for (size_t I = 0; I != Sum.size(); ++I)
    if (Sum[I].C != O.Sum[I].C || !structurallyEqual(Sum[I].E, O.Sum[I].E))
      return false;
  return true;
}

/// The smaller of two moduli, of which 0 means none.
static unsigned both(unsigned A, unsigned B) {
  return A == 0 ? B : B == 0 ? A : std::min(A, B);
}

static bool isExactSum(const Type &Ty) { return Ty.Signed && Ty.Bits >= 32; }

bool LinearEnv::isInvariant(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::IntConst:
    return true;
  case ExprKind::VarUse: {
    const Var *V = cast<VarUse>(E.get())->V.get();
    return E->Ty.isIntegral() && !Changing.count(V) && !Narrowed(V);
  }
  case ExprKind::Unary:
    return isInvariant(cast<Unary>(E.get())->Operand);
  case ExprKind::Cast: {
    const auto *C = cast<Cast>(E.get());
    return C->Ty.isIntegral() && isInvariant(C->Operand);
  }
  case ExprKind::Binary: {
    const auto *B = cast<Binary>(E.get());
    if (B->Op == BinaryOp::Shl || B->Op == BinaryOp::Shr ||
        B->Op == BinaryOp::Rem)
      return false;
    const auto *By = dyn_cast<IntConst>(B->R.get());
    if (B->Op == BinaryOp::Div && !(By && By->Value > 0))
      return false;
    return isInvariant(B->L) && isInvariant(B->R);
  }
  case ExprKind::Select: {
    const auto *S = cast<Select>(E.get());
    return isInvariant(S->Cond) && isInvariant(S->True) &&
           isInvariant(S->False);
  }
  default:
    return false;
  }
}

/// Adds A to the end of Sum, joining constants. False if the constant is too
/// large to go on with.
static bool append(std::vector<Addend> &Sum, const Addend &A) {
  constexpr int64_t Most = int64_t(1) << 62;
  if (A.E || Sum.empty() || Sum.back().E) {
    if (A.E || A.C != 0)
      Sum.push_back(A);
    return A.C > -Most && A.C < Most;
  }
  int64_t C;
  if (__builtin_add_overflow(Sum.back().C, A.C, &C) || C <= -Most || C >= Most)
    return false;
  Sum.back().C = C;
  if (C == 0)
    Sum.pop_back();
  return true;
}

std::optional<LinearValue> LinearEnv::sum(const LinearValue &L,
                                          const LinearValue &R, bool Minus,
                                          const Type &Ty) const {
  if (R.Base && (Minus || L.Base))
    return std::nullopt;
  // What the original adds up first comes first.
  const LinearValue &First = R.Base ? R : L, &Second = R.Base ? L : R;
  LinearValue V = First;
  V.Modulus = both(First.Modulus, Second.Modulus);
  V.Regrouped |= Second.Regrouped || Second.Sum.size() > 1;
  for (Addend A : Second.Sum) {
    A.C = Minus ? -A.C : A.C;
    if (!append(V.Sum, A))
      return std::nullopt;
  }
  if (!isExactSum(Ty))
    V.Modulus = both(V.Modulus, Ty.Bits);
  return V;
}

std::optional<LinearValue> LinearEnv::valueOf(const VarRef &V) const {
  auto It = Values.find(V.get());
  if (It != Values.end())
    return It->second;
  LinearValue Start;
  Start.Base = V;
  return Start;
}

std::optional<LinearValue> LinearEnv::eval(const ExprRef &E) const {
  if (!E->Ty.isInt())
    return std::nullopt;
  if (auto C = constantValue(E)) {
    LinearValue V;
    // A constant past the signed range is its own only modulo 2^64.
    if (*C < 0 && !E->Ty.Signed)
      V.Modulus = 64;
    return append(V.Sum, {*C, nullptr}) ? std::optional(V) : std::nullopt;
  }
  if (isInvariant(E)) {
    LinearValue V;
    V.Sum.push_back({1, E});
    return V;
  }
  if (const auto *U = dyn_cast<VarUse>(E.get())) {
    if (ExprRef Wide = Narrowed(U->V.get()))
      return eval(Wide);
    return valueOf(U->V);
  }
  if (const auto *B = dyn_cast<Binary>(E.get())) {
    if (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub)
      return std::nullopt;
    auto L = eval(B->L), R = eval(B->R);
    return L && R ? sum(*L, *R, B->Op == BinaryOp::Sub, E->Ty) : std::nullopt;
  }
  const auto *C = dyn_cast<Cast>(E.get());
  if (!C)
    return std::nullopt;
  auto V = eval(C->Operand);
  const Type &From = C->Operand->Ty, &To = E->Ty;
  bool Holds = To.Signed ? To.Bits > From.Bits - From.Signed
                         : !From.Signed && To.Bits >= From.Bits;
  if (V && !Holds)
    V->Modulus = both(V->Modulus, To.Bits);
  return V;
}

std::optional<LinearValue> LinearEnv::assign(const VarRef &V,
                                             const ExprRef &E) {
  auto New = V->Ty.isInt() ? eval(E) : std::nullopt;
  // Modulo 2^32 says nothing about a variable of 64 bits.
  if (New && !New->isExact()) {
    if (New->Modulus < V->Ty.Bits)
      New = std::nullopt;
    else
      New->Modulus = V->Ty.Bits;
  }
  return Values[V.get()] = std::move(New);
}

ExprRef raise::assignedValue(const Assign &A) {
  if (A.Op == Combiner::None)
    return A.Value;
  if (A.Op != Combiner::Add && A.Op != Combiner::Sub)
    return nullptr;
  ExprRef Old = build::cast(build::var(A.V), A.Value->Ty);
  return build::cast(
      build::binary(A.Op == Combiner::Add ? BinaryOp::Add : BinaryOp::Sub, Old,
                    A.Value),
      A.V->Ty);
}
