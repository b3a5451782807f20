//===- Remarks.cpp - results as Clang-style remarks -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise {

namespace {

StringRef word(Severity S) {
  switch (S) {
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("no such severity");
}

raw_ostream::Colors colour(Severity S) {
  switch (S) {
  case Severity::Note:
    return raw_ostream::CYAN;
  case Severity::Remark:
    return raw_ostream::BLUE;
  case Severity::Warning:
    return raw_ostream::MAGENTA;
  case Severity::Error:
    return raw_ostream::RED;
  }
  llvm_unreachable("no such severity");
}

StringRef lineOf(StringRef Source, unsigned Line) {
  for (; Line > 1; --Line) {
    size_t End = Source.find('\n');
    if (End == StringRef::npos)
      return "";
    Source = Source.drop_front(End + 1);
  }
  return Source.split('\n').first.rtrim("\r");
}

std::string article(StringRef Kind) {
  return (is_contained(StringRef("aeiou"), Kind.front()) ? "an " : "a ") +
         Kind.str();
}

/// The formulas on one line.
std::string oneLine(StringRef Notation) {
  SmallVector<StringRef, 4> Lines;
  Notation.trim().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return join(Lines, "; ");
}

std::string raisedText(const Result &R) {
  std::string Text = R.What == Construct::Kernel ? "kernel raised" : "raised";
  if (R.Outcome == Status::Partial)
    Text =
        R.What == Construct::Kernel ? "kernel partly raised" : "partly raised";
  if (!R.Kind.empty())
    Text += " to " + article(R.Kind);
  if (!R.Notation.empty())
    Text += ": " + oneLine(R.Notation);
  return Text;
}

std::string verifiedText(const Result &R) {
  if (R.Verified == Verification::None)
    return "";
  std::string Text = "; verification " + spelling(R.Verified).str();
  if (!R.VerifiedDetail.empty())
    Text += " (" + R.VerifiedDetail + ")";
  return Text;
}

/// The reason, with its place where that is in another file.
std::string reasonText(const Result &R) {
  std::string Text = R.Why.Text;
  if (R.Why.Loc.isValid() && R.Why.Loc.File != R.File)
    Text += formatv(" (at {0}:{1}:{2})", R.Why.Loc.File, R.Why.Loc.Line,
                    R.Why.Loc.Column);
  return Text;
}

bool isMissed(const Result &R) {
  return R.Outcome == Status::Left || R.Outcome == Status::Failed;
}

/// What the reason is the reason of.
StringRef missedText(const Result &R) {
  if (isMissed(R))
    return R.What == Construct::Kernel ? "kernel not raised: " : "not raised: ";
  return R.Outcome == Status::Partial ? "not raised further: "
                                      : "not rewritten: ";
}

} // namespace

std::string remarkText(const Result &R) {
  std::string Text;
  if (!isMissed(R)) {
    Text = R.What == Construct::Function
               ? "the " + R.Kind + " of '" + R.Function + "' is generated"
               : raisedText(R);
    if (!R.Why.isSet())
      return Text + verifiedText(R);
    Text += "; ";
  }
  return Text + missedText(R).str() + R.Why.Text + verifiedText(R);
}

void printMessage(raw_ostream &OS, StringRef File, unsigned Line,
                  unsigned Column, Severity S, StringRef Text) {
  OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  if (!File.empty()) {
    OS << File << ':';
    if (Line)
      OS << Line << ':' << Column << ':';
    OS << ' ';
  }
  OS.changeColor(colour(S), /*Bold=*/true) << word(S) << ": ";
  OS.resetColor();
  if (S != Severity::Remark)
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << Text << '\n';
  OS.resetColor();
}

void printSnippet(raw_ostream &OS, StringRef Source, const SourceLoc &At) {
  StringRef Line = lineOf(Source, At.Line);
  if (!At.isValid() || At.Column == 0 || At.Column > Line.size())
    return;
  OS << formatv("{0,5} | {1}\n", At.Line, Line);
  printMark(OS, Source, At, "");
}

void printMark(raw_ostream &OS, StringRef Source, const SourceLoc &At,
               StringRef Text) {
  StringRef Line = lineOf(Source, At.Line);
  if (!At.isValid() || At.Column == 0 || At.Column > Line.size())
    return;
  size_t Width = At.End > At.Begin ? At.End - At.Begin : 1;
  Width = std::min(Width, Line.size() - (At.Column - 1));
  OS << "      | ";
  // Tabs are repeated so that the caret lines up; other bytes of a UTF-8
  // character take no column.
  for (char C : Line.take_front(At.Column - 1))
    if ((C & 0xC0) != 0x80)
      OS << (C == '\t' ? '\t' : ' ');
  OS.changeColor(raw_ostream::GREEN, /*Bold=*/true) << '^';
  for (char C : Line.substr(At.Column, Width - 1))
    if ((C & 0xC0) != 0x80)
      OS << '~';
  OS.resetColor();
  OS << (Text.empty() ? "" : " ") << Text << '\n';
}

void printRemark(raw_ostream &OS, const Result &R, StringRef Source) {
  const bool Missed = isMissed(R);
  std::string Text;
  if (!Missed) {
    Text = raisedText(R) + verifiedText(R) + " [-Rraise]";
    printMessage(OS, R.File, R.Line, R.Column, Severity::Remark, Text);
    if (!R.Why.isSet())
      return;
  }
  Text = missedText(R).str() + reasonText(R);
  if (Missed)
    Text += verifiedText(R);
  Text += R.Why.isSet() ? " [" + R.Why.Code + ", -Rraise-missed]"
                        : std::string(" [-Rraise-missed]");
  printMessage(OS, R.File, R.Line, R.Column, Severity::Remark, Text);
  if (R.Why.Loc.File == R.File)
    printSnippet(OS, Source, R.Why.Loc);
}

} // namespace raise
