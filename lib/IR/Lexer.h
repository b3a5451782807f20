//===- Lexer.h - words of the text form -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_LEXER_H
#define RAISE_LIB_IR_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace raise::detail {

enum class TokenKind {
  End,
  Name,     ///< a word, dots included ("gridDim.x")
  Quoted,   ///< a name in backquotes: never a word of the language
  Function, ///< after '@'
  Integer,
  Float,
  String,
  Punct,
  Bad, ///< Text says what is wrong
};

struct Token {
  TokenKind Kind = TokenKind::End;
  std::string Text; ///< without quotes, escapes resolved
  unsigned Begin = 0, End = 0, Line = 1, Column = 1;
  bool is(llvm::StringRef Spelling) const {
    return (Kind == TokenKind::Name || Kind == TokenKind::Punct) &&
           Text == Spelling;
  }
};

/// All tokens up to the first bad one or the end, which comes last.
std::vector<Token> tokenize(llvm::StringRef Source);

} // namespace raise::detail

#endif // RAISE_LIB_IR_LEXER_H
