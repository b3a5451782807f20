//===- MacroLaunches.cpp - launches in macros' bodies ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MacroLaunches.h"
#include "clang/Lex/Lexer.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace raise {

static constexpr StringRef VariableArguments = "__VA_ARGS__";

/// Reads the tokens of a definition from Open on; false if the launch does not
/// end in it.
bool MacroLaunches::read(clang::SourceLocation Open, Launch &L) const {
  const auto [File, Offset] = SM.getDecomposedLoc(Open);
  const StringRef Text = SM.getBufferData(File);
  Lexer Lex(SM.getLocForStartOfFile(File), LO, Text.begin(),
            Text.begin() + Offset, Text.end());
  L.File = File;
  L.Open = Offset;
  Token T;
  Lex.LexFromRawLexer(T);
  if (T.isNot(tok::lesslessless))
    return false;
  unsigned Depth = 0, Begin = 0, Last = 0;
  const auto Next = [&] {
    Last = SM.getFileOffset(T.getLocation()) + T.getLength();
    Lex.LexFromRawLexer(T);
    return T.isNot(tok::eof) && !T.isAtStartOfLine();
  };
  const auto At = [&] { return SM.getFileOffset(T.getLocation()); };
  if (!Next())
    return false;
  for (Begin = At();;) {
    if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
      if (Depth-- == 0)
        return false;
    } else if (Depth == 0 &&
               T.isOneOf(tok::comma, tok::greatergreatergreater)) {
      L.Config.emplace_back(Begin, Last);
      if (T.is(tok::greatergreatergreater))
        break;
      if (!Next())
        return false;
      Begin = At();
      continue;
    }
    if (!Next())
      return false;
  }
  if (!Next() || T.isNot(tok::l_paren))
    return false;
  L.Paren = At();
  for (Depth = 0;;) {
    if (T.is(tok::l_paren))
      ++Depth;
    else if (T.is(tok::r_paren) && --Depth == 0)
      break;
    if (!Next())
      return false;
  }
  L.End = At() + 1;
  L.Arguments = Text.slice(L.Paren + 1, L.End - 1).trim(" \t\r\n\\").str();
  return true;
}

/// Where Begin, which may be a parameter of the macro, stands in the definition
/// that L is in.
std::optional<unsigned>
MacroLaunches::beginIn(const Launch &L, clang::SourceLocation Begin) const {
  while (Begin.isMacroID() && SM.isMacroArgExpansion(Begin))
    Begin = SM.getImmediateExpansionRange(Begin).getBegin();
  const auto [File, Offset] = SM.getDecomposedSpellingLoc(Begin);
  if (File != L.File || Offset >= L.Open)
    return std::nullopt;
  // In this definition: no line ends between, but behind a backslash.
  StringRef Between = SM.getBufferData(File).slice(Offset, L.Open);
  while (!Between.empty()) {
    const auto [Line, Rest] = Between.split('\n');
    if (Line.size() != Between.size() && !Line.rtrim(" \t\r").ends_with("\\"))
      return std::nullopt;
    Between = Rest;
  }
  return Offset;
}

bool MacroLaunches::note(const CUDAKernelCallExpr &Call) {
  const clang::SourceLocation From = Call.getConfig()->getBeginLoc();
  if (!From.isMacroID() || SM.isMacroArgExpansion(From))
    return false;
  const clang::SourceLocation Open = SM.getSpellingLoc(From);
  const auto File = Edits.file(SM.getFileID(Open));
  Launch L;
  std::optional<unsigned> Begin;
  if (!File || !read(Open, L) || L.Config.size() < 2 || L.Config.size() > 4 ||
      !(Begin = beginIn(L, Call.getBeginLoc()))) {
    Edits.error("CR1503",
                "a part of the launch stands in the body of a macro, and the "
                "rest does not; write all of it there, or none",
                Call.getBeginLoc());
    return true;
  }
  if (Call.getNumArgs() == 0 && !L.Arguments.empty() &&
      L.Arguments != VariableArguments) {
    Edits.error("CR1503",
                "the arguments of the launch come from a macro's parameter, "
                "which is empty here; write the launch out",
                Call.getBeginLoc());
    return true;
  }
  L.Begin = *Begin;
  L.SomeEmpty = Call.getNumArgs() == 0;
  const auto [It, New] = Found.try_emplace(Open, L);
  It->second.SomeEmpty |= L.SomeEmpty;
  return true;
}

void MacroLaunches::write() const {
  for (const auto &Each : Found) {
    const Launch &L = Each.second;
    const unsigned File = Edits.textOf(L.File).first;
    const StringRef Text = SM.getBufferData(L.File);
    const auto Spelled = [&](size_t I) {
      return I < L.Config.size()
                 ? Text.slice(L.Config[I].first, L.Config[I].second).str()
                 : std::string("0");
    };
    const std::string Bytes = Spelled(2), Stream = Spelled(3);
    // One expression, whatever statement it stands in.
    if (Bytes != "0" || Stream != "0")
      Edits.wrap(
          File + L.Begin, File + L.End,
          ("(raise::configure(" + Twine(Bytes) + ", " + Stream + "), ").str(),
          ")");
    Edits.replace(File + L.Open, File + L.Open + 3, "(");
    // Without arguments, there is no comma.
    Edits.replace(File + L.Config[1].second, File + L.Paren + 1,
                  L.Arguments.empty() ? ""
                  : L.SomeEmpty && L.Arguments == VariableArguments
                      ? " __VA_OPT__(, ) "
                      : ", ");
  }
}

} // namespace raise
