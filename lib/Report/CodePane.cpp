//===- CodePane.cpp - code on a page --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodePane.h"
#include "Html.h"
#include "Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

class Pane {
public:
  explicit Pane(const PaneContent &C) : C(C) {
    Begin = C.Text.take_front(C.Begin).rfind('\n') + 1;
    End = C.Text.find('\n', C.End ? C.End - 1 : 0);
    End = std::min(End, C.Text.size());
    Colours.assign(C.Text.size(), StringRef());
    for (const Token &T : tokensOf(C.Text))
      if (T.End > Begin && T.Begin < End)
        std::fill(Colours.begin() + T.Begin, Colours.begin() + T.End,
                  colourOf(T, C.Text));
    link();
  }

  std::string run() {
    unsigned Number = 1 + unsigned(C.Text.take_front(Begin).count('\n'));
    for (size_t At = Begin; At <= End;) {
      const size_t Stop = std::min(C.Text.find('\n', At), End);
      line(At, Stop, Number++);
      At = Stop + 1;
    }
    return std::move(Out);
  }

private:
  /// The set of each character; what stands between two of one set is of it.
  void link() {
    Set.assign(C.Text.size(), 0);
    if (!C.Links || C.Links->Of.empty())
      return;
    for (size_t I = Begin; I < End; ++I)
      if (!isSpace(C.Text[I]))
        Set[I] = hasPartner(C.Links->Of[I]) ? C.Links->Of[I] : 0;
    for (size_t I = Begin; I < End;) {
      size_t Next = I + 1;
      while (Next < End && C.Text[Next] != '\n' && !Set[Next])
        ++Next;
      const bool Joins = Set[I] && Next < End && Set[Next] == Set[I];
      for (size_t K = I + 1; Joins && K < Next; ++K)
        Set[K] = Set[I];
      I = Next;
    }
  }

  bool hasPartner(unsigned Of) const {
    return any_of(C.Links->Sets[Of],
                  [&](unsigned S) { return (*C.HasPartner)[S]; });
  }

  void line(size_t From, size_t To, unsigned Number) {
    const bool Marked = is_contained(C.Marked, Number);
    Out += std::string("<div class=\"line") + (Marked ? " marked" : "") +
           "\"><span class=\"no\">" + std::to_string(Number) + "</span>";
    if (C.LinesOf)
      Out += "<span class=\"from\">" + sourceLines(From, To) + "</span>";
    Out += "<code>";
    for (size_t At = From; At < To;) {
      size_t Next = At;
      while (Next < To && Set[Next] == Set[At])
        ++Next;
      if (Set[At])
        Out += "<span class=\"l\" data-l=\"" + join(C.Links->Sets[Set[At]]) +
               "\">";
      coloured(At, Next);
      if (Set[At])
        Out += "</span>";
      At = Next;
    }
    Out += From == To ? " </code></div>\n" : "</code></div>\n";
  }

  static std::string join(ArrayRef<unsigned> Numbers) {
    std::string Text;
    for (unsigned N : Numbers)
      Text += (Text.empty() ? "" : " ") + std::to_string(N);
    return Text;
  }

  std::string sourceLines(size_t From, size_t To) const {
    std::vector<unsigned> Found;
    for (size_t I = From; I < To; ++I)
      for (unsigned S :
           Set[I] ? C.Links->Sets[Set[I]] : std::vector<unsigned>())
        if (!is_contained(Found, (*C.LinesOf)[S]))
          Found.push_back((*C.LinesOf)[S]);
    llvm::sort(Found);
    if (Found.size() > 3)
      return std::to_string(Found.front()) + "…" + std::to_string(Found.back());
    std::string Text;
    for (unsigned N : Found)
      Text += (Text.empty() ? "" : ",") + std::to_string(N);
    return Text;
  }

  void coloured(size_t From, size_t To) {
    for (size_t At = From; At < To;) {
      size_t Next = At;
      while (Next < To && Colours[Next] == Colours[At])
        ++Next;
      const std::string Text = html::escape(C.Text.slice(At, Next));
      Out += Colours[At].empty()
                 ? Text
                 : ("<span class=\"" + Colours[At] + "\">" + Text + "</span>")
                       .str();
      At = Next;
    }
  }

  const PaneContent &C;
  size_t Begin, End;
  std::vector<StringRef> Colours;
  std::vector<unsigned> Set;
  std::string Out;
};

} // namespace

std::string codePane(const PaneContent &Content) { return Pane(Content).run(); }

} // namespace raise
