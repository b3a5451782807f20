//===- FoldConstants.cpp - sums of numbers as one number ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"

using namespace raise;
using llvm::dyn_cast;

std::optional<int64_t> raise::constantValue(const ExprRef &E) {
  if (!E->Ty.isIntegral())
    return std::nullopt;
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value;
  if (auto *C = dyn_cast<Cast>(E.get())) {
    auto V = C->Operand->Ty.isIntegral() && C->Ty.isInt()
                 ? constantValue(C->Operand)
                 : std::nullopt;
    if (!V)
      return V;
    ExprRef New = build::intConst(*V, C->Ty);
    return llvm::cast<IntConst>(New.get())->Value;
  }
  auto *B = dyn_cast<Binary>(E.get());
  auto L = B ? constantValue(B->L) : std::nullopt;
  auto R = L ? constantValue(B->R) : std::nullopt;
  if (!R)
    return std::nullopt;
  ExprRef Folded = build::binary(B->Op, build::intConst(*L, B->L->Ty),
                                 build::intConst(*R, B->R->Ty));
  auto *C = dyn_cast<IntConst>(Folded.get());
  return C ? std::optional(C->Value) : std::nullopt;
}

/// A constant that nobody would miss by another name.
static const IntConst *asNumber(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(E.get());
  bool Plain = C && C->Value >= 0 &&
               (C->Spelling.empty() || C->Spelling == std::to_string(C->Value));
  return Plain ? C : nullptr;
}

static bool isShift(const Binary *B) {
  return B && B->Ty.isInt() &&
         (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub);
}

ExprRef raise::plusConstant(const ExprRef &E, int64_t C) {
  auto *B = dyn_cast<Binary>(E.get());
  auto *Old = isShift(B) ? asNumber(B->R) : nullptr;
  int64_t Sum;
  if (Old &&
      !__builtin_add_overflow(B->Op == BinaryOp::Add ? Old->Value : -Old->Value,
                              C, &Sum) &&
      Sum > INT32_MIN && Sum <= INT32_MAX)
    return plusConstant(B->L, Sum);
  // Into the last part of a sum, where that comes nearer to its variable.
  auto *Last = isShift(B) ? dyn_cast<Binary>(B->R.get()) : nullptr;
  if (auto *Had = isShift(Last) ? asNumber(Last->R) : nullptr;
      Had && B->Op == BinaryOp::Add) {
    const int64_t Now = Last->Op == BinaryOp::Add ? Had->Value : -Had->Value;
    if (Had->Value <= INT32_MAX &&
        (Now > 0 ? C < 0 && C >= -Now : C > 0 && C <= -Now))
      return build::add(B->L, plusConstant(B->R, C));
  }
  ExprRef Size = build::intConst(C < 0 ? -C : C, E->Ty);
  return C < 0 ? build::sub(E, Size) : build::add(E, Size);
}

/// What a comparison of a value with itself gives; one that may be a NaN is
/// equal to nothing.
static std::optional<bool> ofItself(const Binary &B) {
  const bool Float = B.L->Ty.isFloat();
  bool Plain = (B.L->Ty.isInt() || Float) && structurallyEqual(B.L, B.R);
  forEachExpr(B.L, [&](const ExprRef &E) {
    Plain &= llvm::isa<VarUse, IntConst, Cast>(E.get());
  });
  switch (B.Op) {
  case BinaryOp::EQ:
  case BinaryOp::LE:
  case BinaryOp::GE:
    return Plain && !Float ? std::optional(true) : std::nullopt;
  case BinaryOp::NE:
    return Plain && !Float ? std::optional(false) : std::nullopt;
  case BinaryOp::LT:
  case BinaryOp::GT:
    return Plain ? std::optional(false) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The branch that is known to be taken.
static StmtRef branchTaken(const StmtRef &S) {
  auto *I = dyn_cast<If>(S.get());
  auto *C = I ? dyn_cast<IntConst>(I->Cond.get()) : nullptr;
  return !C ? S : C->Value ? I->Then : I->Else;
}

StmtRef ConstantFolder::rewriteStmt(const StmtRef &S) { return branchTaken(S); }

StmtRef SelfComparisonFolder::rewriteStmt(const StmtRef &S) {
  return branchTaken(S);
}

ExprRef SelfComparisonFolder::rewriteExpr(const ExprRef &E) {
  auto *B = dyn_cast<Binary>(E.get());
  const auto Known = B ? ofItself(*B) : std::nullopt;
  return Known ? build::boolConst(*Known) : E;
}

ExprRef ConstantFolder::rewriteExpr(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get());
      C && llvm::isa<IntConst>(C->Operand.get()))
    return build::cast(C->Operand, C->Ty, C->Implicit);
  auto *B = dyn_cast<Binary>(E.get());
  if (!B)
    return E;
  if (auto Known = ofItself(*B))
    return build::boolConst(*Known);
  if (asNumber(B->L) && asNumber(B->R))
    return build::binary(B->Op, B->L, B->R);
  auto *R = dyn_cast<Binary>(B->R.get());
  if (auto *C = asNumber(B->L); C && B->Op == BinaryOp::Add && isShift(B) &&
                                isShift(R) && asNumber(R->R) &&
                                C->Value <= INT32_MAX)
    return plusConstant(B->R, C->Value);
  auto *C = asNumber(B->R);
  auto *L = dyn_cast<Binary>(B->L.get());
  auto *Last = isShift(L) ? dyn_cast<Binary>(L->R.get()) : nullptr;
  if (!C || !isShift(B) || !isShift(L) || C->Value > INT32_MAX ||
      (!asNumber(L->R) && !(isShift(Last) && asNumber(Last->R))))
    return E;
  return plusConstant(B->L, B->Op == BinaryOp::Add ? C->Value : -C->Value);
}

namespace {

struct ZeroFolder : Rewriter {
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto IsZero = [](const ExprRef &X) {
      auto *K = dyn_cast<IntConst>(X.get());
      return K && K->Value == 0;
    };
    if (!E->Ty.isInt())
      return E;
    if (auto *C = dyn_cast<Cast>(E.get()))
      return IsZero(C->Operand) ? build::intConst(0, E->Ty) : E;
    auto *B = dyn_cast<Binary>(E.get());
    if (!B)
      return E;
    if (B->Op == BinaryOp::Add)
      return IsZero(B->L) ? B->R : IsZero(B->R) ? B->L : E;
    if (B->Op == BinaryOp::Sub)
      return IsZero(B->R) ? B->L : E;
    return B->Op == BinaryOp::Mul && (IsZero(B->L) || IsZero(B->R))
               ? build::intConst(0, E->Ty)
               : E;
  }
};

} // namespace

ExprRef raise::withoutZeros(const ExprRef &E) { return ZeroFolder().run(E); }
StmtRef raise::withoutZeros(const StmtRef &S) { return ZeroFolder().run(S); }
