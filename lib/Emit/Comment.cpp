//===- Comment.cpp - the comment above emitted code -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Comment.h"
#include "Formula.h"
#include "Guards.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace raise {

namespace {

/// Loops and writes in pre-order, with where each ends: equal for nests that do
/// the same in the same order.
class Skeleton : public Visitor {
public:
  std::vector<std::string> Events, Loops;
  bool visitExpr(const ExprRef &) override { return false; }
  bool visitStmt(const StmtRef &S) override {
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        enter(plainName(*I.V));
    else if (auto *L = dyn_cast<For>(S.get()))
      enter(plainName(*L->V));
    else if (isa<While>(*S))
      enter("while");
    else if (auto *St = dyn_cast<Store>(S.get()))
      Events.push_back("store " + St->To.Buf->Name);
    return true;
  }
  void leaveStmt(const StmtRef &S) override {
    unsigned Count = isa<For>(*S) || isa<While>(*S);
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      Count = unsigned(T->Iterators.size());
    for (unsigned I = 0; I < Count; ++I)
      Events.push_back("end");
  }

private:
  void enter(const std::string &Name) {
    Events.push_back("loop " + Name);
    Loops.push_back(Name);
  }
};

} // namespace

LoopOrder compareLoops(const Region &R) {
  Skeleton Now, Before;
  Now.walk(R.Body);
  Before.walk(R.Original);
  if (Now.Events == Before.Events)
    return LoopOrder::Same;
  bool Permuted = Now.Loops != Before.Loops;
  llvm::sort(Now.Loops);
  llvm::sort(Before.Loops);
  return Permuted && Now.Loops == Before.Loops ? LoopOrder::Interchanged
                                               : LoopOrder::Other;
}

std::vector<StmtRef> partsByStrips(const Region &R) {
  const auto *Over = dyn_cast<TensorOp>(R.Body.get());
  if (!R.Rests.Means || !isa<For>(*R.Original) || !Over ||
      Over->Iterators.size() != 1 ||
      Over->Iterators.front().Kind != IterKind::Serial)
    return {};
  std::vector<StmtRef> Parts;
  for (const StmtRef &S : statements(Over->Body))
    if (isa<TensorOp>(*S))
      Parts.push_back(S);
  const auto Whole = statements(R.Rests.Means);
  return Parts.size() == Whole.size() && Parts.size() > 1 &&
                 all_of(Whole,
                        [](const StmtRef &S) { return isa<TensorOp>(*S); })
             ? Parts
             : std::vector<StmtRef>();
}

/// How deep in loops the stores of S to each buffer stand at most.
static std::map<const Buffer *, unsigned> depthsOfStores(const StmtRef &S) {
  struct Finder : Visitor {
    unsigned Depth = 0;
    std::map<const Buffer *, unsigned> Found;
    static unsigned loops(const StmtRef &S) {
      const auto *T = dyn_cast<TensorOp>(S.get());
      return T ? unsigned(T->Iterators.size())
               : unsigned(isa<For>(*S) || isa<While>(*S));
    }
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &S) override {
      Depth += loops(S);
      if (const auto *St = dyn_cast<Store>(S.get())) {
        unsigned &Most = Found[St->To.Buf.get()];
        Most = std::max(Most, Depth);
      }
      return true;
    }
    void leaveStmt(const StmtRef &S) override { Depth -= loops(S); }
  } F;
  F.walk(S);
  return std::move(F.Found);
}

std::vector<std::string> storedOnce(const Region &R, unsigned Least) {
  const auto Before = depthsOfStores(R.Original),
             Now = depthsOfStores(R.meaning());
  std::vector<std::string> Names;
  forEachStmt(R.Original, [&](const StmtRef &S) {
    const auto *St = dyn_cast<Store>(S.get());
    const auto It = St ? Now.find(St->To.Buf.get()) : Now.end();
    const unsigned Was = It == Now.end() ? 0 : Before.at(It->first);
    if (Was >= Least && It != Now.end() && It->second < Was &&
        !is_contained(Names, St->To.Buf->Name))
      Names.push_back(St->To.Buf->Name);
  });
  return Names;
}

bool isLaidOutAnew(const Region &R) {
  if (compareLoops(R) == LoopOrder::Interchanged ||
      !storedOnce(R, /*Least=*/2).empty())
    return true;
  if (!R.Rests.Means)
    return false;
  Skeleton Now, Proved;
  Now.walk(R.Body);
  Proved.walk(R.Rests.Means);
  return Now.Events != Proved.Events;
}

std::string sentence(StringRef Text) {
  Text = Text.trim();
  if (Text.empty())
    return "";
  // A name at the start keeps its case.
  StringRef Word = Text.take_while([](char C) { return isAlpha(C); });
  StringRef Rest = Text.drop_front(Word.size());
  bool Plain =
      Word.size() > 1 && (Rest.starts_with(" ") || Rest.starts_with(":"));
  std::string Result = Text.str();
  if (Plain)
    Result[0] = toUpper(Result[0]);
  if (Result.back() != '.' && Result.back() != '!')
    Result += '.';
  return Result;
}

/// Whether Word is the last of a clause.
static bool endsClause(StringRef Word) {
  return Word.ends_with(",") || Word.ends_with(";") || Word.ends_with(".") ||
         Word.ends_with(":");
}

static bool isRelation(StringRef Word) {
  static constexpr StringLiteral Signs[] = {"=", "+=", "·=", "≤",
                                            "≥", "<",  ">"};
  return is_contained(Signs, Word);
}

/// The columns of what should stay on one line with Words[At], where a clause
/// starts: all of it if it is a formula, else the word.
static size_t unitWidth(ArrayRef<StringRef> Words, size_t At) {
  size_t Width = columns(Words[At]), First = At;
  bool IsFormula = isRelation(Words[At]);
  while (!endsClause(Words[At]) && At + 1 < Words.size()) {
    ++At;
    IsFormula |= isRelation(Words[At]);
    Width += 1 + columns(Words[At]);
  }
  return IsFormula ? Width : columns(Words[First]);
}

void addComment(Code &C, StringRef Text, unsigned Indent) {
  const size_t Width = std::max(80u - std::min(Indent, 79u), 48u);
  SmallVector<StringRef, 8> Paragraphs;
  Text.split(Paragraphs, '\n', -1, false);
  for (StringRef Paragraph : Paragraphs) {
    std::string Line = "//";
    size_t Start = Line.size();
    bool StartsClause = true;
    SmallVector<StringRef, 32> Words;
    Paragraph.split(Words, ' ');
    for (size_t I = 0; I < Words.size(); ++I) {
      StringRef Word = Words[I];
      size_t Unit = StartsClause ? unitWidth(Words, I) : columns(Word);
      if (3 + Unit > Width) // nothing keeps it together
        Unit = columns(Word);
      StartsClause = endsClause(Word);
      if (columns(Line) + 1 + Unit > Width && Line.size() > Start) {
        C.line(StringRef(Line).rtrim().str());
        Line = "//";
        if (Word.empty())
          continue;
      }
      Line += " " + Word.str();
    }
    C.line(StringRef(Line).rtrim().str());
  }
}

void addSourceComment(Code &C, StringRef Text) {
  SmallVector<StringRef, 4> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    C.line("// " + Line.str());
}

CommentStock::CommentStock(ArrayRef<SourceComment> All, const Region &R)
    : Of(R.Loc) {
  for (const SourceComment &C : All)
    Entries.push_back({&C, false});
}

std::vector<std::string> CommentStock::take(const Stmt &S) {
  std::vector<std::string> Texts;
  if (S.Loc.File != Of.File || S.Loc.Begin <= Of.Begin || S.Loc.End > Of.End ||
      isa<Block>(S))
    return Texts;
  for (Entry &E : Entries)
    if (!E.Placed && E.Comment->Statement == S.Loc.Begin) {
      E.Placed = true;
      Texts.push_back(E.Comment->Text);
    }
  return Texts;
}

std::vector<std::string> CommentStock::takeRest() {
  std::vector<std::string> Texts;
  for (Entry &E : Entries)
    if (!E.Placed) {
      E.Placed = true;
      Texts.push_back(E.Comment->Text);
    }
  return Texts;
}

static bool setsErrno(const StmtRef &S) {
  bool Found = false;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    Found |= C && C->Fn->SetsErrno;
  });
  return Found;
}

/// What each guard is for, once.
static std::vector<std::string> reasons(ArrayRef<Guard> Guards) {
  std::vector<std::string> Texts;
  for (const Guard &G : Guards)
    if (!is_contained(Texts, G.Why))
      Texts.push_back(G.Why);
  return Texts;
}

/// "a, b and c".
static std::string listed(ArrayRef<std::string> Texts) {
  if (Texts.size() < 2)
    return join(Texts, "");
  return join(Texts.drop_back(), ", ") + " and " + Texts.back();
}

/// How many loops of the source R's body is one loop for; 0 where that is one,
/// too.
static size_t fusedLoops(const Region &R) {
  const ArrayRef<StmtRef> Loops = statements(R.Original);
  const bool Fused =
      Loops.size() > 1 && isa<TensorOp>(*R.Body) &&
      all_of(Loops, [](const StmtRef &S) { return isa<For>(*S); });
  return Fused ? Loops.size() : 0;
}

std::string obligationsText(const Region &R, const Options &Opts, bool IsKernel,
                            bool HasLoops) {
  std::vector<std::string> Texts;
  const auto Stored = IsKernel ? std::vector<std::string>() : storedOnce(R);
  if (!Stored.empty())
    Texts.push_back("What every iteration stores alike, to " + listed(Stored) +
                    ", is stored once, before the loop.");
  else if (HasLoops && R.Rests.Hoisted.empty() &&
           compareLoops(R) == LoopOrder::Interchanged)
    Texts.push_back("Loops interchanged.");
  if (const auto &Once = R.Rests.Hoisted; !Once.empty())
    Texts.push_back("Computed once, before the loop: " + listed(Once) + ".");
  if (const size_t Loops = fusedLoops(R))
    Texts.push_back("One loop for " + std::to_string(Loops) +
                    " of the source.");
  // An inner loop may do nothing but what is said of the one around it.
  const bool SaysUpdates = any_of(R.Rests.Proved, [](StringRef Fact) {
    return Fact.contains("but for updates that commute");
  });
  for (const std::string &Fact : R.Rests.Proved)
    if (!is_contained(Texts, sentence(Fact)) &&
        !(SaysUpdates && StringRef(Fact).contains("meet only in updates")))
      Texts.push_back(sentence(Fact));
  // A launcher spells its tests out right below; what they mean is enough here.
  std::vector<std::string> Tests =
      IsKernel ? reasons(R.Rests.Guards) : describeGuards(R.Rests.Guards);
  if (!Tests.empty())
    Texts.push_back(IsKernel ? "Called where " + listed(Tests) +
                                   "; any other launch runs the kernel as "
                                   "written."
                             : "Tested: " + join(Tests, "; ") +
                                   "; else the original runs.");
  // What begins with a name keeps its case.
  for (const std::string &Fact : R.Rests.Assumptions)
    Texts.push_back("Assumed: " + Fact +
                    (StringRef(Fact).ends_with(".") ? "" : "."));
  if (Opts.MathErrno && setsErrno(R.Body))
    Texts.push_back("errno is not kept.");
  return join(Texts, " ");
}

} // namespace raise
