//===- Comments.cpp - the comments of a piece of source -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Comments.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

struct Piece {
  size_t Begin = 0, End = 0;
  bool IsComment = false;
};

/// The tokens of Text, comments among them.
std::vector<Piece> tokensOf(const std::string &Text,
                            const clang::LangOptions &Lang) {
  std::vector<Piece> Found;
  clang::Lexer L(clang::SourceLocation(), Lang, Text.data(), Text.data(),
                 Text.data() + Text.size());
  L.SetCommentRetentionState(true);
  clang::Token T;
  for (bool AtEnd = false; !AtEnd;) {
    AtEnd = L.LexFromRawLexer(T);
    if (T.is(clang::tok::eof))
      break;
    size_t End = size_t(L.getBufferLocation() - Text.data());
    Found.push_back({End - T.getLength(), End, T.is(clang::tok::comment)});
  }
  return Found;
}

/// A line that is safe behind `//`: neither continued on the next line, also
/// where it is broken after any word, nor taken for a marker of a block.
std::string harmless(StringRef Line) {
  std::string Out;
  for (size_t I = 0; I < Line.size(); ++I) {
    Out += Line[I];
    bool EndsWord = I + 1 == Line.size() || isSpace(Line[I + 1]);
    if (EndsWord && (Line[I] == '\\' || StringRef(Out).ends_with("?"
                                                                 "?/")))
      Out += '.';
  }
  return StringRef(Out).ltrim().starts_with("clang-raise:") ? "comment: " + Out
                                                            : Out;
}

/// The text of a comment, a line for each of its lines.
std::string textOf(StringRef Comment) {
  bool IsBlock = Comment.consume_front("/*");
  if (IsBlock)
    Comment.consume_back("*/");
  std::string Text;
  while (!Comment.empty()) {
    auto [Line, Rest] = Comment.split('\n');
    Comment = Rest;
    Line = Line.rtrim();
    StringRef Bare = Line.ltrim();
    if (!IsBlock && Bare.consume_front("//"))
      Line = Bare.ltrim('/');
    else if (IsBlock && Bare.consume_front("*"))
      Line = Bare.ltrim('*');
    Line.consume_front(" ");
    if (!Line.trim().empty())
      Text += (Text.empty() ? "" : "\n") + harmless(Line);
  }
  return Text;
}

} // namespace

std::vector<SourceComment> commentsIn(StringRef Source, unsigned Begin,
                                      unsigned End,
                                      const clang::LangOptions &Lang) {
  const std::string Text = Source.slice(Begin, End).str();
  std::vector<Piece> Tokens = tokensOf(Text, Lang);
  std::vector<SourceComment> Found;
  const Piece *FirstOfLine = nullptr;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    const Piece &Now = Tokens[I];
    if (I == 0 ||
        StringRef(Text).slice(Tokens[I - 1].Begin, Now.Begin).contains('\n'))
      FirstOfLine = nullptr;
    if (!Now.IsComment) {
      if (!FirstOfLine)
        FirstOfLine = &Now;
      continue;
    }
    const Piece *About = FirstOfLine;
    for (size_t J = I + 1; !About && J < Tokens.size(); ++J)
      if (!Tokens[J].IsComment)
        About = &Tokens[J];
    SourceComment C;
    C.Text = textOf(StringRef(Text).slice(Now.Begin, Now.End));
    C.Statement = Begin + unsigned(About ? About->Begin : 0);
    StringRef Switch = StringRef(C.Text).trim();
    if (!Switch.empty() && Switch != "clang-format off" &&
        Switch != "clang-format on")
      Found.push_back(std::move(C));
  }
  return Found;
}

} // namespace raise
