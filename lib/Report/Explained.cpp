//===- Explained.cpp - a function with what is said of it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Explained.h"
#include "Tokens.h"
#include "raise/Report/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise {

static std::optional<raw_ostream::Colors> colourOfClass(StringRef Class) {
  if (Class == "tc")
    return raw_ostream::BRIGHT_BLACK;
  if (Class == "tk")
    return raw_ostream::MAGENTA;
  if (Class == "tt")
    return raw_ostream::CYAN;
  if (Class == "tn" || Class == "tp")
    return raw_ostream::YELLOW;
  if (Class == "ts")
    return raw_ostream::GREEN;
  return std::nullopt;
}

/// Source[From, To), of which Tokens begin at Next.
static void printColoured(raw_ostream &OS, StringRef Source, size_t From,
                          size_t To, ArrayRef<Token> Tokens) {
  for (const Token &T : Tokens) {
    const size_t Begin = std::max(T.Begin, From), End = std::min(T.End, To);
    if (Begin >= End)
      continue;
    OS << Source.slice(From, Begin);
    const auto Colour = colourOfClass(colourOf(T, Source));
    if (Colour)
      OS.changeColor(*Colour);
    OS << Source.slice(Begin, End);
    if (Colour)
      OS.resetColor();
    From = End;
  }
  OS << Source.slice(From, To).rtrim("\r");
}

std::vector<bool> printExplained(raw_ostream &OS, StringRef Source,
                                 const ReviewFunction &F,
                                 ArrayRef<Result> Results, StringRef Display) {
  std::vector<bool> Printed(Results.size(), false);
  const std::vector<Token> Tokens = tokensOf(Source);
  unsigned Line = 1 + unsigned(Source.take_front(F.Loc.Begin).count('\n'));
  for (size_t At = Source.take_front(F.Loc.Begin).rfind('\n') + 1;
       At < F.Loc.End; ++Line) {
    const size_t End = std::min(Source.find('\n', At), Source.size());
    const auto First =
        partition_point(Tokens, [&](const Token &T) { return T.End <= At; });
    const auto Last = std::find_if(
        First, Tokens.end(), [&](const Token &T) { return T.Begin >= End; });
    OS << formatv("{0,5} | ", Line);
    printColoured(OS, Source, At, End,
                  ArrayRef(Tokens).slice(First - Tokens.begin(), Last - First));
    OS << '\n';
    for (const Result &R : Results)
      if (R.Why.Loc.isValid() && R.Why.Loc.Line == Line &&
          R.Why.Loc.File == Display)
        printMark(OS, Source, R.Why.Loc, R.Why.Code);
    for (size_t I = 0; I < Results.size(); ++I)
      if (Results[I].Line == Line && Results[I].File == Display) {
        printRemark(OS, Results[I], "");
        Printed[I] = true;
      }
    At = End + 1;
  }
  return Printed;
}

} // namespace raise
