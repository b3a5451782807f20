//===- Blocks.cpp - marked blocks in a source -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Blocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace raise {

namespace {

constexpr StringRef Marker = "// clang-raise: ";
/// Stands for the hash until the text is formatted.
constexpr StringRef OpenSeal = "????????????????";

/// Hash of what formatting keeps: white space is dropped, and a comment is the
/// same however it is broken into lines.
std::string hashOf(StringRef Body) {
  std::string Dense;
  bool InComment = false;
  while (!Body.empty()) {
    auto [Line, Rest] = Body.split('\n');
    Body = Rest;
    Line = Line.trim();
    bool IsComment = Line.consume_front("//");
    if (IsComment && !InComment)
      Dense += "//";
    else if (!IsComment && InComment)
      Dense += '\n';
    InComment = IsComment;
    for (char C : Line)
      if (!isSpace(C))
        Dense += C;
  }
  return utohexstr(xxh3_64bits(Dense), /*LowerCase=*/true, /*Width=*/16);
}

Error bad(unsigned Line, const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Twine(Line) + ": " + Text);
}

bool isHash(StringRef Text) {
  return Text.size() == 16 && all_of(Text, isHexDigit);
}

} // namespace

Expected<std::vector<MarkedBlock>> findBlocks(StringRef Text) {
  std::vector<MarkedBlock> Blocks;
  bool Open = false;
  StringRef Hash;
  size_t BodyBegin = 0;
  unsigned LineNumber = 0;
  for (size_t At = 0; At < Text.size();) {
    ++LineNumber;
    size_t Next = std::min(Text.find('\n', At), Text.size() - 1) + 1;
    StringRef Line = Text.slice(At, Next);
    size_t Indent = Line.find_first_not_of(" \t");
    StringRef Rest = Line.trim();
    size_t Start = At + (Indent == StringRef::npos ? 0 : Indent);
    size_t LineBegin = At;
    At = Next;
    if (!Rest.consume_front(Marker))
      continue;
    if (Rest == "end") {
      if (!Open)
        continue;
      MarkedBlock &B = Blocks.back();
      StringRef Body = Text.slice(BodyBegin, LineBegin);
      B.End = Start + Marker.size() + Rest.size();
      B.Edited = hashOf(Body) != Hash;
      B.FirstLine = Body.trim().split('\n').first.ltrim("/ ").trim().str();
      Open = false;
      continue;
    }
    auto [Id, HashText] = Rest.split(' ');
    // What only looks like a marker is a comment like any other.
    if (Id.empty() || !isHash(HashText))
      continue;
    if (Open)
      return bad(LineNumber, "the block above has no '// clang-raise: end'");
    MarkedBlock B;
    B.Id = Id.str();
    B.Line = LineNumber;
    B.Column = Start - LineBegin + 1;
    B.Begin = Start;
    Blocks.push_back(std::move(B));
    Hash = HashText;
    BodyBegin = Next;
    Open = true;
  }
  if (Open)
    return bad(Blocks.back().Line, "no '// clang-raise: end' follows");
  return Blocks;
}

std::vector<std::pair<size_t, size_t>> rangesOf(ArrayRef<MarkedBlock> Blocks) {
  std::vector<std::pair<size_t, size_t>> Ranges;
  Ranges.reserve(Blocks.size());
  for (const MarkedBlock &B : Blocks)
    Ranges.emplace_back(B.Begin, B.End);
  return Ranges;
}

const MarkedBlock *blockAround(ArrayRef<MarkedBlock> Blocks, size_t Begin,
                               size_t End) {
  for (const MarkedBlock &B : Blocks)
    if (B.Begin <= Begin && End <= B.End)
      return &B;
  return nullptr;
}

/// Whether the seal at Seal ends a first marker, and is no text of the user's.
static bool isOpenSeal(StringRef Text, size_t Seal) {
  StringRef Line = Text.take_front(Seal);
  Line = Line.drop_front(Line.rfind('\n') + 1).ltrim(" \t");
  StringRef After = Text.drop_front(Seal + OpenSeal.size());
  return Line.consume_front(Marker) && !Line.trim().contains(' ') &&
         After.split('\n').first.trim().empty();
}

void sealBlocks(std::string &Text) {
  size_t At = 0;
  while (true) {
    // Only blocks with the open seal are ours to close.
    size_t Seal = Text.find(OpenSeal, At);
    if (Seal == std::string::npos)
      return;
    if (!isOpenSeal(Text, Seal)) {
      At = Seal + 1;
      continue;
    }
    size_t Begin = Text.find('\n', Seal);
    size_t End = Begin == std::string::npos
                     ? Begin
                     : Text.find((Marker + "end").str(), Begin);
    if (End == std::string::npos)
      return;
    End = Text.rfind('\n', End) + 1;
    StringRef Body = StringRef(Text).slice(Begin + 1, End);
    Text.replace(Seal, OpenSeal.size(), hashOf(Body));
    At = End;
  }
}

std::string openBlock(StringRef Id, StringRef Body) {
  StringRef Indent = Body.take_while([](char C) { return C == ' '; });
  return (Marker + Id + " " + OpenSeal + "\n" + Body.rtrim() + "\n" + Indent +
          Marker + "end")
      .str();
}

std::string markBlock(StringRef Id, StringRef Body) {
  return (Marker + Id + " " + hashOf(Body) + "\n" + Body.rtrim() + "\n" +
          Marker + "end")
      .str();
}

} // namespace raise
