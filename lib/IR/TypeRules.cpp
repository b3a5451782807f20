//===- TypeRules.cpp - which operand types an operator takes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"

using namespace llvm;

namespace raise::detail {

static std::string typesOf(const std::string &What, const Type &L,
                           const Type &R) {
  return "the operands of '" + What + "' have types " + L.name() + " and " +
         R.name();
}

static bool takesType(BinaryOp Op, const Type &Ty) {
  switch (Op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
    return Ty.isInt() || Ty.isFloat();
  case BinaryOp::Rem:
    return Ty.isInt();
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor:
    return Ty.isIntegral();
  default:
    return !Ty.isVoid();
  }
}

std::string binaryProblem(BinaryOp Op, const Type &L, const Type &R) {
  const std::string What = spelling(Op).str();
  if (Op == BinaryOp::LAnd || Op == BinaryOp::LOr)
    return L.isBool() && R.isBool() ? "" : typesOf(What, L, R) + ", not bool";
  if (Op == BinaryOp::Shl || Op == BinaryOp::Shr)
    return L.isInt() && R.isIntegral() ? "" : typesOf(What, L, R);
  if (L != R)
    return typesOf(What, L, R);
  return takesType(Op, L) ? "" : typesOf(What, L, R);
}

std::string unaryProblem(UnaryOp Op, const Type &Ty) {
  const bool Fits = Op == UnaryOp::Not      ? Ty.isBool()
                    : Op == UnaryOp::BitNot ? Ty.isInt()
                                            : Ty.isInt() || Ty.isFloat();
  return Fits ? ""
              : "the operand of '" + spelling(Op).str() + "' has type " +
                    Ty.name();
}

Type resultType(BinaryOp Op, const Type &Left) {
  return isComparison(Op) || Op == BinaryOp::LAnd || Op == BinaryOp::LOr
             ? Type::getBool()
             : Left;
}

/// Whether C's usual conversions of the two types give Wide.
static bool isAtLeast(const Type &Wide, const Type &Narrow) {
  if (Wide == Narrow)
    return true;
  if (Wide.isFloat())
    return !Narrow.isFloat() || Narrow.Bits <= Wide.Bits;
  if (Narrow.isFloat() || Wide.isBool())
    return false;
  if (Narrow.isBool())
    return true;
  return Wide.Bits != Narrow.Bits ? Wide.Bits > Narrow.Bits : !Wide.Signed;
}

static bool combinesType(Combiner Op, const Type &To, const Type &Value) {
  switch (Op) {
  case Combiner::None:
    return To == Value;
  case Combiner::LAnd:
  case Combiner::LOr:
    return To.isBool() && Value.isBool();
  case Combiner::Shl:
  case Combiner::Shr:
    return To.isInt() && Value.isIntegral();
  case Combiner::Rem:
    return To.isInt() && Value.isInt() && isAtLeast(Value, To);
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
    return To.isIntegral() && Value.isIntegral() && isAtLeast(Value, To);
  default:
    return !To.isVoid() && !Value.isVoid() && !Value.isBool() &&
           isAtLeast(Value, To);
  }
}

std::string writeProblem(Combiner Op, const Type &To, const Type &Value) {
  if (combinesType(Op, To, Value))
    return "";
  return "'" + spelling(Op).str() + "' writes a value of type " + Value.name() +
         " to type " + To.name();
}

} // namespace raise::detail
