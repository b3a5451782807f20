//===- Html.cpp - text for a page -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Html.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace raise::html {

/// How many bytes the character that Text begins with takes; 0 where it is
/// none.
static unsigned lengthOfCharacter(StringRef Text) {
  const auto *Begin = reinterpret_cast<const UTF8 *>(Text.bytes_begin());
  const unsigned Length = getNumBytesForUTF8(*Begin);
  if (Length > Text.size() || !isLegalUTF8Sequence(Begin, Begin + Length))
    return 0;
  return Length;
}

std::string escape(StringRef Text) {
  std::string Out;
  Out.reserve(Text.size() + Text.size() / 8);
  while (!Text.empty()) {
    const unsigned Length = lengthOfCharacter(Text);
    const char C = Text.front();
    const bool IsControl =
        (C >= 0 && C < ' ' && C != '\n' && C != '\t') || C == '\x7f';
    if (!Length || IsControl)
      Out += "\xEF\xBF\xBD";
    else if (C == '&')
      Out += "&amp;";
    else if (C == '<')
      Out += "&lt;";
    else if (C == '>')
      Out += "&gt;";
    else if (C == '"')
      Out += "&quot;";
    else if (C == '\'')
      Out += "&#39;";
    else
      Out += Text.take_front(Length);
    Text = Text.drop_front(Length ? Length : 1);
  }
  return Out;
}

/// What stands between `marks`, **marks** and in [links](...).
static std::string inlineMarkdown(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    const size_t At = Text.find_first_of("`*[");
    Out += escape(Text.take_front(At));
    if (At == StringRef::npos)
      break;
    Text = Text.drop_front(At);
    const bool Strong = Text.starts_with("**");
    const StringRef Mark = Strong                ? "**"
                           : Text.front() == '`' ? "`"
                           : Text.front() == '[' ? "]("
                                                 : "";
    const size_t From = Strong ? 2 : 1;
    const size_t End = Mark.empty() ? StringRef::npos : Text.find(Mark, From);
    if (End == StringRef::npos) {
      Out += escape(Text.take_front(1));
      Text = Text.drop_front(1);
      continue;
    }
    const StringRef Inside = Text.slice(From, End);
    if (Strong)
      Out += "<strong>" + inlineMarkdown(Inside) + "</strong>";
    else if (Mark == "`")
      Out += "<code>" + escape(Inside) + "</code>";
    else
      Out += inlineMarkdown(Inside);
    Text = Text.drop_front(End + Mark.size());
    if (Mark == "](")
      Text = Text.split(')').second;
  }
  return Out;
}

std::string fromMarkdown(StringRef Text) {
  std::string Out, Paragraph;
  bool InCode = false, InList = false;
  const auto Finish = [&] {
    if (!Paragraph.empty())
      Out += (InList ? "<li>" : "<p>") + inlineMarkdown(Paragraph) +
             (InList ? "</li>\n" : "</p>\n");
    Paragraph.clear();
  };
  const auto EndList = [&] {
    Finish();
    if (InList)
      Out += "</ul>\n";
    InList = false;
  };
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (Line.starts_with("```")) {
      EndList();
      Out += InCode ? "</pre>\n" : "<pre class=\"sample\">";
      InCode = !InCode;
    } else if (InCode) {
      Out += escape(Line) + "\n";
    } else if (Line.starts_with("# ")) {
      EndList();
      Out += "<h2>" + inlineMarkdown(Line.drop_front(2)) + "</h2>\n";
    } else if (Line.starts_with("- ")) {
      if (InList)
        Finish();
      else {
        EndList();
        Out += "<ul>\n";
      }
      InList = true;
      Paragraph = Line.drop_front(2).str();
    } else if (Line.trim().empty()) {
      EndList();
    } else {
      Paragraph += (Paragraph.empty() ? "" : " ") + Line.trim().str();
    }
  }
  EndList();
  if (InCode)
    Out += "</pre>\n";
  return Out;
}

} // namespace raise::html
