//===- Tokens.h - C and C++ text in pieces ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_TOKENS_H
#define RAISE_LIB_REPORT_TOKENS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace raise {

enum class TokenKind { Word, Number, String, Comment, Punctuation };

/// Text[Begin, End).
struct Token {
  TokenKind Kind;
  size_t Begin, End;
};

/// All of Text but the spaces between. Never fails: text that is no C comes out
/// in pieces, too.
std::vector<Token> tokensOf(llvm::StringRef Text);

/// The class that a style sheet colours each token by; "" for none.
llvm::StringRef colourOf(const Token &T, llvm::StringRef Text);

/// What formatting leaves as it is: the text without spaces, comments and
/// braces, which some styles add.
struct CodeCharacters {
  std::string Text;
  std::vector<size_t> At; ///< of each character in the whole text
};
CodeCharacters codeCharacters(llvm::StringRef Text);

} // namespace raise

#endif // RAISE_LIB_REPORT_TOKENS_H
