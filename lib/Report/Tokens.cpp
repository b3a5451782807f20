//===- Tokens.cpp - C and C++ text in pieces ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace raise {

static bool isWord(char C) { return isAlnum(C) || C == '_' || C < 0; }

/// Where the quoted text ends that begins at At.
static size_t endOfQuoted(StringRef Text, size_t At) {
  const char Quote = Text[At];
  for (size_t I = At + 1; I < Text.size(); ++I) {
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Quote)
      return I + 1;
    else if (Text[I] == '\n')
      return I;
  }
  return Text.size();
}

/// Of R"mark(...)mark", at the quote.
static size_t endOfRaw(StringRef Text, size_t At) {
  const size_t Open = Text.find('(', At);
  if (Open == StringRef::npos)
    return Text.size();
  const std::string Close = ")" + Text.slice(At + 1, Open).str() + "\"";
  const size_t End = Text.find(Close, Open);
  return End == StringRef::npos ? Text.size() : End + Close.size();
}

static Token tokenAt(StringRef Text, size_t At) {
  const StringRef Rest = Text.drop_front(At);
  const auto Until = [&](TokenKind Kind, size_t End) {
    return Token{Kind, At, std::min(End, Text.size())};
  };
  if (Rest.starts_with("//"))
    return Until(TokenKind::Comment, Text.find('\n', At));
  if (Rest.starts_with("/*")) {
    const size_t End = Text.find("*/", At + 2);
    return Until(TokenKind::Comment,
                 End == StringRef::npos ? Text.size() : End + 2);
  }
  const char C = Rest.front();
  if (C == '"' || C == '\'')
    return Until(TokenKind::String, endOfQuoted(Text, At));
  if (isDigit(C) || (C == '.' && Rest.size() > 1 && isDigit(Rest[1]))) {
    size_t End = At + 1;
    while (End < Text.size() &&
           (isWord(Text[End]) || Text[End] == '.' ||
            (Text[End] == '\'' && End + 1 < Text.size() &&
             isAlnum(Text[End + 1])) ||
            ((Text[End] == '+' || Text[End] == '-') &&
             is_contained(StringRef("eEpP"), Text[End - 1]))))
      ++End;
    return Until(TokenKind::Number, End);
  }
  if (isWord(C)) {
    size_t End = At + 1;
    while (End < Text.size() && isWord(Text[End]))
      ++End;
    if (End < Text.size() && Text[End] == '"' && Text[End - 1] == 'R' &&
        End - At <= 3)
      return Until(TokenKind::String, endOfRaw(Text, End));
    return Until(TokenKind::Word, End);
  }
  return Until(TokenKind::Punctuation, At + 1);
}

std::vector<Token> tokensOf(StringRef Text) {
  std::vector<Token> All;
  for (size_t At = 0; At < Text.size();) {
    const bool Continues =
        Text[At] == '\\' &&
        Text.drop_front(At + 1).ltrim("\r").starts_with("\n");
    if (isSpace(Text[At]) || Continues) {
      ++At;
      continue;
    }
    All.push_back(tokenAt(Text, At));
    At = std::max(All.back().End, At + 1);
  }
  return All;
}

StringRef colourOf(const Token &T, StringRef Text) {
  static const StringSet<> Keywords = {
      "alignas",    "auto",         "break",       "case",
      "catch",      "class",        "const",       "constexpr",
      "continue",   "default",      "delete",      "do",
      "else",       "enum",         "explicit",    "extern",
      "false",      "for",          "friend",      "goto",
      "if",         "inline",       "namespace",   "new",
      "noexcept",   "nullptr",      "operator",    "private",
      "protected",  "public",       "return",      "sizeof",
      "static",     "struct",       "switch",      "template",
      "this",       "throw",        "true",        "try",
      "typedef",    "typename",     "union",       "using",
      "virtual",    "volatile",     "while",       "restrict",
      "__restrict", "__restrict__", "static_cast", "reinterpret_cast",
      "const_cast", "__global__",   "__device__",  "__shared__",
      "__host__"};
  static const StringSet<> Types = {
      "bool",     "char",     "double",   "float",   "int",     "long",
      "short",    "signed",   "unsigned", "void",    "size_t",  "ptrdiff_t",
      "int8_t",   "int16_t",  "int32_t",  "int64_t", "uint8_t", "uint16_t",
      "uint32_t", "uint64_t", "dim3",     "wchar_t"};
  const StringRef Word = Text.slice(T.Begin, T.End);
  switch (T.Kind) {
  case TokenKind::Comment:
    return "tc";
  case TokenKind::String:
    return "ts";
  case TokenKind::Number:
    return "tn";
  case TokenKind::Punctuation:
    return "";
  case TokenKind::Word:
    break;
  }
  const StringRef Line = Text.take_front(T.Begin).drop_front(
      Text.take_front(T.Begin).rfind('\n') + 1);
  if (Line.ltrim().starts_with("#"))
    return "tp";
  if (Keywords.contains(Word))
    return "tk";
  if (Types.contains(Word))
    return "tt";
  return Text.drop_front(T.End).ltrim().starts_with("(") ? "tf" : "";
}

CodeCharacters codeCharacters(StringRef Text) {
  CodeCharacters Code;
  for (const Token &T : tokensOf(Text)) {
    if (T.Kind == TokenKind::Comment)
      continue;
    for (size_t I = T.Begin; I < T.End; ++I) {
      if (T.Kind == TokenKind::Punctuation &&
          (Text[I] == '{' || Text[I] == '}'))
        continue;
      Code.Text += Text[I];
      Code.At.push_back(I);
    }
  }
  return Code;
}

} // namespace raise
