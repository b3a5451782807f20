//===- UsualStyle.cpp - the style a file is written in --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UsualStyle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace llvm;
using clang::format::FormatStyle;

namespace raise {

namespace {

/// Columns of a tab where lines are counted; what an author sets is not known.
constexpr unsigned TabColumns = 4;

/// What the lines of a file speak for.
struct Votes {
  std::array<unsigned, 9> Indent{};   ///< blocks indented by so many spaces
  unsigned Tabs = 0;                  ///< blocks indented by a tab
  unsigned OwnLine = 0, SameLine = 0; ///< opening braces
  unsigned StarAtType = 0, StarAtName = 0; ///< `T* x`, `T *x`
};

StringRef indentOf(StringRef Line) {
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; });
}

/// Line without a comment behind its code.
StringRef codeOf(StringRef Line) { return Line.split("//").first.trim(); }

bool isTypeName(StringRef Word) {
  static constexpr StringLiteral Names[] = {
      "void", "char",     "short",  "int",  "long", "float",
      "bool", "unsigned", "double", "auto", "half", "signed"};
  return is_contained(Names, Word) || Word.ends_with("_t");
}

/// `float* x` and `float *x` in Line. Only what is a type for certain counts: a
/// product looks the same.
void countStars(StringRef Line, Votes &V) {
  for (size_t At = Line.find('*'); At != StringRef::npos;
       At = Line.find('*', At + 1)) {
    const StringRef Before = Line.take_front(At);
    const StringRef Type = Before.rtrim();
    const StringRef Word = Type.take_back(
        Type.size() -
        std::min(Type.size(), Type.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                    "0123456789_") +
                                  1));
    const StringRef After = Line.drop_front(At + 1);
    if (!isTypeName(Word) || After.empty())
      continue;
    const bool Apart = Before.size() != Type.size();
    V.StarAtType += !Apart && After[0] == ' ' && After.size() > 1 &&
                    (isAlpha(After[1]) || After[1] == '_');
    V.StarAtName += Apart && (isAlpha(After[0]) || After[0] == '_');
  }
}

/// A block that Opened ends with and Line is the first of.
void countIndent(StringRef Opened, StringRef Line, Votes &V) {
  const StringRef Outer = indentOf(Opened), Inner = indentOf(Line);
  if (!Inner.starts_with(Outer))
    return;
  const StringRef By = Inner.drop_front(Outer.size());
  if (By == "\t")
    ++V.Tabs;
  else if (!By.empty() && By.size() < V.Indent.size() && !By.contains('\t'))
    ++V.Indent[By.size()];
}

Votes count(StringRef Code) {
  Votes V;
  StringRef Last; // line with code
  while (!Code.empty()) {
    const StringRef Line = Code.split('\n').first.rtrim();
    Code = Code.split('\n').second;
    const StringRef Text = codeOf(Line);
    if (Text.empty() || Text.starts_with("#") || Text.starts_with("*") ||
        Text.starts_with("/*"))
      continue;
    countStars(Text, V);
    if (codeOf(Last).ends_with("{"))
      countIndent(Last, Line, V);
    // A brace that is indented itself (GNU's style) speaks for neither.
    if (Text == "{")
      V.OwnLine += !Last.empty() && indentOf(Line) == indentOf(Last);
    else
      V.SameLine += Text.ends_with("{");
    Last = Line;
  }
  return V;
}

} // namespace

FormatStyle usualStyle(StringRef Code) {
  FormatStyle Style = clang::format::getLLVMStyle();
  const Votes V = count(Code);
  const auto Most = llvm::max_element(V.Indent);
  if (V.Tabs > *Most) {
    Style.UseTab = FormatStyle::UT_ForContinuationAndIndentation;
    Style.IndentWidth = Style.TabWidth = TabColumns;
  } else if (*Most > 0) {
    Style.IndentWidth = unsigned(Most - V.Indent.begin());
  }
  if (V.StarAtType > V.StarAtName)
    Style.PointerAlignment = FormatStyle::PAS_Left;
  if (V.OwnLine > V.SameLine)
    Style.BreakBeforeBraces = FormatStyle::BS_Allman;
  return Style;
}

} // namespace raise
