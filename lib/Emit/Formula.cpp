//===- Formula.cpp - expressions in mathematical notation -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace raise {

std::string within(const Formula &F, Binding Least) {
  return F.Strength < Least ? "(" + F.Text + ")" : F.Text;
}

size_t columns(StringRef Text) {
  // Continuation bytes of UTF-8 take no column.
  return size_t(count_if(Text, [](char C) { return (C & 0xC0) != 0x80; }));
}

std::string FormulaPrinter::index(const ExprRef &E) const {
  std::string Text = of(E).Text, Tight;
  for (char C : Text) // subscripts are set without spaces
    if (C != ' ')
      Tight += C;
  return Tight;
}

/// `p[i].a[j,k]`
std::string FormulaPrinter::memberElement(const Access &A) const {
  const size_t Own = A.Buf->Owner->rank();
  const ArrayRef<ExprRef> All(A.Indices);
  std::vector<std::string> Indices;
  for (const ExprRef &I : All.drop_front(Own))
    Indices.push_back(index(I));
  const std::string Text =
      access({A.Buf->Owner, All.take_front(Own).vec(), {}, A.Buf->OwnerField}) +
      "[" + join(Indices, ",") + "]";
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

std::string FormulaPrinter::access(const Access &A) const {
  if (A.Buf->EachElement)
    return memberElement(A);
  std::string Text = subscripted(*A.Buf).str();
  if (!A.Buf->Reference) {
    std::vector<std::string> Indices;
    std::vector<ExprRef> Digits = A.Indices;
    if (Digits.size() == 1) {
      CursorSplit Split = splitCursor(Digits[0], A.Buf.get());
      if (Split.Cursor && !Values.count(Split.Cursor.get())) {
        Text = plainName(*Split.Cursor);
        Digits[0] =
            Split.Rest ? Split.Rest : build::intConst(0, Type::getI64());
      }
      Digits = digitsOf(Digits[0], Domain);
    }
    Indices.reserve(Digits.size());
    for (const ExprRef &I : Digits)
      Indices.push_back(index(I));
    // The object that a pointer leads to, not an array of them.
    if (!A.Field.empty() && Indices.size() == 1 && Indices[0] == "0")
      return Text + "->" + A.Field;
    Text += "[" + join(Indices, ",") + "]";
  }
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

static Formula infix(const Formula &L, StringRef Op, const Formula &R,
                     Binding Least, Binding Strength) {
  return {within(L, Least) + " " + Op.str() + " " + within(R, Least), Strength};
}

static bool isZero(const ExprRef &E) {
  ExprRef Bare = withoutImplicitCasts(E);
  if (auto *F = dyn_cast<FloatConst>(Bare.get()))
    return F->Value == 0;
  auto *I = dyn_cast<IntConst>(Bare.get());
  return I && I->Value == 0 && I->Spelling.empty();
}

/// The exponent of the power of two that Value is, from 2³¹ on, where digits
/// tell a reader nothing; 0 for other values.
static unsigned largePower(uint64_t Value) {
  return Value >> 31 && isPowerOf2_64(Value) ? Log2_64(Value) : 0;
}

static std::string powerOfTwo(unsigned Exponent) {
  static constexpr StringLiteral Digits[] = {"⁰", "¹", "²", "³", "⁴",
                                             "⁵", "⁶", "⁷", "⁸", "⁹"};
  return "2" + Digits[Exponent / 10].str() + Digits[Exponent % 10].str();
}

/// `x ≤ 2147483647` is `x < 2³¹`; empty for other bounds.
static std::string powerAbove(const ExprRef &Bound) {
  const auto *I = dyn_cast<IntConst>(withoutImplicitCasts(Bound).get());
  if (!I || !I->Spelling.empty() || I->Value < 0)
    return "";
  const unsigned Exponent = largePower(uint64_t(I->Value) + 1);
  return Exponent ? powerOfTwo(Exponent) : "";
}

static Formula constant(const ExprRef &E) {
  const auto &I = *cast<IntConst>(E.get());
  std::string Text = emitExpr(E);
  if (!I.Spelling.empty())
    return {Text, Text[0] == '-' ? Product : Atom};
  const uint64_t Value = I.Value > 0 ? uint64_t(I.Value) : 0;
  if (const unsigned Exponent = largePower(Value))
    return {powerOfTwo(Exponent), Atom};
  if (const unsigned Exponent = Value ? largePower(Value + 1) : 0)
    return {powerOfTwo(Exponent) + " - 1", Additive};
  // Suffixes say how a number is stored, not what it is.
  if (isDigit(Text.back()) || is_contained("uUlL", Text.back()))
    Text.erase(StringRef(Text).rtrim("uUlL").size());
  return {Text, Text[0] == '-' ? Product : Atom};
}

Formula FormulaPrinter::binary(const Binary &B) const {
  Formula L = of(B.L), R = of(B.R);
  switch (B.Op) {
  case BinaryOp::Mul:
    if (L.Strength != Atom && structurallyEqual(B.L, B.R))
      return {within(L, Atom) + "²", Product};
    return {within(L, Product) + "·" + within(R, Atom), Product};
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return {within(L, Product) + " " + spelling(B.Op).str() + " " +
                within(R, Atom),
            Product};
  case BinaryOp::Add:
    if (isZero(B.L))
      return R;
    if (StringRef(R.Text).starts_with("-") && R.Strength >= Product)
      return {within(L, Additive) + " - " + R.Text.substr(1), Additive};
    return infix(L, "+", R, Additive, Additive);
  case BinaryOp::Sub:
    return {within(L, Additive) + " - " + within(R, Product), Additive};
  case BinaryOp::LE:
    if (const std::string Above = powerAbove(B.R); !Above.empty())
      return infix(L, "<", {Above, Atom}, Additive, Compare);
    return infix(L, "≤", R, Additive, Compare);
  case BinaryOp::GE:
    return infix(L, "≥", R, Additive, Compare);
  case BinaryOp::NE:
    return infix(L, "≠", R, Additive, Compare);
  case BinaryOp::EQ:
    return infix(L, "=", R, Additive, Compare);
  case BinaryOp::LT:
  case BinaryOp::GT:
    return infix(L, spelling(B.Op), R, Additive, Compare);
  case BinaryOp::LAnd:
    return infix(L, "∧", R, And, And);
  case BinaryOp::LOr:
    return infix(L, "∨", R, Or, Or);
  default: // bits: no agreed order
    return infix(L, spelling(B.Op), R, Atom, Choice);
  }
}

/// "uint8": short, and one word.
static std::string widthName(const Type &Ty) {
  if (Ty.Bits == 32)
    return Ty.Signed ? "int" : "unsigned";
  return (Ty.Signed ? "int" : "uint") + std::to_string(Ty.Bits);
}

Formula FormulaPrinter::of(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::FloatConst: {
    double X = cast<FloatConst>(E.get())->Value;
    if (std::isinf(X))
      return {X < 0 ? "-∞" : "∞", Atom};
    std::string Text = emitExpr(E);
    if (Text.back() == 'f') // how it is stored, not what it is
      Text.pop_back();
    if (Text.back() == '.') // `0.` ends like a sentence
      Text.pop_back();
    return {Text, Text[0] == '-' ? Product : Atom};
  }
  case ExprKind::IntConst:
    return constant(E);
  case ExprKind::VarUse: {
    const Var *V = cast<VarUse>(E.get())->V.get();
    auto It = Values.find(V);
    if (It != Values.end())
      return It->second;
    if (V->Kind == VarKind::Cursor) // what it holds is a distance
      return {plainName(*V) + " - " + V->Base->Name, Additive};
    return {plainName(*V), Atom};
  }
  case ExprKind::Load:
    return {access(cast<Load>(E.get())->From), Atom};
  case ExprKind::Unary: {
    auto *U = cast<Unary>(E.get());
    StringRef Op = U->Op == UnaryOp::Not ? "¬" : spelling(U->Op);
    return {Op.str() + within(of(U->Operand), Product), Product};
  }
  case ExprKind::Binary:
    return binary(*cast<Binary>(E.get()));
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    // `a < b ? a : b`, of integers (in which nothing is no number).
    auto *Least = dyn_cast<Binary>(S->Cond.get());
    if (Least && E->Ty.isInt() &&
        (Least->Op == BinaryOp::LT || Least->Op == BinaryOp::GT) &&
        structurallyEqual(*Least->L, *S->True) &&
        structurallyEqual(*Least->R, *S->False))
      return {(Least->Op == BinaryOp::LT ? "min(" : "max(") + of(S->True).Text +
                  ", " + of(S->False).Text + ")",
              Atom};
    return {within(of(S->Cond), Or) + " ? " + within(of(S->True), Or) + " : " +
                within(of(S->False), Or),
            Choice};
  }
  case ExprKind::Cast: {
    auto *C = cast<Cast>(E.get());
    Formula F = of(C->Operand);
    const Type &From = C->Operand->Ty;
    bool Cuts = C->Ty.isInt() && From.isFloat();
    // Of what is asked for itself, the condition says it.
    if (C->Ty.isBool() && !From.isBool() && !isa<VarUse>(*C->Operand) &&
        !isa<Load>(*C->Operand))
      return {within(F, Additive) + " ≠ 0", Compare};
    if (C->Ty.isInt() && From.isInt() && C->Ty.Bits < From.Bits)
      return {widthName(C->Ty) + "(" + F.Text + ")", Atom};
    return Cuts ? Formula{"trunc(" + F.Text + ")", Atom} : F;
  }
  case ExprKind::Call: {
    auto *C = cast<Call>(E.get());
    std::vector<std::string> Args;
    Args.reserve(C->Args.size());
    for (const ExprRef &A : C->Args)
      Args.push_back(of(A).Text);
    StringRef Name = C->Fn->Name;
    Name.consume_front("std::");
    Name.consume_front("__builtin_");
    return {Name.str() + "(" + join(Args, ", ") + ")", Atom};
  }
  case ExprKind::NonNull:
    return {cast<NonNull>(E.get())->Buf->Name + " ≠ null", Compare};
  }
  return {};
}

std::string formulaText(const ExprRef &E) {
  return FormulaPrinter().of(E).Text;
}

} // namespace raise
