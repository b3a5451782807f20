//===- ExprPrinter.cpp - expressions as C text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExprPrinter.h"
#include "CType.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/SmallFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace raise {

std::string parenthesised(const Printed &P, Prec Least) {
  return P.Strength < Least ? "(" + P.Text + ")" : P.Text;
}

ExprRef withoutImplicitCasts(ExprRef E) {
  while (auto *C = dyn_cast<Cast>(E.get())) {
    if (!C->Implicit)
      break;
    E = C->Operand;
  }
  return E;
}

std::string ExprPrinter::typeOf(const Type &T) const {
  if (T == Type::getInt(64, false) && T.Spelling.empty())
    return SizeType;
  return typeName(T, LanguageC);
}

// --- Constants --------------------------------------------------------------

static std::string integerText(int64_t Value, const Type &Ty) {
  if (!Ty.Signed)
    return utostr(static_cast<uint64_t>(Value));
  // The minimum has no literal: its absolute value does not fit.
  if (Ty.Bits >= 32 && Value == minIntN(Ty.Bits))
    return "(" + itostr(Value + 1) + (Ty.Bits == 64 ? "LL" : "") + " - 1)";
  return itostr(Value);
}

/// `(N)`, of a macro whose tokens are an operation.
static bool isNameInParentheses(StringRef S) {
  return S.consume_front("(") && S.consume_back(")") &&
         all_of(S, [](char X) { return isAlnum(X) || X == '_'; });
}

/// `N`, `A::N`, `A<T>::N`.
static bool isQualifiedName(StringRef S) {
  return all_of(S, [](char X) { return isAlnum(X) || X == '_'; }) ||
         (S.contains("::") && !isDigit(S.front()) && all_of(S, [](char X) {
            return isAlnum(X) || is_contained("_:<>", X);
          }));
}

Printed ExprPrinter::integer(const IntConst &C) const {
  if (!C.Spelling.empty()) {
    StringRef S = C.Spelling;
    bool Atom =
        isQualifiedName(S) || (S.starts_with("sizeof(") && S.ends_with(")")) ||
        (S.starts_with("'") && S.ends_with("'")) || isNameInParentheses(S);
    return {C.Spelling, Atom ? Prec::Postfix : Prec::Assign, C.Ty};
  }
  if (C.Ty.isBool())
    return LanguageC
               ? Printed{C.Value ? "1" : "0", Prec::Postfix, Type::getI32()}
               : Printed{C.Value ? "true" : "false", Prec::Postfix, C.Ty};
  std::string Text = integerText(C.Value, C.Ty);
  Prec Strength = Text[0] == '-' ? Prec::Unary : Prec::Postfix;
  bool FitsInt = C.Ty.Signed ? isInt<32>(C.Value)
                             : isUInt<31>(static_cast<uint64_t>(C.Value));
  if (FitsInt)
    return {Text, Strength, Type::getI32()};
  if (Text.back() != ')')
    Text += !C.Ty.Signed      ? (C.Ty.Bits == 64 ? "ULL" : "U")
            : C.Ty.Bits == 64 ? "LL"
                              : "";
  return {Text, Strength, promoted(C.Ty)};
}

static std::string shortestDigits(double Value, bool Single) {
  for (int Digits = 1; Digits <= 17; ++Digits) {
    char Buffer[48];
    snprintf(Buffer, sizeof Buffer, "%.*g", Digits, Value);
    double Back = Single ? strtof(Buffer, nullptr) : strtod(Buffer, nullptr);
    if (Back == Value)
      return Buffer;
  }
  llvm_unreachable("17 digits always suffice");
}

Printed ExprPrinter::floating(const FloatConst &C) const {
  if (!C.Spelling.empty()) {
    // A sign within a number is that of its exponent.
    bool Number = isDigit(C.Spelling[0]) || C.Spelling[0] == '.';
    bool Atom = true;
    for (size_t I = 0; I < C.Spelling.size(); ++I) {
      char X = C.Spelling[I];
      bool Exponent = Number && I && (X == '-' || X == '+') &&
                      StringRef("eEpP").contains(C.Spelling[I - 1]);
      Atom &= isAlnum(X) || X == '_' || X == '.' || Exponent;
    }
    Atom |= isNameInParentheses(C.Spelling);
    return {C.Spelling, Atom ? Prec::Postfix : Prec::Assign, C.Ty};
  }
  std::string Suffix = C.Ty.Bits == 32 ? "f" : C.Ty.Bits == 80 ? "l" : "";
  bool Negative = std::signbit(C.Value);
  std::string Text;
  if (C.Value != C.Value)
    Text = "__builtin_nan" + Suffix + "(\"\")";
  else if (std::isinf(C.Value))
    Text = "__builtin_inf" + Suffix + "()";
  else {
    Text = shortestDigits(std::fabs(C.Value), C.Ty.Bits == 32);
    if (Text.find_first_of(".e") == std::string::npos)
      Text += ".0";
    Text += C.Ty.Bits == 80 ? "L" : Suffix;
  }
  if (isFloatClass(C.Ty)) // a class: no literal is of it
    return {"(" + typeOf(C.Ty) + ")" + (Negative ? "-" : "") + Text,
            Prec::Unary, C.Ty};
  Type Ty = C.Ty.Bits == 16 ? Type::getFloat(64) : C.Ty;
  return Negative ? Printed{"-" + Text, Prec::Unary, Ty}
                  : Printed{Text, Prec::Postfix, Ty};
}

// --- Conversions ------------------------------------------------------------

/// Operators of a class would take part in what is left out.
static bool isWritten(const Cast &C) {
  return isFloatClass(C.Ty) || isFloatClass(C.Operand->Ty);
}

Printed ExprPrinter::converted(const ExprRef &E) const {
  auto *C = dyn_cast<Cast>(E.get());
  if (!C || !C->Implicit || isWritten(*C))
    return value(E);
  if (E->Ty.isBool()) // a bool object takes x != 0 of whatever it is given
    return condition(E);
  return value(C->Operand);
}

std::string ExprPrinter::initialiser(const ExprRef &E) const {
  return parenthesised(converted(E), Prec::Assign);
}

Printed ExprPrinter::cast(const Cast &C) const {
  if (C.Ty.isBool()) {
    Printed P = value(C.Operand);
    if (P.Ty.isBool())
      return P;
    return {parenthesised(P, Prec::Shift) + " != 0", Prec::Equality, C.Ty};
  }
  if (C.Implicit && !isWritten(C) && preservesValue(C.Operand->Ty, C.Ty))
    return value(C.Operand);
  return {"(" + typeOf(C.Ty) + ")" +
              parenthesised(value(C.Operand), Prec::Unary),
          Prec::Unary, C.Ty};
}

static std::optional<std::string> literalIn(const Expr &E, const Type &T) {
  auto *C = dyn_cast<IntConst>(&E);
  if (!C || !C->Spelling.empty() || C->Ty.isBool() ||
      (C->Ty.Signed && C->Value < 0))
    return std::nullopt;
  if (T.isFloat() && T.Bits <= 64 && T.Bits >= 32 && C->Value < (1 << 24))
    return itostr(C->Value) + (T.Bits == 32 ? ".0f" : ".0");
  if (T.isInt() && T.Bits >= 32 && isUInt<31>(static_cast<uint64_t>(C->Value)))
    return itostr(C->Value) + (T.Signed ? "" : "U") +
           (T.Bits == 64 ? "LL" : "");
  return std::nullopt;
}

Printed ExprPrinter::inType(const ExprRef &E, const Type &T) const {
  Printed P = value(E);
  if (auto Text = literalIn(*withoutImplicitCasts(E), T))
    if (promoted(P.Ty) != promoted(T) || isa<Cast>(*E))
      return {*Text, Prec::Postfix, T};
  if (promoted(P.Ty) == promoted(T))
    return P;
  return {"(" + typeOf(T) + ")" + parenthesised(P, Prec::Unary), Prec::Unary,
          T};
}

Printed ExprPrinter::condition(const ExprRef &E) const {
  ExprRef Inner = E;
  while (auto *C = dyn_cast<Cast>(Inner.get())) {
    // bool -> int -> bool, as C's comparisons come, is one bool; so is any
    // widening before the test.
    if (!C->Ty.isBool() && !preservesValue(C->Operand->Ty, C->Ty))
      break;
    Inner = C->Operand;
  }
  if (Inner->Ty.isBool())
    return value(Inner);
  Printed P = value(Inner);
  if (P.Strength >= Prec::Unary)
    return P;
  return {parenthesised(P, Prec::Shift) + " != 0", Prec::Equality,
          Type::getBool()};
}

// --- Operators --------------------------------------------------------------

Printed ExprPrinter::unary(const Unary &U) const {
  if (U.Op == UnaryOp::Not) {
    auto *B = dyn_cast<Binary>(U.Operand.get());
    if (B && (B->Op == BinaryOp::EQ || B->Op == BinaryOp::NE))
      return binary(Binary(B->Op == BinaryOp::EQ ? BinaryOp::NE : BinaryOp::EQ,
                           B->L, B->R, B->Ty));
    return {"!" + parenthesised(condition(U.Operand), Prec::Unary), Prec::Unary,
            Type::getBool()};
  }
  Printed P = inType(U.Operand, U.Ty);
  std::string Text = parenthesised(P, Prec::Unary);
  StringRef Op = spelling(U.Op);
  if (StringRef(Text).starts_with(Op)) // not `--x`
    Text = "(" + Text + ")";
  Printed Result = {Op.str() + Text, Prec::Unary, promoted(P.Ty)};
  if (Result.Ty != U.Ty)
    return {"(" + typeOf(U.Ty) + ")" + Result.Text, Prec::Unary, U.Ty};
  return Result;
}

/// A signed value that C would silently take as unsigned: allowed, but both
/// compilers warn where the result is compared or selected.
static bool changesSign(const Printed &P, const ExprRef &E, const Type &T) {
  return T.isInt() && !T.Signed && P.Ty.isInt() && P.Ty.Signed &&
         !isa<IntConst>(*withoutImplicitCasts(E));
}

std::pair<Printed, Printed> ExprPrinter::operands(const ExprRef &L,
                                                  const ExprRef &R,
                                                  bool SignMatters) const {
  const Type T = promoted(L->Ty);
  // A type narrower than int is reached by a conversion of its own.
  Printed PL = L->Ty == T ? converted(L) : value(L);
  Printed PR = R->Ty == T ? converted(R) : value(R);
  if (SignMatters && changesSign(PL, L, T))
    PL = inType(L, T);
  if (SignMatters && changesSign(PR, R, T))
    PR = inType(R, T);
  if (usualArithmetic(PL.Ty, PR.Ty) == T)
    return {PL, PR};
  // One conversion suffices where the other operand then follows; a constant
  // takes it by a suffix.
  Printed CL = inType(L, T), CR = inType(R, T);
  bool LeftAlone = usualArithmetic(CL.Ty, PR.Ty) == T;
  bool RightAlone = usualArithmetic(PL.Ty, CR.Ty) == T;
  if (RightAlone && (!LeftAlone || isa<IntConst>(*withoutImplicitCasts(R))))
    return {PL, CR};
  if (LeftAlone)
    return {CL, PR};
  return {CL, CR};
}

Prec strength(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return Prec::Product;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return Prec::Sum;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return Prec::Shift;
  case BinaryOp::And:
    return Prec::BitAnd;
  case BinaryOp::Or:
    return Prec::BitOr;
  case BinaryOp::Xor:
    return Prec::BitXor;
  case BinaryOp::LT:
  case BinaryOp::LE:
  case BinaryOp::GT:
  case BinaryOp::GE:
    return Prec::Relation;
  case BinaryOp::EQ:
  case BinaryOp::NE:
    return Prec::Equality;
  case BinaryOp::LAnd:
    return Prec::LAnd;
  case BinaryOp::LOr:
    return Prec::LOr;
  }
  llvm_unreachable("unknown operator");
}

/// Operands of these operators are put in parentheses whenever they are
/// operators themselves: compilers ask for most of it, readers for the rest.
static bool wantsParentheses(Prec P) {
  return P == Prec::Shift || P == Prec::BitAnd || P == Prec::BitOr ||
         P == Prec::BitXor || P == Prec::Relation || P == Prec::Equality;
}

static std::string joined(const Printed &L, BinaryOp Op, const Printed &R) {
  Prec P = strength(Op);
  // A comparison may have sums and products below it, the others may not.
  // (Nor shifts: tools take `a < b >> c` for the arguments of a template.)
  Prec Least = P;
  if (P == Prec::Relation || P == Prec::Equality)
    Least = Prec::Sum;
  else if (wantsParentheses(P))
    Least = Prec::Unary;
  // `!a | b`: gcc asks whether `~a` or `||` was meant.
  const auto Operand = [&](const Printed &E, Prec Weakest) {
    const std::string Text = parenthesised(E, Weakest);
    return wantsParentheses(P) && Text[0] == '!' ? "(" + Text + ")" : Text;
  };
  std::string Left = Operand(L, Least);
  // Operators group to the left, and neither rounding nor overflow is
  // associative.
  Prec RightLeast = wantsParentheses(P) ? Least : Prec(int(P) + 1);
  std::string Right = Operand(R, RightLeast);
  StringRef Symbol = spelling(Op);
  if (Right[0] == '-' && (Op == BinaryOp::Add || Op == BinaryOp::Sub))
    if (R.Strength == Prec::Unary && !isDigit(Right[1]))
      Right = "(" + Right + ")";
  return Left + " " + Symbol.str() + " " + Right;
}

Printed ExprPrinter::logical(const Binary &B) const {
  Printed L = condition(B.L), R = condition(B.R);
  if (B.Op == BinaryOp::LOr) { // gcc: parentheses around && within ||
    if (L.Strength == Prec::LAnd)
      L = {"(" + L.Text + ")", Prec::Postfix, L.Ty};
    if (R.Strength == Prec::LAnd)
      R = {"(" + R.Text + ")", Prec::Postfix, R.Ty};
  }
  // && and || are associative: no parentheses for what hangs to the right.
  Prec P = strength(B.Op);
  return {parenthesised(L, P) + " " + spelling(B.Op).str() + " " +
              parenthesised(R, P),
          P, Type::getBool()};
}

Printed ExprPrinter::shift(const Binary &B) const {
  Printed L = inType(B.L, B.Ty), R = converted(B.R);
  Printed Result = {joined(L, B.Op, R), Prec::Shift, promoted(L.Ty)};
  if (preservesValue(Result.Ty, B.Ty) || Result.Ty == B.Ty)
    return Result;
  return {"(" + typeOf(B.Ty) + ")(" + Result.Text + ")", Prec::Unary, B.Ty};
}

Printed ExprPrinter::binary(const Binary &B) const {
  if (B.Op == BinaryOp::LAnd || B.Op == BinaryOp::LOr)
    return logical(B);
  if (B.Op == BinaryOp::Shl || B.Op == BinaryOp::Shr)
    return shift(B);
  if (isComparison(B.Op)) {
    // Exact numbers compare the same in every type that holds both. A
    // conversion to floating is one that operands() may leave to C.
    Printed L = value(B.L), R = value(B.R);
    Type Common = usualArithmetic(L.Ty, R.Ty);
    bool ToFloat = (L.Ty.isFloat() && !converted(B.L).Ty.isFloat()) ||
                   (R.Ty.isFloat() && !converted(B.R).Ty.isFloat());
    if (!ToFloat && preservesValue(L.Ty, Common) &&
        preservesValue(R.Ty, Common))
      return {joined(L, B.Op, R), strength(B.Op), Type::getBool()};
  }
  auto [L, R] = operands(B.L, B.R, isComparison(B.Op));
  // x + -1 reads x - 1; the difference is the same number in every type.
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B.R).get());
  if (B.Op == BinaryOp::Add && C && C->Spelling.empty() && C->Ty.Signed &&
      C->Value < 0 && C->Value > minIntN(C->Ty.Bits) && R.Text[0] == '-' &&
      isDigit(R.Text[1]))
    return binary(
        Binary(BinaryOp::Sub, B.L,
               std::make_shared<Cast>(
                   std::make_shared<IntConst>(-C->Value, C->Ty), B.R->Ty, true),
               B.Ty));
  if (isComparison(B.Op))
    return {joined(L, B.Op, R), strength(B.Op), Type::getBool()};
  Printed Result = {joined(L, B.Op, R), strength(B.Op),
                    usualArithmetic(L.Ty, R.Ty)};
  if (Result.Ty == B.Ty)
    return Result;
  // A type narrower than int: C computes in int.
  return {"(" + typeOf(B.Ty) + ")(" + Result.Text + ")", Prec::Unary, B.Ty};
}

Printed ExprPrinter::select(const Select &S) const {
  auto [T, F] = operands(S.True, S.False, true);
  std::string Text = parenthesised(condition(S.Cond), Prec::LOr) + " ? " +
                     parenthesised(T, Prec::Cond) + " : " +
                     parenthesised(F, Prec::Cond);
  Type Ty = usualArithmetic(T.Ty, F.Ty);
  if (S.Ty.isBool() && T.Ty.isBool() && F.Ty.isBool())
    Ty = S.Ty;
  return {Text, Prec::Cond, Ty};
}

// --- Calls ------------------------------------------------------------------

/// The type in which C++'s overloads of a <cmath> name would compute.
static Type overloadType(ArrayRef<Printed> Args) {
  Type T = Type::getFloat(32);
  for (const Printed &P : Args) {
    Type A = P.Ty.isFloat() ? P.Ty : Type::getFloat(64);
    T = A.Bits > T.Bits ? A : T;
  }
  return T;
}

/// A function of <math.h> for float, such as `powf`: C++ has no overload of it.
static bool isSingleOnly(const Callee &Fn) {
  return !Fn.Definition && !Fn.Params.empty() && Fn.Params[0].isFloat() &&
         Fn.Params[0].Bits == 32;
}

Printed ExprPrinter::call(const Call &C) const {
  SmallVector<Printed, 4> Args;
  for (const ExprRef &A : C.Args)
    Args.push_back(converted(A));
  bool Exact = false;
  if (!LanguageC && !isSingleOnly(*C.Fn)) {
    // An overload is chosen by the arguments' types: what C++ would convert
    // for the original's arguments it may not convert for these.
    bool Math = !C.Fn->Definition;
    for (size_t I = 0; I < Args.size(); ++I) {
      if (Args[I].Ty == C.Args[I]->Ty)
        continue;
      Exact |= Math ? overloadType(Args) != C.Args[I]->Ty : true;
    }
  }
  std::string Text = C.Fn->Name + "(";
  for (size_t I = 0; I < Args.size(); ++I) {
    Printed P = Args[I];
    if (Exact && P.Ty != C.Args[I]->Ty) {
      if (auto Literal =
              literalIn(*withoutImplicitCasts(C.Args[I]), C.Args[I]->Ty))
        P = {*Literal, Prec::Postfix, C.Args[I]->Ty};
      else
        P = {"(" + typeOf(C.Args[I]->Ty) + ")" + parenthesised(P, Prec::Unary),
             Prec::Unary, C.Args[I]->Ty};
    }
    Text += (I ? ", " : "") + P.Text;
  }
  return {Text + ")", Prec::Postfix, C.Ty};
}

Printed ExprPrinter::value(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::IntConst:
    return integer(*llvm::cast<IntConst>(E.get()));
  case ExprKind::FloatConst:
    return floating(*llvm::cast<FloatConst>(E.get()));
  case ExprKind::VarUse:
    // By itself, a cursor's value is its distance from its base.
    if (const VarRef &V = llvm::cast<VarUse>(E.get())->V;
        V->Kind == VarKind::Cursor)
      return {Name.of(V.get()) + " - " + pointerText(*V->Base), Prec::Sum,
              E->Ty};
    return {Name.of(llvm::cast<VarUse>(E.get())->V.get()), Prec::Postfix,
            E->Ty};
  case ExprKind::Load:
    return {access(llvm::cast<Load>(E.get())->From), Prec::Postfix, E->Ty};
  case ExprKind::Unary:
    return unary(*llvm::cast<Unary>(E.get()));
  case ExprKind::Binary:
    return binary(*llvm::cast<Binary>(E.get()));
  case ExprKind::Select:
    return select(*llvm::cast<Select>(E.get()));
  case ExprKind::Cast:
    return cast(*llvm::cast<Cast>(E.get()));
  case ExprKind::Call:
    return call(*llvm::cast<Call>(E.get()));
  case ExprKind::NonNull: {
    const Buffer &B = *llvm::cast<NonNull>(E.get())->Buf;
    return {pointerText(B) + (LanguageC ? " != 0" : " != nullptr"),
            Prec::Equality, Type::getBool()};
  }
  }
  llvm_unreachable("unknown expression");
}

std::string emitExpr(const ExprRef &E) {
  Names Plain;
  return ExprPrinter(Plain, /*LanguageC=*/false).value(E).Text;
}

} // namespace raise
