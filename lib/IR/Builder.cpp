//===- Builder.cpp - short constructors that fold integers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "raise/IR/Expr.h"

using namespace llvm;

namespace raise {
namespace {

using Wide = __int128;

const IntConst *asInt(const ExprRef &E) { return dyn_cast<IntConst>(E.get()); }

bool isInt(const ExprRef &E, int64_t Value) {
  const IntConst *C = asInt(E);
  return C && C->Value == Value;
}

/// The number that the constant means, whatever its type.
Wide number(const IntConst &C) {
  return C.Ty.Signed ? Wide(C.Value) : Wide(static_cast<uint64_t>(C.Value));
}

bool fits(Wide V, const Type &Ty) {
  if (Ty.isBool())
    return V == 0 || V == 1;
  if (Ty.Signed) {
    Wide Max = (Wide(1) << (Ty.Bits - 1)) - 1;
    return V >= -Max - 1 && V <= Max;
  }
  return V >= 0 && V < (Wide(1) << Ty.Bits);
}

std::optional<Wide> foldShift(BinaryOp Op, Wide A, Wide B, const Type &Ty) {
  if (B < 0 || B >= Wide(Ty.Bits))
    return std::nullopt;
  if (Op == BinaryOp::Shr)
    return A >> int(B); // arithmetic for a signed type, as all compilers do
  if (Ty.Signed && A < 0)
    return std::nullopt;
  return A << int(B);
}

/// The exact result; nothing where C leaves it undefined. Products of two u64
/// wrap in Wide as well, which does no harm to the low bits.
std::optional<Wide> foldNumber(BinaryOp Op, Wide A, Wide B, const Type &Ty) {
  using U = unsigned __int128;
  switch (Op) {
  case BinaryOp::Add:
    return A + B;
  case BinaryOp::Sub:
    return A - B;
  case BinaryOp::Mul:
    return Wide(U(A) * U(B));
  case BinaryOp::Div:
    return B == 0 ? std::nullopt : std::optional<Wide>(A / B);
  case BinaryOp::Rem:
    // INT_MIN % -1 is undefined, as the quotient does not fit.
    if (B == 0 || !fits(A / B, Ty))
      return std::nullopt;
    return A % B;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return foldShift(Op, A, B, Ty);
  case BinaryOp::And:
    return A & B;
  case BinaryOp::Or:
    return A | B;
  case BinaryOp::Xor:
    return A ^ B;
  default:
    return std::nullopt;
  }
}

bool compare(BinaryOp Op, Wide A, Wide B) {
  switch (Op) {
  case BinaryOp::LT:
    return A < B;
  case BinaryOp::LE:
    return A <= B;
  case BinaryOp::GT:
    return A > B;
  case BinaryOp::GE:
    return A >= B;
  case BinaryOp::EQ:
    return A == B;
  default:
    assert(Op == BinaryOp::NE && "not a comparison");
    return A != B;
  }
}

/// Both operands are constants: their result, or null.
ExprRef foldConstants(BinaryOp Op, const IntConst &L, const IntConst &R) {
  if (isComparison(Op))
    return build::boolConst(compare(Op, number(L), number(R)));
  std::optional<Wide> V = foldNumber(Op, number(L), number(R), L.Ty);
  if (!V || (L.Ty.Signed && !fits(*V, L.Ty)))
    return nullptr;
  return build::intConst(static_cast<int64_t>(*V), L.Ty);
}

/// x+0, x-0, x*1, x/1 and their mirrors; null where none applies.
ExprRef simplifyIdentity(BinaryOp Op, const ExprRef &L, const ExprRef &R) {
  switch (Op) {
  case BinaryOp::Add:
    return isInt(R, 0) ? L : isInt(L, 0) ? R : nullptr;
  case BinaryOp::Sub:
    return isInt(R, 0) ? L : nullptr;
  case BinaryOp::Mul:
    return isInt(R, 1) ? L : isInt(L, 1) ? R : nullptr;
  case BinaryOp::Div:
    return isInt(R, 1) ? L : nullptr;
  default:
    return nullptr;
  }
}

/// A constant operand of && or || that decides or does not matter. The right
/// operand never decides: the left one may trap.
ExprRef simplifyLogical(BinaryOp Op, const ExprRef &L, const ExprRef &R) {
  const int64_t Neutral = Op == BinaryOp::LAnd ? 1 : 0;
  if (const IntConst *C = asInt(L))
    return C->Value == Neutral ? R : L;
  return isInt(R, Neutral) ? L : nullptr;
}

bool isShift(BinaryOp Op) { return Op == BinaryOp::Shl || Op == BinaryOp::Shr; }

bool isLogical(BinaryOp Op) {
  return Op == BinaryOp::LAnd || Op == BinaryOp::LOr;
}

[[maybe_unused]] bool operandsFit(BinaryOp Op, const Type &L, const Type &R) {
  if (isLogical(Op))
    return L.isBool() && R.isBool();
  if (isShift(Op))
    return L.isInt() && R.isIntegral();
  if (L != R || L.isVoid())
    return false;
  switch (Op) {
  case BinaryOp::Rem:
    return L.isInt();
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor:
    return L.isIntegral();
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
    return !L.isBool();
  default:
    return true;
  }
}

} // namespace

namespace build {

ExprRef intConst(int64_t Value, Type Ty) {
  assert(Ty.isIntegral() && "an integer constant of another type");
  const int64_t Bits = detail::wrapToType(Value, Ty);
  return std::make_shared<IntConst>(Bits, std::move(Ty));
}

ExprRef floatConst(double Value, Type Ty) {
  assert(Ty.isFloat() && "a floating constant of another type");
  const double Rounded = detail::roundToType(Value, Ty);
  return std::make_shared<FloatConst>(Rounded, std::move(Ty));
}

ExprRef boolConst(bool Value) {
  return std::make_shared<IntConst>(Value, Type::getBool());
}

ExprRef var(VarRef V) { return std::make_shared<VarUse>(std::move(V)); }

ExprRef load(Access From) {
  Type Ty = From.Buf->Elem;
  return std::make_shared<Load>(std::move(From), std::move(Ty));
}

ExprRef binary(BinaryOp Op, ExprRef L, ExprRef R) {
  assert(operandsFit(Op, L->Ty, R->Ty) && "operands of these types");
  if (isLogical(Op))
    if (ExprRef E = simplifyLogical(Op, L, R))
      return E;
  if (L->Ty.isIntegral() && !isLogical(Op)) {
    if (asInt(L) && asInt(R))
      if (ExprRef E = foldConstants(Op, *asInt(L), *asInt(R)))
        return E;
    if (ExprRef E = simplifyIdentity(Op, L, R))
      return E;
  }
  Type Ty = isComparison(Op) || isLogical(Op) ? Type::getBool() : L->Ty;
  return std::make_shared<Binary>(Op, std::move(L), std::move(R),
                                  std::move(Ty));
}

ExprRef unary(UnaryOp Op, ExprRef E) {
  assert((Op == UnaryOp::Not      ? E->Ty.isBool()
          : Op == UnaryOp::BitNot ? E->Ty.isInt()
                                  : E->Ty.isInt() || E->Ty.isFloat()) &&
         "operand of this type");
  if (const IntConst *C = asInt(E)) {
    const Wide V = number(*C);
    const Wide Result = Op == UnaryOp::Neg ? -V : Op == UnaryOp::Not ? !V : ~V;
    if (!C->Ty.Signed || fits(Result, C->Ty))
      return intConst(static_cast<int64_t>(Result), C->Ty);
  }
  Type Ty = E->Ty;
  return std::make_shared<Unary>(Op, std::move(E), std::move(Ty));
}

ExprRef select(ExprRef C, ExprRef T, ExprRef F) {
  assert(C->Ty.isBool() && T->Ty == F->Ty && "operands of a select");
  if (const IntConst *K = asInt(C))
    return K->Value ? T : F;
  return std::make_shared<Select>(std::move(C), std::move(T), std::move(F));
}

ExprRef cast(ExprRef E, Type To, bool Implicit) {
  if (E->Ty == To)
    return E;
  assert(!To.isVoid() && !E->Ty.isVoid() && "a cast of or to void");
  // The spelling goes: it would name a constant of the other type.
  if (const IntConst *C = asInt(E))
    if (Implicit && To.isInt() && fits(number(*C), To))
      return intConst(C->Value, std::move(To));
  return std::make_shared<Cast>(std::move(E), std::move(To), Implicit);
}

ExprRef call(CalleeRef Fn, std::vector<ExprRef> Args) {
  assert(Fn->Params.size() == Args.size() && "number of arguments");
  for (size_t I = 0; I < Args.size(); ++I)
    assert(Args[I]->Ty == Fn->Params[I] && "type of an argument");
  return std::make_shared<Call>(std::move(Fn), std::move(Args));
}

ExprRef add(ExprRef L, ExprRef R) {
  return binary(BinaryOp::Add, std::move(L), std::move(R));
}
ExprRef sub(ExprRef L, ExprRef R) {
  return binary(BinaryOp::Sub, std::move(L), std::move(R));
}
ExprRef mul(ExprRef L, ExprRef R) {
  return binary(BinaryOp::Mul, std::move(L), std::move(R));
}
ExprRef div(ExprRef L, ExprRef R) {
  return binary(BinaryOp::Div, std::move(L), std::move(R));
}
ExprRef rem(ExprRef L, ExprRef R) {
  return binary(BinaryOp::Rem, std::move(L), std::move(R));
}
ExprRef lt(ExprRef L, ExprRef R) {
  return binary(BinaryOp::LT, std::move(L), std::move(R));
}

ExprRef logicalAnd(ExprRef L, ExprRef R) {
  if (!L || !R)
    return L ? L : R;
  return binary(BinaryOp::LAnd, std::move(L), std::move(R));
}

ExprRef logicalNot(ExprRef E) {
  if (const auto *U = dyn_cast<Unary>(E.get()))
    if (U->Op == UnaryOp::Not)
      return U->Operand;
  if (const auto *C = dyn_cast<IntConst>(E.get()))
    return boolConst(C->Value == 0);
  return unary(UnaryOp::Not, std::move(E));
}

ExprRef opposite(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    if (C->Ty.isBool() && C->Operand->Ty.isBool())
      return opposite(C->Operand);
  if (auto *U = dyn_cast<Unary>(E.get()))
    if (U->Op == UnaryOp::Not)
      return U->Operand;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B)
    return logicalNot(E);
  if (B->Op == BinaryOp::LOr || B->Op == BinaryOp::LAnd)
    return binary(B->Op == BinaryOp::LOr ? BinaryOp::LAnd : BinaryOp::LOr,
                  opposite(B->L), opposite(B->R));
  if (!isComparison(B->Op) || !B->L->Ty.isIntegral())
    return logicalNot(E);
  static const std::pair<BinaryOp, BinaryOp> Opposite[] = {
      {BinaryOp::LT, BinaryOp::GE}, {BinaryOp::LE, BinaryOp::GT},
      {BinaryOp::GT, BinaryOp::LE}, {BinaryOp::GE, BinaryOp::LT},
      {BinaryOp::EQ, BinaryOp::NE}, {BinaryOp::NE, BinaryOp::EQ}};
  for (auto [Op, Not] : Opposite)
    if (Op == B->Op)
      return binary(Not, B->L, B->R);
  llvm_unreachable("comparison without an opposite");
}

} // namespace build
} // namespace raise
