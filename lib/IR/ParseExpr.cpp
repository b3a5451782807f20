//===- ParseExpr.cpp - expressions from text ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "ParserInternal.h"
#include "TextInternal.h"
#include "raise/IR/Math.h"
#include "llvm/ADT/APInt.h"
#include <cmath>

using namespace llvm;

namespace raise::detail {

ExprRef Parser::parseTyped(const Type &Ty, StringRef What) {
  const size_t First = Pos;
  ExprRef E = parseExpr();
  if (!E || E->Ty == Ty)
    return E;
  failAt(First, What + " has type " + E->Ty.name() + ", not " + Ty.name());
  return nullptr;
}

ExprRef Parser::parseBool() {
  return parseTyped(Type::getBool(), "the condition");
}

bool Parser::parseList(std::vector<ExprRef> &List, StringRef Close) {
  while (!failed() && !at(Close)) {
    ExprRef E = parseExpr();
    if (!E)
      return false;
    List.push_back(std::move(E));
    if (!accept(","))
      break;
  }
  return expect(Close);
}

ExprRef Parser::parseSelect() {
  const size_t First = Pos;
  ExprRef Cond = parseBinary(2);
  if (!Cond || !accept("?"))
    return Cond;
  if (!Cond->Ty.isBool()) {
    failAt(First, "the condition has type " + Cond->Ty.name() + ", not bool");
    return nullptr;
  }
  ExprRef True = parseExpr();
  const size_t Colon = Pos;
  if (!True || !expect(":"))
    return nullptr;
  ExprRef False = parseSelect();
  if (!False)
    return nullptr;
  if (True->Ty != False->Ty) {
    failAt(Colon, "the alternatives have types " + True->Ty.name() + " and " +
                      False->Ty.name());
    return nullptr;
  }
  return std::make_shared<Select>(std::move(Cond), std::move(True),
                                  std::move(False), locFrom(First));
}

static std::optional<BinaryOp> binaryOp(const Token &T) {
  for (int I = 0; I <= static_cast<int>(BinaryOp::LOr); ++I)
    if (T.is(spelling(static_cast<BinaryOp>(I))))
      return static_cast<BinaryOp>(I);
  return std::nullopt;
}

ExprRef Parser::parseBinary(unsigned MinPrecedence) {
  const size_t First = Pos;
  ExprRef L = parseUnary();
  while (L) {
    std::optional<BinaryOp> Op = binaryOp(tok());
    if (!Op || precedence(*Op) < MinPrecedence)
      return L;
    const size_t OpToken = Pos++;
    ExprRef R = parseBinary(precedence(*Op) + 1);
    if (!R)
      return nullptr;
    const std::string Problem = binaryProblem(*Op, L->Ty, R->Ty);
    if (!Problem.empty()) {
      failAt(OpToken, Problem);
      return nullptr;
    }
    Type Ty = resultType(*Op, L->Ty);
    L = std::make_shared<Binary>(*Op, std::move(L), std::move(R), std::move(Ty),
                                 locFrom(First));
  }
  return L;
}

bool Parser::atNumber(size_t Ahead) const {
  const Token &T = tok(Ahead);
  return T.Kind == TokenKind::Integer || T.Kind == TokenKind::Float ||
         T.is("inf") || T.is("nan");
}

ExprRef Parser::parseUnary() {
  const size_t First = Pos;
  if (at("-") && atNumber(1)) {
    ++Pos;
    return parseNumber(true, First);
  }
  UnaryOp Op;
  if (accept("-"))
    Op = UnaryOp::Neg;
  else if (accept("!"))
    Op = UnaryOp::Not;
  else if (accept("~"))
    Op = UnaryOp::BitNot;
  else
    return parsePrimary();
  ExprRef E = parseUnary();
  if (!E)
    return nullptr;
  const std::string Problem = unaryProblem(Op, E->Ty);
  if (!Problem.empty()) {
    failAt(First, Problem);
    return nullptr;
  }
  Type Ty = E->Ty;
  return std::make_shared<Unary>(Op, std::move(E), std::move(Ty),
                                 locFrom(First));
}

ExprRef Parser::parseNumber(bool Negative, size_t First) {
  return tok().Kind == TokenKind::Integer ? parseInteger(Negative, First)
                                          : parseFloating(Negative, First);
}

/// The bits of -2^(n-1) ... 2^n - 1 as far as Ty holds them.
static std::optional<int64_t> integerBits(StringRef Digits, bool Negative,
                                          const Type &Ty) {
  APInt V;
  if (Digits.getAsInteger(0, V))
    return std::nullopt;
  V = V.zext(std::max(V.getBitWidth(), 64u) + 1);
  if (Negative)
    V.negate();
  if (Ty.Signed ? V.getSignificantBits() > Ty.Bits
                : V.isNegative() || V.getActiveBits() > Ty.Bits)
    return std::nullopt;
  return wrapToType(V.trunc(64).getSExtValue(), Ty);
}

ExprRef Parser::parseInteger(bool Negative, size_t First) {
  std::string Digits = tok().Text;
  ++Pos;
  const Type Ty = acceptTypeSuffix().value_or(Type::getI32());
  if (Ty.isFloat() || !Ty.isInt()) {
    failAt(First, "an integer literal of type " + Ty.name());
    return nullptr;
  }
  // A leading 0 means nothing here; C's octal numbers are not meant.
  const bool IsHex = StringRef(Digits).starts_with_insensitive("0x");
  StringRef Trimmed = Digits;
  if (!IsHex) {
    Trimmed = Trimmed.ltrim('0');
    Trimmed = Trimmed.empty() ? "0" : Trimmed;
  }
  std::optional<int64_t> Value = integerBits(Trimmed, Negative, Ty);
  if (!Value) {
    failAt(First, "the number does not fit in " + Ty.name());
    return nullptr;
  }
  return std::make_shared<IntConst>(*Value, Ty, "", locFrom(First));
}

ExprRef Parser::parseFloating(bool Negative, size_t First) {
  const Token Number = tok();
  ++Pos;
  const Type Ty = acceptTypeSuffix().value_or(Type::getFloat(64));
  if (!Ty.isFloat()) {
    failAt(First, "a floating literal of type " + Ty.name());
    return nullptr;
  }
  std::optional<double> Value;
  if (Number.Kind == TokenKind::Float)
    Value = parseFloat(Number.Text, Ty);
  else
    Value = Number.is("inf") ? HUGE_VAL : std::nan("");
  if (!Value) {
    failAt(First, "the number does not fit in " + Ty.name());
    return nullptr;
  }
  return std::make_shared<FloatConst>(Negative ? -*Value : *Value, Ty, "",
                                      locFrom(First));
}

ExprRef Parser::parseCast(bool Implicit) {
  const size_t First = Pos++;
  Type To;
  if (!expect("<") || !parseType(To) || !expect(">") || !expect("("))
    return nullptr;
  ExprRef E = parseExpr();
  if (!E || !expect(")"))
    return nullptr;
  if (To.isVoid() || E->Ty.isVoid()) {
    failAt(First, "a cast from or to void");
    return nullptr;
  }
  return std::make_shared<Cast>(std::move(E), To, Implicit, locFrom(First));
}

ExprRef Parser::parseNonNull() {
  const size_t First = Pos++;
  if (!expect("("))
    return nullptr;
  BufferRef B = parseBufferUse();
  if (!B || !expect(")"))
    return nullptr;
  return std::make_shared<NonNull>(std::move(B), locFrom(First));
}

static bool takes(const Callee &C, ArrayRef<ExprRef> Args) {
  if (C.Params.size() != Args.size())
    return false;
  for (size_t I = 0; I < Args.size(); ++I)
    if (C.Params[I] != Args[I]->Ty)
      return false;
  return true;
}

CalleeRef Parser::findCallee(StringRef Name, ArrayRef<ExprRef> Args) {
  auto It = Callees.find(Name);
  if (It != Callees.end())
    for (const CalleeRef &C : reverse(It->second))
      if (takes(*C, Args))
        return C;
  CalleeRef Known = knownMathCallee(Name);
  return Known && takes(*Known, Args) ? Known : nullptr;
}

ExprRef Parser::parseCall() {
  const size_t First = Pos;
  const std::string Name = tok().Text;
  ++Pos;
  std::vector<ExprRef> Args;
  if (!expect("(") || !parseList(Args, ")"))
    return nullptr;
  CalleeRef C = findCallee(Name, Args);
  if (!C) {
    std::string Types;
    for (const ExprRef &Arg : Args)
      Types += (Types.empty() ? "" : ", ") + Arg->Ty.name();
    failAt(First, "no known function '" + Name + "' takes (" + Types + ")");
    return nullptr;
  }
  return std::make_shared<Call>(std::move(C), std::move(Args), locFrom(First));
}

/// After the buffer's name has been recognised as one.
bool Parser::parseAccess(Access &A) {
  const size_t First = Pos;
  A.Buf = parseBufferUse();
  if (!A.Buf)
    return false;
  if (accept("{") && !parseList(A.Extents, "}"))
    return false;
  if (!expect("[") || !parseList(A.Indices, "]"))
    return false;
  if (A.isView() && A.Buf->rank() != 1)
    return failAt(First, "a view of an array of more than one dimension");
  const size_t Wanted = A.isView() ? A.Extents.size() + 1 : A.Buf->rank();
  if (A.Indices.size() != Wanted)
    return failAt(First, "expected " + Twine(Wanted) + " indices, found " +
                             Twine(A.Indices.size()));
  for (const auto *List : {&A.Extents, &A.Indices})
    for (const ExprRef &E : *List)
      if (!E->Ty.isInt())
        return failAt(First, "an index or extent has type " + E->Ty.name());
  if (accept(".")) {
    // Any word may name a field.
    if (tok().Kind != TokenKind::Name && tok().Kind != TokenKind::Quoted)
      return expected("a field's name");
    A.Field = tok().Text;
    ++Pos;
  }
  return !failed();
}

ExprRef Parser::parseWord() {
  const size_t First = Pos;
  const Symbol *S = lookup(tok().Text);
  if (!S) {
    fail("'" + tok().Text + "' is not declared");
    return nullptr;
  }
  if (S->V) {
    ++Pos;
    return std::make_shared<VarUse>(S->V, locFrom(First));
  }
  Access From;
  if (!parseAccess(From))
    return nullptr;
  std::optional<Type> Ty = acceptTypeSuffix();
  if (Ty && From.Field.empty()) {
    failAt(First, "only a field has a type of its own");
    return nullptr;
  }
  Type LoadTy = Ty ? *Ty : From.Buf->Elem;
  if (LoadTy.isVoid()) {
    failAt(First, "the field needs a type, as in p[i].x:f32");
    return nullptr;
  }
  return std::make_shared<Load>(std::move(From), std::move(LoadTy),
                                locFrom(First));
}

ExprRef Parser::parsePrimary() {
  const size_t First = Pos;
  if (failed())
    return nullptr;
  if (atNumber(0))
    return parseNumber(false, First);
  if (tok().Kind == TokenKind::Function)
    return parseCall();
  if (at("cast") || at("icast"))
    return parseCast(at("icast"));
  if (at("nonnull"))
    return parseNonNull();
  if (at("true") || at("false")) {
    const bool Value = at("true");
    ++Pos;
    return std::make_shared<IntConst>(Value, Type::getBool(), "",
                                      locFrom(First));
  }
  if (accept("(")) {
    ExprRef E = parseExpr();
    return E && expect(")") ? E : nullptr;
  }
  if (isName())
    return parseWord();
  expected("an expression");
  return nullptr;
}

} // namespace raise::detail
