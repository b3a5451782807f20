//===- Diff.cpp - unified differences -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Diff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace raise {

namespace {

constexpr size_t Context = 3;

struct Edit {
  char Mark; // ' ', '-' or '+'
  StringRef Line;
};

/// Lines keep their newline: a last line without one differs from one with it.
std::vector<StringRef> splitLines(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    size_t Length = End == StringRef::npos ? Text.size() : End + 1;
    Lines.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Lines;
}

/// The frontiers of Myers' search: Frontier[D][K + D] is the farthest line of A
/// reached on diagonal K with D edits.
std::vector<std::vector<int>> search(ArrayRef<StringRef> A,
                                     ArrayRef<StringRef> B) {
  long N = A.size(), M = B.size();
  std::vector<std::vector<int>> Frontiers;
  for (long D = 0;; ++D) {
    std::vector<int> Now(2 * D + 1);
    for (long K = -D; K <= D; K += 2) {
      long X = 0;
      if (D > 0) {
        const std::vector<int> &Last = Frontiers.back();
        auto At = [&](long Diagonal) -> long { return Last[Diagonal + D - 1]; };
        bool Down = K == -D || (K != D && At(K - 1) < At(K + 1));
        X = Down ? At(K + 1) : At(K - 1) + 1;
      }
      while (X < N && X - K < M && X - K >= 0 && A[X] == B[X - K])
        ++X;
      Now[K + D] = X;
      if (X >= N && X - K >= M) {
        Frontiers.push_back(std::move(Now));
        return Frontiers;
      }
    }
    Frontiers.push_back(std::move(Now));
  }
}

std::vector<Edit> editScript(ArrayRef<StringRef> A, ArrayRef<StringRef> B) {
  std::vector<std::vector<int>> Frontiers = search(A, B);
  std::vector<Edit> Script;
  long X = A.size(), Y = B.size();
  for (long D = Frontiers.size() - 1; D > 0; --D) {
    const std::vector<int> &Last = Frontiers[D - 1];
    auto At = [&](long Diagonal) -> long { return Last[Diagonal + D - 1]; };
    long K = X - Y;
    bool Down = K == -D || (K != D && At(K - 1) < At(K + 1));
    long FromX = Down ? At(K + 1) : At(K - 1);
    long FromY = FromX - (Down ? K + 1 : K - 1);
    for (; X > FromX && Y > FromY; --X, --Y)
      Script.push_back({' ', A[X - 1]});
    Script.push_back(Down ? Edit{'+', B[Y - 1]} : Edit{'-', A[X - 1]});
    X = FromX;
    Y = FromY;
  }
  for (; X > 0; --X)
    Script.push_back({' ', A[X - 1]});
  std::reverse(Script.begin(), Script.end());
  return Script;
}

void printLine(raw_ostream &OS, const Edit &E) {
  OS << E.Mark << E.Line;
  if (!E.Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

/// "start,count" of a hunk's side; an empty side names the line before it.
void printRange(raw_ostream &OS, size_t Before, size_t Count) {
  OS << (Count ? Before + 1 : Before);
  if (Count != 1)
    OS << ',' << Count;
}

void printHunks(raw_ostream &OS, ArrayRef<Edit> Script) {
  size_t OldLine = 0, NewLine = 0, At = 0;
  auto Skip = [&](size_t To) {
    for (; At < To; ++At) {
      OldLine += Script[At].Mark != '+';
      NewLine += Script[At].Mark != '-';
    }
  };
  while (true) {
    size_t First = At;
    while (First < Script.size() && Script[First].Mark == ' ')
      ++First;
    if (First == Script.size())
      return;
    // The hunk ends where more than twice the context is unchanged.
    size_t End = First + 1;
    for (size_t I = End; I < Script.size() && I < End + 2 * Context + 1; ++I)
      if (Script[I].Mark != ' ')
        End = I + 1;
    Skip(std::max(At, First - std::min(First, Context)));
    size_t Stop = std::min(Script.size(), End + Context), Start = At;
    size_t OldStart = OldLine, NewStart = NewLine;
    Skip(Stop);
    OS << "@@ -";
    printRange(OS, OldStart, OldLine - OldStart);
    OS << " +";
    printRange(OS, NewStart, NewLine - NewStart);
    OS << " @@\n";
    for (const Edit &E : Script.slice(Start, Stop - Start))
      printLine(OS, E);
  }
}

} // namespace

std::string unifiedDiff(StringRef Old, StringRef New, StringRef OldName,
                        StringRef NewName) {
  if (Old == New)
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "--- " << OldName << "\n+++ " << NewName << '\n';
  std::vector<StringRef> A = splitLines(Old), B = splitLines(New);
  printHunks(OS, editScript(A, B));
  return Text;
}

std::vector<std::pair<size_t, size_t>> changedRanges(StringRef Old,
                                                     StringRef New) {
  std::vector<StringRef> A = splitLines(Old), B = splitLines(New);
  std::vector<std::pair<size_t, size_t>> Ranges;
  size_t At = 0;
  for (const Edit &E : editScript(A, B)) {
    if (E.Mark == '-')
      continue;
    size_t End = At + E.Line.size();
    if (E.Mark == '+') {
      if (!Ranges.empty() && Ranges.back().second == At)
        Ranges.back().second = End;
      else
        Ranges.push_back({At, End});
    }
    At = End;
  }
  return Ranges;
}

std::vector<LineEdit> lineEdits(StringRef Old, StringRef New) {
  std::vector<StringRef> A = splitLines(Old), B = splitLines(New);
  std::vector<LineEdit> Edits;
  size_t At = 0;
  bool Open = false;
  for (const Edit &E : editScript(A, B)) {
    if (E.Mark == ' ') {
      At += E.Line.size();
      Open = false;
      continue;
    }
    if (!Open)
      Edits.push_back({At, At, ""});
    Open = true;
    if (E.Mark == '+') {
      Edits.back().Text += E.Line;
    } else {
      At += E.Line.size();
      Edits.back().End = At;
    }
  }
  return Edits;
}

} // namespace raise
