//===- Links.cpp - which text of a file came from which -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Links.h"
#include "Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

unsigned LinkMap::intern(std::vector<unsigned> Set) {
  llvm::sort(Set);
  Set.erase(llvm::unique(Set), Set.end());
  const auto Known = llvm::find(Sets, Set);
  if (Known != Sets.end())
    return unsigned(Known - Sets.begin());
  Sets.push_back(std::move(Set));
  return unsigned(Sets.size() - 1);
}

FileLinks::FileLinks(const ReviewFile &File) : File(File) {
  number();
  if (File.Emitted)
    place();
}

void FileLinks::number() {
  std::vector<std::pair<size_t, size_t>> All;
  for (const ReviewFunction &F : File.Functions)
    for (const SourceLoc &S : F.Statements)
      if (S.End <= File.Source.size())
        All.emplace_back(S.Begin, S.End);
  // Outer ones first, so that inner ones are written over them.
  llvm::sort(All, [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first < B.first : A.second > B.second;
  });
  All.erase(llvm::unique(All), All.end());
  Source.Of.assign(File.Source.size(), 0);
  for (const auto &[Begin, End] : All) {
    Lines.push_back(
        1 + unsigned(StringRef(File.Source).take_front(Begin).count('\n')));
    Source.Sets.push_back({unsigned(Lines.size() - 1)});
    std::fill(Source.Of.begin() + Begin, Source.Of.begin() + End,
              unsigned(Source.Sets.size() - 1));
  }
}

std::vector<unsigned> FileLinks::statementsAt(const Origins &From) const {
  std::vector<unsigned> Found;
  for (const SourceLoc &L : From) {
    if (L.File != File.Path)
      continue;
    for (size_t I = L.Begin; I < std::min<size_t>(L.End, Source.Of.size()); ++I)
      if (Source.Of[I] && !isSpace(File.Source[I]) &&
          !is_contained(Found, Source.Of[I]))
        Found.push_back(Source.Of[I]);
  }
  return Found;
}

/// Characters of the whole text that begin at First of the code at At.
void FileLinks::linkText(const TracedText &Text, size_t First,
                         ArrayRef<size_t> At) {
  std::string Whole;
  std::vector<size_t> LineOf;
  for (size_t I = 0; I < Text.Lines.size(); ++I) {
    Whole += Text.Lines[I].Text + "\n";
    LineOf.resize(Whole.size(), I);
  }
  std::vector<unsigned> Set(Text.Lines.size());
  for (size_t I = 0; I < Text.Lines.size(); ++I)
    Set[I] = Emitted.intern(statementsAt(Text.Lines[I].From));
  const CodeCharacters Code = codeCharacters(Whole);
  for (size_t I = 0; I < Code.At.size(); ++I)
    Emitted.Of[At[First + I]] = Set[LineOf[Code.At[I]]];
}

void FileLinks::place() {
  Emitted.Of.assign(File.Emitted->size(), 0);
  const CodeCharacters All = codeCharacters(*File.Emitted);
  // The texts of one function stand in order, and so do those that replace
  // something; translated kernels stand where theirs stood.
  size_t From = 0;
  for (const ReviewFunction &F : File.Functions) {
    std::vector<Placed> &Of = Places.emplace_back();
    for (const TracedText &T : F.Emitted) {
      std::string Whole;
      for (const TracedLine &L : T.Lines)
        Whole += L.Text + "\n";
      const std::string Code = codeCharacters(Whole).Text;
      Placed &P = Of.emplace_back();
      const size_t At = StringRef(All.Text).find(Code, From);
      if (Code.empty() || At == StringRef::npos)
        continue;
      From = At + Code.size();
      P = {All.At[At], All.At[From - 1] + 1};
      linkText(T, At, All.At);
    }
  }
}

/// Of a function that was rewritten where it stands: what is in front of its
/// first change, and behind it up to the next function that was changed, is as
/// it was.
Placed FileLinks::inPlace(size_t Function) const {
  const ReviewFunction &F = File.Functions[Function];
  const CodeCharacters Old = codeCharacters(File.Source),
                       New = codeCharacters(*File.Emitted);
  const auto IndexIn = [](const CodeCharacters &Code, size_t Offset) {
    return size_t(llvm::lower_bound(Code.At, Offset) - Code.At.begin());
  };
  const size_t Before = IndexIn(Old, F.Emitted.front().Replaces.Begin) -
                        IndexIn(Old, F.Loc.Begin);
  const size_t First = IndexIn(New, Places[Function].front().Begin);
  size_t OldNext = Old.At.size(), NewNext = New.At.size();
  for (size_t I = Function + 1; I < File.Functions.size(); ++I)
    if (!Places[I].empty() && Places[I].front().isFound()) {
      OldNext = IndexIn(Old, File.Functions[I].Emitted.front().Replaces.Begin);
      NewNext = IndexIn(New, Places[I].front().Begin);
      break;
    }
  const size_t Behind = OldNext - IndexIn(Old, F.Loc.End);
  if (Before > First || Behind > NewNext)
    return {};
  const size_t Last = NewNext - Behind;
  if (Last == 0)
    return {};
  // The brace that ends it is no code.
  const size_t Brace = File.Emitted->find('}', New.At[Last - 1]);
  size_t End = New.At[Last - 1] + 1;
  const size_t Next =
      Last < New.At.size() ? New.At[Last] : File.Emitted->size();
  const size_t LastBrace = StringRef(*File.Emitted).take_front(Next).rfind('}');
  if (Brace != std::string::npos && LastBrace != StringRef::npos)
    End = std::max(End, LastBrace + 1);
  return {New.At[First - Before], End};
}

Placed FileLinks::emittedOf(size_t Function) const {
  if (!File.Emitted || Places[Function].empty() ||
      !llvm::all_of(Places[Function],
                    [](const Placed &P) { return P.isFound(); }))
    return {};
  if (File.Functions[Function].Emitted.front().Replaces.isValid())
    return inPlace(Function);
  Placed Whole = {Places[Function].front().Begin, Places[Function].back().End};
  // Functions of their own have their comment above them, and a brace below.
  const StringRef Text = *File.Emitted;
  size_t Line = Text.take_front(Whole.Begin).rfind('\n') + 1;
  while (Line > 0) {
    const size_t Above = Text.take_front(Line - 1).rfind('\n') + 1;
    if (!Text.slice(Above, Line).ltrim().starts_with("//"))
      break;
    Line = Above;
  }
  const size_t Brace = Text.find("\n}", Whole.End);
  if (Brace != StringRef::npos &&
      Text.slice(Whole.End, Brace).trim(" \t\n}").empty())
    Whole.End = Brace + 2;
  else if (Text.drop_front(Whole.End).ltrim().starts_with("}"))
    Whole.End = Text.find('}', Whole.End) + 1;
  return {Line, Whole.End};
}

} // namespace raise
