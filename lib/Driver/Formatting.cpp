//===- Formatting.cpp - edited lines in the style of their project --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KeepColumns.h"
#include "Rewrite.h"
#include "UsualStyle.h"
#include "raise/Driver/Diff.h"
#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace raise {

namespace {

constexpr StringRef EndMark = "// clang-raise: end";

unsigned widthOf(StringRef Text) {
  int Width = sys::unicode::columnWidthUTF8(Text);
  return Width < 0 ? Text.size() : Width;
}

/// Text with the line ends that Source has throughout.
std::string withLineEndsOf(StringRef Source, std::string Text) {
  if (!Source.contains("\r\n") ||
      Source.count('\n') != Source.count(StringRef("\r\n")))
    return Text;
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] == '\n' && (I == 0 || Text[I - 1] != '\r'))
      Out += '\r';
    Out += Text[I];
  }
  return Out;
}

/// Breaks comment lines that are longer than Limit. The formatter would join
/// what it breaks with the line below, which is another sentence.
std::string wrapComments(StringRef Text, unsigned Limit) {
  std::string Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    bool Last = Line.size() == Text.size();
    Text = Rest;
    StringRef Words = Line.ltrim();
    std::string Indent = Line.take_front(Line.size() - Words.size()).str();
    if (Limit && Words.starts_with("// ") &&
        !Words.starts_with("// clang-raise: ") &&
        Indent.size() + widthOf(Words) > Limit) {
      Words = Words.drop_front(3);
      std::string Now = Indent + "//";
      for (StringRef Word : split(Words, ' ')) {
        if (widthOf(Now) + 1 + widthOf(Word) > Limit &&
            Now.size() > Indent.size() + 2) {
          Out += Now + "\n";
          Now = Indent + "//";
        }
        Now += " " + Word.str();
      }
      Out += Now;
    } else {
      Out += Line;
    }
    if (!Last)
      Out += '\n';
  }
  return Out;
}

/// The well-formed blocks of Text; none where one is broken.
size_t countBlocks(StringRef Text) {
  Expected<std::vector<MarkedBlock>> Blocks = findBlocks(Text);
  if (Blocks)
    return Blocks->size();
  consumeError(Blocks.takeError());
  return 0;
}

/// The style that the project's .clang-format sets for the file at Path; where
/// there is none, the one that is usual in Like.
Expected<clang::format::FormatStyle> styleFor(StringRef Path, StringRef Like) {
  auto Style = clang::format::getStyle("file", Path, "LLVM", Like);
  if (!Style)
    return createStringError(inconvertibleErrorCode(),
                             "cannot use the .clang-format for '" + Path +
                                 "': " + toString(Style.takeError()));
  // A file that says anything shows in one of the two, also one that inherits.
  auto Bare = clang::format::getStyle("file", Path, "none", Like);
  if (!Bare)
    return Bare.takeError();
  if (*Style == clang::format::getLLVMStyle() &&
      *Bare == clang::format::getNoStyle())
    return usualStyle(Like);
  return Style;
}

struct EditedPart {
  std::string Formatted, Plain;
};
/// Part, which begins at From of the source, with Edits in it. The formatter
/// takes a time of lines times edits, so it gets no more text than it needs.
Expected<EditedPart> formatPart(StringRef Part, size_t From,
                                ArrayRef<Edit> Edits, StringRef Path,
                                const clang::format::FormatStyle &Style) {
  EditedPart Out;
  std::vector<clang::tooling::Range> Ours;
  std::vector<BlockColumn> Columns;
  size_t At = 0;
  for (const Edit &E : Edits) {
    Out.Plain += Part.slice(At, E.Begin - From);
    At = E.End - From;
    const std::string Text = wrapComments(E.Text, Style.ColumnLimit);
    // What shares a line with the block keeps its text: a macro may turn its
    // very spaces into a string.
    const bool OwnLine = StringRef(Text).starts_with("//");
    const size_t First = OwnLine ? 0 : Text.find('\n') + 1;
    const StringRef Before = Part.take_front(E.Begin - From);
    const StringRef Line = Before.drop_front(Before.rfind('\n') + 1);
    if (OwnLine && Line.trim(' ').empty())
      Columns.push_back({Text.substr(0, Text.find('\n')), Line.size()});
    const size_t Last = StringRef(Text).rfind(EndMark) + EndMark.size();
    Ours.emplace_back(Out.Plain.size() + First, Last - First);
    Out.Plain += Text;
  }
  Out.Plain += Part.drop_front(At);
  // The formatter goes on to what hangs together with these lines.
  clang::tooling::Replacements Inside;
  for (const auto &R : clang::format::reformat(Style, Out.Plain, Ours, Path))
    if (any_of(Ours, [&](const clang::tooling::Range &O) {
          return R.getOffset() + R.getLength() >= O.getOffset() &&
                 R.getOffset() < O.getOffset() + O.getLength();
        }))
      if (Error Conflict = Inside.add(R))
        return std::move(Conflict);
  auto Formatted = clang::tooling::applyAllReplacements(Out.Plain, Inside);
  if (!Formatted)
    return Formatted.takeError();
  Out.Formatted = withBlocksAt(std::move(*Formatted), Columns);
  return std::move(Out);
}

} // namespace

Expected<std::string> applyEdits(StringRef Source, ArrayRef<Edit> Edits,
                                 StringRef Path) {
  if (Edits.empty())
    return Source.str();
  auto Style = styleFor(Path, Source);
  if (!Style)
    return Style.takeError();
  // Emitted comments are broken already; a long one of the author's above a
  // block would flow into the block's marker.
  Style->ReflowComments = false;
  // A style that looks at the whole file for what is usual there needs it.
  bool Whole = Style->DerivePointerAlignment;
  std::string Formatted, Plain;
  size_t Done = 0;
  for (size_t I = 0; I < Edits.size();) {
    size_t From = Whole ? 0 : Edits[I].From,
           To = Whole ? UINT_MAX : Edits[I].To;
    size_t End = I + 1;
    while (End < Edits.size() && (Whole || Edits[End].From < To))
      To = std::max<size_t>(To, Edits[End++].To);
    StringRef Part = Source.slice(From, To);
    auto Text = formatPart(Part, From, Edits.slice(I, End - I), Path, *Style);
    if (!Text)
      return Text.takeError();
    for (auto [Into, New] : {std::make_pair(&Formatted, &Text->Formatted),
                             std::make_pair(&Plain, &Text->Plain)})
      *Into += (Source.slice(Done, From) + *New).str();
    Done = From + Part.size();
    I = End;
  }
  for (std::string *Text : {&Formatted, &Plain}) {
    *Text += Source.drop_front(Done);
    sealBlocks(*Text);
  }
  // A style with very short lines may break a marker: then as emitted.
  bool Broken = countBlocks(Formatted) != countBlocks(Source) + Edits.size();
  return withLineEndsOf(Source, std::move(Broken ? Plain : Formatted));
}

Expected<std::string> formatChanged(StringRef Old, StringRef New,
                                    StringRef Source, StringRef Path) {
  auto Style = styleFor(Path, Source);
  if (!Style)
    return Style.takeError();
  // The order of includes has a meaning that formatting may not change.
  Style->SortIncludes = clang::format::FormatStyle::SI_Never;
  // Emitted comments are broken below; the author's beside them stay.
  Style->ReflowComments = false;
  std::string Text;
  std::vector<clang::tooling::Range> Changed;
  size_t At = 0;
  for (auto [Begin, End] : changedRanges(Old, New)) {
    Text += New.slice(At, Begin);
    std::string Lines = wrapComments(New.slice(Begin, End), Style->ColumnLimit);
    Changed.emplace_back(Text.size(), Lines.size());
    Text += Lines;
    At = End;
  }
  Text += New.drop_front(At);
  auto Edits = clang::format::reformat(*Style, Text, Changed, Path);
  auto Formatted = clang::tooling::applyAllReplacements(Text, Edits);
  if (!Formatted)
    return Formatted.takeError();
  return withLineEndsOf(Old, std::move(*Formatted));
}

} // namespace raise
