//===- EigenExpr.cpp - expressions over whole arrays ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenExpr.h"
#include "CType.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace llvm;

namespace raise::eigen {

std::string postfix(const Piece &P) {
  return P.Strength < Prec::Postfix ? "(" + P.Text + ")" : P.Text;
}

/// A type in which Eigen computes as C does: nothing that C would promote.
static bool isNumber(const Type &T) {
  return T.isFloat() ? T.Bits == 32 || T.Bits == 64 : T.isInt() && T.Bits == 32;
}

// --- What is evaluated ------------------------------------------------------

void ExprWriter::addCertain(const ExprRef &E) {
  if (auto *L = dyn_cast<Load>(E.get())) {
    Certain.push_back(L->From);
  } else if (auto *U = dyn_cast<Unary>(E.get())) {
    addCertain(U->Operand);
  } else if (auto *C = dyn_cast<Cast>(E.get())) {
    addCertain(C->Operand);
  } else if (auto *B = dyn_cast<Binary>(E.get())) {
    addCertain(B->L);
    if (B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr)
      addCertain(B->R);
  } else if (auto *C = dyn_cast<Select>(E.get())) {
    addCertain(C->Cond);
  } else if (auto *C = dyn_cast<Call>(E.get())) {
    for (const ExprRef &A : C->Args)
      addCertain(A);
  }
}

bool ExprWriter::isCertain(const Access &A) const {
  return any_of(Certain, [&](const Access &C) { return sameAccess(A, C); });
}

// --- Leaves -----------------------------------------------------------------

std::optional<Piece> ExprWriter::scalar(const ExprRef &E) {
  // Which type of 64 bits a scalar has is not kept, and Eigen mixes none.
  if (!isNumber(E->Ty))
    return std::nullopt;
  bool Harmless = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *B = dyn_cast<Binary>(Sub.get());
    bool Divides = B && B->Ty.isInt() &&
                   (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
    Harmless &= !Divides && !isa<Load>(*Sub) && !isa<Call>(*Sub);
  });
  if (!Harmless && Lazy)
    return std::nullopt;
  NeedsPoint |= !Harmless;
  // The source's `2` is printed as the number that it is here.
  auto N = numberOf(withoutImplicitCasts(E));
  Printed Text = P.inType(
      N && *N >= 0 ? build::cast(build::intConst(*N), E->Ty) : E, E->Ty);
  Operands.insert(Text.Text);
  return Piece{Text.Text, Text.Strength, 0};
}

std::optional<Piece> ExprWriter::load(const Load &L) {
  if (Lazy && !isCertain(L.From))
    return std::nullopt;
  auto Found = Element(L.From);
  if (Found)
    Operands.insert(Found->Text);
  return Found;
}

// --- Shapes -----------------------------------------------------------------

std::string ExprWriter::across(const Piece &V) const {
  return V.Dims == (1u << Inner) ? postfix(V) + ".transpose()" : postfix(V);
}

/// V repeated until it depends on all iterators of To.
std::string ExprWriter::spread(const Piece &V, unsigned To) const {
  if (V.Dims == To || V.Dims == 0)
    return V.Text;
  if (V.Dims == (1u << Inner))
    return across(V) + ".replicate(" + Sizes[1 - Inner] + ", 1)";
  return postfix(V) + ".replicate(1, " + Sizes[Inner] + ")";
}

static std::string infix(const Piece &L, BinaryOp Op, const Piece &R) {
  const Prec At = strength(Op);
  const bool Arithmetic = At == Prec::Product || At == Prec::Sum;
  // Operators group to the left, and rounding is not associative.
  auto Wrapped = [](const Piece &X, bool Wrap) {
    return Wrap ? "(" + X.Text + ")" : X.Text;
  };
  std::string Left =
      Wrapped(L, Arithmetic ? L.Strength < At : L.Strength < Prec::Sum);
  std::string Right =
      Wrapped(R, Arithmetic ? R.Strength <= At : R.Strength < Prec::Sum);
  if (Right[0] == '-' && Arithmetic)
    Right = "(" + Right + ")";
  return Left + " " + spelling(Op).str() + " " + Right;
}

std::optional<Piece> ExprWriter::join(BinaryOp Op, Piece L, Piece R) {
  const unsigned Dims = L.Dims | R.Dims;
  if (L.Dims == R.Dims || L.Dims == 0 || R.Dims == 0)
    return Piece{infix(L, Op, R), strength(Op), Dims};
  // A row and a column: no operator of Eigen's makes a table of them.
  if (L.Dims != Dims && R.Dims != Dims)
    return std::nullopt;
  ++Meetings;
  const bool Arithmetic = Op == BinaryOp::Add || Op == BinaryOp::Sub ||
                          Op == BinaryOp::Mul || Op == BinaryOp::Div;
  const bool Commutes = Op == BinaryOp::Add || Op == BinaryOp::Mul;
  if (Arithmetic && (L.Dims == Dims || Commutes)) {
    if (L.Dims != Dims)
      std::swap(L, R);
    const bool IsRow = R.Dims == (1u << Inner);
    L.Text = postfix(L) + (IsRow ? ".rowwise()" : ".colwise()");
    L.Strength = Prec::Postfix;
    if (IsRow)
      R = {across(R), Prec::Postfix, R.Dims};
    return Piece{infix(L, Op, R), strength(Op), Dims};
  }
  (L.Dims == Dims ? R : L) =
      Piece{spread(L.Dims == Dims ? R : L, Dims), Prec::Postfix, Dims};
  return Piece{infix(L, Op, R), strength(Op), Dims};
}

// --- Operators --------------------------------------------------------------

std::optional<Piece> ExprWriter::convert(const Cast &C) {
  const Type &To = C.Ty, &From = C.Operand->Ty;
  if (From.isBool() && !To.isBool()) // gcc has vectors for it, Eigen has none
    return std::nullopt;
  auto In = write(C.Operand);
  if (!In || (To.isInt() && To.Bits == 64))
    return std::nullopt;
  if (To == From)
    return In;
  if (To.isBool())
    return From.isFloat() || (From.isInt() && From.Bits < 64)
               ? std::optional(Piece{infix(*In, BinaryOp::NE, {"0"}),
                                     Prec::Equality, In->Dims})
               : std::nullopt;
  if (To.isFloat() && To.Bits != 32 && To.Bits != 64)
    return std::nullopt;
  return Piece{postfix(*In) + ".cast<" + P.typeOf(To) + ">()", Prec::Postfix,
               In->Dims};
}

std::optional<Piece> ExprWriter::unary(const Unary &U) {
  if (U.Op == UnaryOp::BitNot ||
      (U.Op == UnaryOp::Not ? !U.Operand->Ty.isBool() : !isNumber(U.Ty)))
    return std::nullopt;
  auto In = write(U.Operand);
  if (!In)
    return std::nullopt;
  return Piece{spelling(U.Op).str() + postfix(*In), Prec::Unary, In->Dims};
}

/// x * x and x * x * x, which Eigen multiplies in that very order.
std::optional<Piece> ExprWriter::power(const Binary &B) {
  if (B.Op != BinaryOp::Mul || S.isFixed(B.R))
    return std::nullopt;
  auto *L = dyn_cast<Binary>(B.L.get());
  const bool Cube = L && L->Op == BinaryOp::Mul &&
                    structurallyEqual(L->L, L->R) &&
                    structurallyEqual(L->R, B.R);
  if (!Cube && !structurallyEqual(B.L, B.R))
    return std::nullopt;
  auto Base = write(B.R);
  if (!Base)
    return std::nullopt;
  return Piece{postfix(*Base) + (Cube ? ".cube()" : ".square()"), Prec::Postfix,
               Base->Dims};
}

std::optional<Piece> ExprWriter::binary(const Binary &B) {
  const bool Logic = B.Op == BinaryOp::LAnd || B.Op == BinaryOp::LOr;
  const bool Arithmetic = B.Op == BinaryOp::Add || B.Op == BinaryOp::Sub ||
                          B.Op == BinaryOp::Mul || B.Op == BinaryOp::Div;
  if (!Logic && !isComparison(B.Op) && !Arithmetic)
    return std::nullopt;
  if (!Logic && !isNumber(B.L->Ty))
    return std::nullopt;
  if (Lazy && B.Op == BinaryOp::Div && B.Ty.isInt())
    return std::nullopt;
  if (auto Power = power(B))
    return Power;
  auto L = write(B.L);
  const SaveAndRestore Maybe(Lazy, Lazy || Logic);
  auto R = write(B.R);
  if (!L || !R || (Logic && (!L->Dims || !R->Dims)))
    return std::nullopt;
  return join(B.Op, *L, *R);
}

/// The lesser or greater of two integers: of floats, Eigen's is another.
std::optional<Piece> ExprWriter::extremum(const Select &C) {
  auto *Test = dyn_cast<Binary>(C.Cond.get());
  if (!Test || !C.Ty.isInt() || !isNumber(C.Ty))
    return std::nullopt;
  const bool Less = Test->Op == BinaryOp::LT || Test->Op == BinaryOp::LE;
  const bool More = Test->Op == BinaryOp::GT || Test->Op == BinaryOp::GE;
  const bool Same =
      structurallyEqual(Test->L, C.True) && structurallyEqual(Test->R, C.False);
  const bool Crossed =
      structurallyEqual(Test->L, C.False) && structurallyEqual(Test->R, C.True);
  if ((!Less && !More) || (!Same && !Crossed))
    return std::nullopt;
  auto L = write(Test->L), R = write(Test->R);
  if (!L || !R || (L->Dims != R->Dims && L->Dims && R->Dims))
    return std::nullopt;
  if (!L->Dims)
    std::swap(L, R);
  return Piece{postfix(*L) + (Less == Same ? ".min(" : ".max(") + R->Text + ")",
               Prec::Postfix, L->Dims};
}

std::optional<Piece> ExprWriter::select(const Select &C) {
  if (auto Extremum = extremum(C))
    return Extremum;
  auto Cond = write(C.Cond);
  if (!Cond || !Cond->Dims)
    return std::nullopt;
  if (InSelect) // likewise clang
    return std::nullopt;
  const SaveAndRestore Within(InSelect, true);
  const SaveAndRestore Maybe(Lazy, true);
  auto T = write(C.True), F = write(C.False);
  if (!T || !F || !(T->Dims | F->Dims))
    return std::nullopt;
  const unsigned Dims = Cond->Dims | T->Dims | F->Dims;
  auto Spreads = [&](const Piece &X) {
    return X.Dims == Dims || Dims == whole();
  };
  if (!Spreads(*Cond) || !Spreads(*T) || !Spreads(*F))
    return std::nullopt;
  Piece Whole{spread(*Cond, Dims),
              Cond->Dims == Dims ? Cond->Strength : Prec::Postfix, Dims};
  return Piece{postfix(Whole) + ".select(" + spread(*T, Dims) + ", " +
                   spread(*F, Dims) + ")",
               Prec::Postfix, Dims};
}

/// Eigen's member for a function of <math.h>, and whether its vector version
/// rounds as that does. (Eigen's square root of floats is an estimate and one
/// step of Newton's.)
static std::pair<StringRef, bool> memberFor(StringRef Function, const Type &T) {
  Function.consume_front("::");
  Function.consume_front("std::");
  const bool Single = T.Bits == 32;
  if (Single)
    Function.consume_back("f");
  if (Function == "fabs" || Function == "abs")
    return {"abs", true};
  if (Function == "sqrt")
    return {"sqrt", !Single};
  return {StringSwitch<StringRef>(Function)
              .Cases("exp", "log", "log2", "log10", "log1p", "expm1", Function)
              .Cases("sin", "cos", "tan", "asin", "acos", "atan", Function)
              .Cases("sinh", "cosh", "tanh", "floor", "ceil", "round", Function)
              .Case("pow", "pow")
              .Default(""),
          false};
}

std::optional<Piece> ExprWriter::call(const Call &C) {
  if (C.Fn->Definition || C.Args.empty() || !C.Ty.isFloat() ||
      !isNumber(C.Ty) ||
      any_of(C.Args, [&](const ExprRef &A) { return A->Ty != C.Ty; }))
    return std::nullopt;
  auto [Member, Exact] = memberFor(C.Fn->Name, C.Ty);
  if (Member.empty() || (!Exact && Opts.FP != FPMode::Fast) ||
      C.Args.size() != (Member == "pow" ? 2 : 1))
    return std::nullopt;
  auto X = write(C.Args[0]);
  if (!X || !X->Dims)
    return std::nullopt;
  std::string Rest;
  if (C.Args.size() == 2) {
    auto Y = write(C.Args[1]);
    if (!Y || (Y->Dims && Y->Dims != X->Dims))
      return std::nullopt;
    Rest = Y->Text;
  }
  return Piece{postfix(*X) + "." + Member.str() + "(" + Rest + ")",
               Prec::Postfix, X->Dims};
}

std::optional<Piece> ExprWriter::write(const ExprRef &E) {
  if (S.isFixed(E))
    return scalar(E);
  switch (E->Kind) {
  case ExprKind::Load:
    return load(*llvm::cast<Load>(E.get()));
  case ExprKind::Unary:
    return unary(*llvm::cast<Unary>(E.get()));
  case ExprKind::Binary:
    return binary(*llvm::cast<Binary>(E.get()));
  case ExprKind::Select:
    return select(*llvm::cast<Select>(E.get()));
  case ExprKind::Cast:
    return convert(*llvm::cast<Cast>(E.get()));
  case ExprKind::Call:
    return call(*llvm::cast<Call>(E.get()));
  default:
    return std::nullopt;
  }
}

} // namespace raise::eigen
