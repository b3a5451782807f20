//===- Lexer.cpp - words of the text form ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "TextInternal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::detail {
namespace {

class Lexer {
  StringRef Source;
  size_t Pos = 0;
  unsigned Line = 1;
  size_t LineStart = 0;

public:
  explicit Lexer(StringRef Source) : Source(Source) {}
  Token next();

private:
  char peek(size_t Ahead = 0) const {
    return Pos + Ahead < Source.size() ? Source[Pos + Ahead] : '\0';
  }
  void skipSpace();
  void lexName(Token &T);
  void lexFunction(Token &T);
  void lexNumber(Token &T);
  void lexQuoted(Token &T, char Quote, TokenKind Kind);
  void lexPunct(Token &T);
  bool lexEscape(std::string &Out);
  void bad(Token &T, const Twine &Why) {
    T.Kind = TokenKind::Bad;
    T.Text = Why.str();
  }
};

void Lexer::skipSpace() {
  while (Pos < Source.size()) {
    if (Source[Pos] == '\n') {
      ++Line;
      LineStart = ++Pos;
    } else if (isSpace(Source[Pos])) {
      ++Pos;
    } else if (Source.substr(Pos).starts_with("//")) {
      Pos = std::min(Source.find('\n', Pos), Source.size());
    } else {
      return;
    }
  }
}

/// A dot belongs to the name if another character of a name follows it.
void Lexer::lexName(Token &T) {
  T.Kind = TokenKind::Name;
  while (isNameChar(peek()) || (peek() == '.' && isNameChar(peek(1))))
    T.Text += Source[Pos++];
}

void Lexer::lexFunction(Token &T) {
  ++Pos;
  if (peek() == '"')
    return lexQuoted(T, '"', TokenKind::Function);
  T.Kind = TokenKind::Function;
  // `::` only: the colon of `@f: f32` is none of the name.
  while (isNameChar(peek()) || (peek() == ':' && peek(1) == ':' &&
                                (isNameChar(peek(2)) || peek(2) == ':')))
    if (peek() == ':') {
      T.Text += "::";
      Pos += 2;
    } else {
      T.Text += Source[Pos++];
    }
  if (T.Text.empty())
    bad(T, "expected a function's name after '@'");
}

void Lexer::lexNumber(Token &T) {
  T.Kind = TokenKind::Integer;
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    T.Text += {Source[Pos], Source[Pos + 1]};
    Pos += 2;
    while (isHexDigit(peek()))
      T.Text += Source[Pos++];
    return;
  }
  while (isDigit(peek()))
    T.Text += Source[Pos++];
  // `0 .. n` may be written without spaces.
  if (peek() == '.' && peek(1) != '.') {
    T.Kind = TokenKind::Float;
    T.Text += Source[Pos++];
    while (isDigit(peek()))
      T.Text += Source[Pos++];
  }
  const bool Sign = peek(1) == '+' || peek(1) == '-';
  if ((peek() == 'e' || peek() == 'E') && isDigit(peek(Sign ? 2 : 1))) {
    T.Kind = TokenKind::Float;
    for (size_t Prefix = Sign ? 2 : 1; Prefix > 0; --Prefix)
      T.Text += Source[Pos++];
    while (isDigit(peek()))
      T.Text += Source[Pos++];
  }
  if (isNameStart(peek()))
    bad(T, "a number is followed by '" + Twine(peek()) + "'");
}

bool Lexer::lexEscape(std::string &Out) {
  const char C = peek(1);
  if (C == 'n' || C == '"' || C == '`' || C == '\\') {
    Out += C == 'n' ? '\n' : C;
    Pos += 2;
    return true;
  }
  if (C == 'x' && isHexDigit(peek(2)) && isHexDigit(peek(3))) {
    Out +=
        static_cast<char>(hexDigitValue(peek(2)) * 16 + hexDigitValue(peek(3)));
    Pos += 4;
    return true;
  }
  return false;
}

void Lexer::lexQuoted(Token &T, char Quote, TokenKind Kind) {
  T.Kind = Kind;
  ++Pos;
  while (peek() != Quote) {
    if (Pos >= Source.size() || peek() == '\n')
      return bad(T, "unterminated " + Twine(Quote));
    if (peek() != '\\') {
      T.Text += Source[Pos++];
      continue;
    }
    if (!lexEscape(T.Text))
      return bad(T, "unknown escape sequence");
  }
  ++Pos;
}

void Lexer::lexPunct(Token &T) {
  static constexpr StringLiteral Longest[] = {
      "<<=", ">>=", "&&=", "||=", "..", "<<", ">>", "<=", ">=", "==", "!=",
      "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "&&", "||"};
  T.Kind = TokenKind::Punct;
  for (StringRef P : Longest)
    if (Source.substr(Pos).starts_with(P)) {
      T.Text = P.str();
      Pos += P.size();
      return;
    }
  if (!StringRef("+-*/%<>=!~&|^?:;,.(){}[]").contains(peek()))
    return bad(T,
               "unexpected character '" + escape(Source.substr(Pos, 1)) + "'");
  T.Text = Source[Pos++];
}

Token Lexer::next() {
  skipSpace();
  Token T;
  T.Begin = Pos;
  T.Line = Line;
  T.Column = Pos - LineStart + 1;
  const char C = peek();
  if (Pos >= Source.size())
    T.Kind = TokenKind::End;
  else if (isNameStart(C))
    lexName(T);
  else if (C == '@')
    lexFunction(T);
  else if (isDigit(C))
    lexNumber(T);
  else if (C == '"')
    lexQuoted(T, '"', TokenKind::String);
  else if (C == '`')
    lexQuoted(T, '`', TokenKind::Quoted);
  else
    lexPunct(T);
  T.End = Pos;
  return T;
}

} // namespace

std::vector<Token> tokenize(StringRef Source) {
  Lexer L(Source);
  std::vector<Token> Tokens;
  do
    Tokens.push_back(L.next());
  while (Tokens.back().Kind != TokenKind::End &&
         Tokens.back().Kind != TokenKind::Bad);
  return Tokens;
}

} // namespace raise::detail
