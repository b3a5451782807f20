//===- KeepColumns.cpp - blocks where their statements stood --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KeepColumns.h"

using namespace llvm;

namespace raise {

static constexpr StringRef EndMark = "// clang-raise: end";

/// The first lines of Text that are one for the preprocessor.
static StringRef logicalLine(StringRef Text) {
  size_t End = Text.find('\n');
  while (End != StringRef::npos && Text.take_front(End).ends_with("\\"))
    End = Text.find('\n', End + 1);
  return End == StringRef::npos ? Text : Text.take_front(End + 1);
}

/// Line, which may end with a newline, By columns further right.
static std::string moved(StringRef Line, long By) {
  const size_t Indent = Line.find_first_not_of(' ');
  const bool Empty =
      Indent == StringRef::npos || Line[Indent] == '\n' || Line[Indent] == '\r';
  if (Empty || Line[Indent] == '#')
    return Line.str();
  const long To = std::max<long>(0, long(Indent) + By);
  return std::string(size_t(To), ' ') + Line.drop_front(Indent).str();
}

std::string withBlocksAt(std::string Text, ArrayRef<BlockColumn> Blocks) {
  std::string Out;
  StringRef Rest = Text;
  for (const BlockColumn &B : Blocks) {
    const size_t At = Rest.find(B.Mark);
    if (At == StringRef::npos)
      continue;
    const size_t Start = Rest.rfind('\n', At) + 1; // npos + 1 is 0
    const size_t Last = Rest.find(EndMark, At + B.Mark.size());
    if (Last == StringRef::npos || !Rest.slice(Start, At).trim(' ').empty())
      continue;
    const size_t End = std::min(Rest.size(), Rest.find('\n', Last));
    std::vector<StringRef> Lines;
    for (StringRef Block = Rest.slice(Start, End); !Block.empty();
         Block = Block.drop_front(Lines.back().size()))
      Lines.push_back(logicalLine(Block));
    // The author's own lines may go on inside of a string.
    const bool Fixed = any_of(Lines, [](StringRef Line) {
      return Line.contains("R\"") ||
             (Line.contains("\\\n") && !Line.ltrim(' ').starts_with("#"));
    });
    const long By = Fixed ? 0 : long(B.Column) - long(At - Start);
    Out += Rest.take_front(Start);
    for (StringRef Line : Lines)
      Out += moved(Line, By);
    Rest = Rest.drop_front(End);
  }
  return Out + Rest.str();
}

} // namespace raise
