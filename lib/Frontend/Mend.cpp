//===- Mend.cpp - launches that are spelled with spaces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Parse.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace llvm;

namespace raise {
namespace {

struct Piece {
  tok::TokenKind Kind;
  unsigned Begin, End;
};

std::vector<Piece> tokens(const std::string &Source) {
  LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus17 = Lang.LineComment = true;
  Lexer Lex(SourceLocation(), Lang, Source.data(), Source.data(),
            Source.data() + Source.size());
  std::vector<Piece> Found;
  Token T;
  while (true) {
    const bool Last = Lex.LexFromRawLexer(T);
    const unsigned End = Lex.getBufferLocation() - Source.data();
    if (T.isNot(tok::eof))
      Found.push_back({T.getKind(), End - T.getLength(), End});
    if (Last || T.is(tok::eof))
      return Found;
  }
}

/// Whether only blanks stand between two tokens on one line.
bool onlyBlanks(StringRef Between) {
  return Between.find_first_not_of(" \t") == StringRef::npos;
}

/// The spans that are a spelled-out `<<<` or `>>>`: two tokens of which
/// one is the shift operator.
bool joins(const std::vector<Piece> &Tokens, size_t I, tok::TokenKind Two,
           tok::TokenKind One, StringRef Source) {
  if (I + 1 >= Tokens.size())
    return false;
  const Piece &A = Tokens[I], &B = Tokens[I + 1];
  const bool Kinds =
      (A.Kind == Two && B.Kind == One) || (A.Kind == One && B.Kind == Two);
  return Kinds && B.Begin > A.End && onlyBlanks(Source.slice(A.End, B.Begin));
}

/// Writes the three characters at once and the blanks after them.
void join(std::string &Text, const Piece &A, const Piece &B, char C) {
  const std::string Joined(3, C);
  const size_t Length = B.End - A.Begin;
  Text.replace(A.Begin, Length, Joined + std::string(Length - 3, ' '));
}

} // namespace

std::optional<std::string> mendLaunches(StringRef Source) {
  std::string Text = Source.str();
  const std::vector<Piece> Tokens = tokens(Text);
  bool Changed = false;
  unsigned Open = 0; // launches whose >>> is still to come
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (joins(Tokens, I, tok::lessless, tok::less, Source)) {
      join(Text, Tokens[I], Tokens[I + 1], '<');
      Changed = true;
      ++Open;
      ++I;
    } else if (Open &&
               joins(Tokens, I, tok::greatergreater, tok::greater, Source)) {
      join(Text, Tokens[I], Tokens[I + 1], '>');
      --Open;
      ++I;
    } else if (Tokens[I].Kind == tok::semi) {
      Open = 0;
    }
  }
  if (!Changed)
    return std::nullopt;
  return Text;
}

} // namespace raise
