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

std::string within(const Formula &F, int Least) {
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

/// E with the lets put in that it is written with, and those that these use.
static ExprRef expand(ExprRef E, const Substitution &Lets) {
  for (unsigned Depth = 0; Depth < 4; ++Depth) {
    ExprRef Next = substitute(E, Lets);
    if (Next == E)
      break;
    E = Next;
  }
  return E;
}

std::string FormulaPrinter::access(const Access &A) const {
  std::string Text = A.Buf->Name;
  if (!A.Buf->Reference) {
    std::vector<std::string> Indices;
    std::vector<ExprRef> Digits = A.Indices;
    if (Digits.size() == 1)
      Digits = digitsOf(expand(Digits[0], Lets), Domain);
    for (const ExprRef &I : Digits)
      Indices.push_back(index(I));
    Text += "[" + join(Indices, ",") + "]";
  }
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

Formula FormulaPrinter::binary(const Binary &B) const {
  Formula L = of(B.L), R = of(B.R);
  switch (B.Op) {
  case BinaryOp::Mul:
    return {within(L, 2) + "·" + within(R, 3), 2};
  case BinaryOp::Div:
    return {within(L, 2) + " / " + within(R, 3), 2};
  case BinaryOp::Rem:
    return {within(L, 3) + " mod " + within(R, 3), 1};
  case BinaryOp::Add:
    if (StringRef(R.Text).starts_with("-") && R.Strength > 1)
      return {within(L, 1) + " - " + R.Text.substr(1), 1};
    return {within(L, 1) + " + " + within(R, R.Strength == 1 ? 1 : 2), 1};
  case BinaryOp::Sub:
    return {within(L, 1) + " - " + within(R, 2), 1};
  case BinaryOp::LE:
    return {within(L, 1) + " ≤ " + within(R, 1), 0};
  case BinaryOp::GE:
    return {within(L, 1) + " ≥ " + within(R, 1), 0};
  case BinaryOp::NE:
    return {within(L, 1) + " ≠ " + within(R, 1), 0};
  case BinaryOp::EQ:
    return {within(L, 1) + " = " + within(R, 1), 0};
  case BinaryOp::LAnd:
    return {within(L, 1) + " ∧ " + within(R, 1), 0};
  case BinaryOp::LOr:
    return {within(L, 1) + " ∨ " + within(R, 1), 0};
  default:
    return {within(L, 3) + " " + spelling(B.Op).str() + " " + within(R, 3), 0};
  }
}

Formula FormulaPrinter::of(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::FloatConst: {
    double X = cast<FloatConst>(E.get())->Value;
    if (std::isinf(X))
      return {X < 0 ? "-∞" : "∞", 3};
    [[fallthrough]];
  }
  case ExprKind::IntConst: {
    std::string Text = emitExpr(E);
    // Suffixes say how a number is stored, not what it is.
    bool Single = Text.find('.') != std::string::npos && Text.back() == 'f';
    if (Single)
      Text.pop_back();
    return {Text, Text[0] == '-' ? 2 : 3};
  }
  case ExprKind::VarUse: {
    const Var *V = cast<VarUse>(E.get())->V.get();
    auto It = Values.find(V);
    return It == Values.end() ? Formula{plainName(*V), 3} : It->second;
  }
  case ExprKind::Load:
    return {access(cast<Load>(E.get())->From), 3};
  case ExprKind::Unary: {
    auto *U = cast<Unary>(E.get());
    StringRef Op = U->Op == UnaryOp::Not ? "¬" : spelling(U->Op);
    return {Op.str() + within(of(U->Operand), 2), 2};
  }
  case ExprKind::Binary:
    return binary(*cast<Binary>(E.get()));
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    return {of(S->Cond).Text + " ? " + within(of(S->True), 1) +
                " : " + within(of(S->False), 1),
            -1};
  }
  case ExprKind::Cast: {
    auto *C = cast<Cast>(E.get());
    Formula F = of(C->Operand);
    const Type &From = C->Operand->Ty;
    bool Cuts = C->Ty.isInt() && From.isFloat();
    if (C->Ty.isInt() && From.isInt() && C->Ty.Bits < From.Bits)
      return {C->Ty.name() + "(" + F.Text + ")", 3};
    return Cuts ? Formula{"trunc(" + F.Text + ")", 3} : F;
  }
  case ExprKind::Call: {
    auto *C = cast<Call>(E.get());
    std::vector<std::string> Args;
    for (const ExprRef &A : C->Args)
      Args.push_back(of(A).Text);
    StringRef Name = C->Fn->Name;
    Name.consume_front("std::");
    return {Name.str() + "(" + join(Args, ", ") + ")", 3};
  }
  case ExprKind::NonNull:
    return {cast<NonNull>(E.get())->Buf->Name + " ≠ null", 0};
  }
  return {};
}

std::string formulaText(const ExprRef &E) { return FormulaPrinter().of(E).Text; }

} // namespace raise
