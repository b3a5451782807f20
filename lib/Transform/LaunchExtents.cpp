//===- LaunchExtents.cpp - what is known of a launch's extents ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchExtents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace raise {

/// Definitions of variables, and functions, that one expression leads through.
static constexpr unsigned MostSteps = 16;

/// What E holds where a conversion kept its value.
static bool keepsValue(const Type &From, const Type &To) {
  if (!From.isInt() || !To.isInt())
    return false;
  return To.Signed ? From.Bits + !From.Signed <= To.Bits
                   : !From.Signed && From.Bits <= To.Bits;
}

/// The value that a function of one expression returns; null for any other.
static ExprRef returned(const Call &C) {
  const FunctionRef F = C.Fn->Definition;
  const StmtRef Body = F ? F->Body : nullptr;
  const ArrayRef<StmtRef> All = Body ? statements(Body) : ArrayRef<StmtRef>();
  auto *R = All.size() == 1 ? dyn_cast<Return>(All.front().get()) : nullptr;
  if (!R || !R->Value)
    return nullptr;
  Substitution Args;
  for (size_t I = 0; I < F->Params.size(); ++I)
    Args[F->Params[I].Scalar.get()] = C.Args[I];
  return substitute(R->Value, Args);
}

bool LaunchExtents::isExtent(const VarUse &U) const {
  return is_contained(Extents, U.V);
}

std::optional<Polynomial> LaunchExtents::valueOf(const VarUse &U,
                                                 Divisions &Found,
                                                 unsigned Depth) const {
  const auto It = Values.find(U.V.get());
  if (It == Values.end())
    return U.Ty.isInt() ? std::optional(Polynomial::variable(U.V.get()))
                        : std::nullopt;
  // An extent is unsigned. Where it is an int that is negative CUDA refuses the
  // launch, so that for one that runs the int is the extent.
  const ExprRef &Value = It->second;
  auto *C = dyn_cast<Cast>(Value.get());
  if (isExtent(U) && C && !C->Ty.Signed && C->Operand->Ty.isInt() &&
      C->Operand->Ty.Signed && C->Operand->Ty.Bits <= C->Ty.Bits)
    return number(C->Operand, Found, Depth + 1);
  return number(Value, Found, Depth + 1);
}

std::optional<Polynomial> LaunchExtents::quotient(const Binary &B,
                                                  Divisions &Found,
                                                  unsigned Depth) const {
  std::optional<Polynomial> N = number(B.L, Found, Depth),
                            K = number(B.R, Found, Depth);
  if (!N || !K)
    return std::nullopt;
  if (B.Op == BinaryOp::Shr) {
    const std::optional<int64_t> By = K->asConstant();
    if (!By || *By < 0 || *By > 30)
      return std::nullopt;
    K = Polynomial::constant(int64_t(1) << *By);
  }
  if (std::optional<int64_t> C = K->asConstant(); C && *C <= 0)
    return std::nullopt;
  for (const Division &D : Found)
    if (D.N == *N && D.K == *K)
      return Polynomial::variable(D.Quotient.get());
  auto V = std::make_shared<Var>();
  V->Ty = B.Ty;
  Found.push_back({V, *N, *K, B.Ty.Bits <= 32});
  return Polynomial::variable(V.get());
}

/// E's value, without any wrapping; none if it is not known.
std::optional<Polynomial> LaunchExtents::number(const ExprRef &E,
                                                Divisions &Found,
                                                unsigned Depth) const {
  if (Depth > MostSteps || !E->Ty.isInt() || E->Ty.Bits < 32)
    return std::nullopt;
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return Polynomial::constant(C->Value);
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return valueOf(*U, Found, Depth);
  if (auto *C = dyn_cast<Cast>(E.get())) {
    auto *Of = dyn_cast<VarUse>(C->Operand.get());
    // The limits of CUDA hold for what the extents are converted to.
    const bool Fits = Of && isExtent(*Of) && C->Ty.isInt();
    return Fits || keepsValue(C->Operand->Ty, C->Ty)
               ? number(C->Operand, Found, Depth)
               : std::nullopt;
  }
  if (auto *C = dyn_cast<Call>(E.get())) {
    const ExprRef Value = returned(*C);
    return Value ? number(Value, Found, Depth + 1) : std::nullopt;
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || !B->Ty.Signed)
    return std::nullopt;
  if (B->Op == BinaryOp::Div || B->Op == BinaryOp::Shr)
    return quotient(*B, Found, Depth);
  std::optional<Polynomial> L = number(B->L, Found, Depth),
                            R = number(B->R, Found, Depth);
  if (!L || !R)
    return std::nullopt;
  switch (B->Op) {
  case BinaryOp::Add:
    return *L + *R;
  case BinaryOp::Sub:
    return *L - *R;
  case BinaryOp::Mul:
    return *L * *R;
  default:
    return std::nullopt;
  }
}

bool LaunchExtents::isExtent(const VarRef &Extent, int64_t Size) const {
  Divisions Found;
  const std::optional<Polynomial> P = number(build::var(Extent), Found);
  return P && P->asConstant() == Size;
}

bool LaunchExtents::fitsIndex(const ExprRef &Count) const {
  constexpr int64_t Most = int64_t(1) << 31; // the last index is one less
  Divisions Found;
  const std::optional<Polynomial> P = number(Count, Found);
  if (!P)
    return false;
  if (const std::optional<int64_t> C = P->asConstant())
    return *C <= Most;
  for (const Division &D : Found) {
    const Var *Q = D.Quotient.get();
    const std::optional<Polynomial> Times = P->coefficient(Q);
    const std::optional<int64_t> More = P->without(Q).asConstant();
    // Q * K is N at most, an int, and More besides. Where K is a power of two
    // there is room for one more K.
    if (!D.IsNarrow || !Times || !(*Times == D.K) || !More)
      continue;
    const std::optional<int64_t> K = D.K.asConstant();
    if (*More <= 0 || (K && isPowerOf2_64(*K) && *More <= *K))
      return true;
  }
  return false;
}

bool LaunchExtents::covers(const ExprRef &Count, const ExprRef &Bound) const {
  Divisions Found;
  const std::optional<Polynomial> Threads = number(Count, Found),
                                  Needed = number(Bound, Found);
  if (!Threads || !Needed)
    return false;
  Polynomial Rest = *Threads - *Needed;
  // Q * K is N - (K - 1) at least, whichever way the division rounds. A
  // quotient stands after those in its N.
  for (const Division &D : reverse(Found)) {
    const std::optional<Polynomial> Times = Rest.coefficient(D.Quotient.get());
    if (Times && *Times == D.K)
      Rest =
          Rest.without(D.Quotient.get()) + D.N - D.K + Polynomial::constant(1);
  }
  const std::optional<int64_t> Left = Rest.asConstant();
  return Left && *Left >= 0;
}

} // namespace raise
