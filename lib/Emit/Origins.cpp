//===- Origins.cpp - the places that printed statements have --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Origins.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

static thread_local Trace *Current = nullptr;

TraceScope::TraceScope(Trace *To) : Before(Current) { Current = To; }
TraceScope::~TraceScope() { Current = Before; }
Trace *currentTrace() { return Current; }

static thread_local StmtRef Original;

OriginalScope::OriginalScope(const StmtRef &Of) : Before(Original) {
  Original = Of;
}
OriginalScope::~OriginalScope() { Original = Before; }

static void add(Origins &To, const SourceLoc &Loc) {
  if (Loc.isValid() && none_of(To, [&](const SourceLoc &Known) {
        return Known.File == Loc.File && Known.Begin == Loc.Begin &&
               Known.End == Loc.End;
      }))
    To.push_back(Loc);
}

/// Of what holds other statements, its first word.
static void addHead(Origins &To, SourceLoc Loc) {
  Loc.End = Loc.Begin + 1;
  add(To, Loc);
}

static void addAll(Origins &To, const ExprRef &E) {
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) { add(To, Sub->Loc); });
}

namespace {
/// The loops of some statements, each with how many stand around it.
struct LoopDepths : Visitor {
  std::vector<std::pair<const For *, unsigned>> Loops;
  unsigned Now = 0;
  bool visitExpr(const ExprRef &) override { return false; }
  bool visitStmt(const StmtRef &S) override {
    if (auto *L = dyn_cast<For>(S.get()))
      Loops.emplace_back(L, Now++);
    return true;
  }
  void leaveStmt(const StmtRef &S) override { Now -= isa<For>(*S); }
};
} // namespace

/// The heads of the loops that became one with that of It: those as deep, of
/// which T runs a statement.
static void addFused(Origins &From, const TensorOp &T, const Iterator &It) {
  if (!Original)
    return;
  LoopDepths All;
  All.walk(Original);
  const auto Own = find_if(All.Loops, [&](const auto &L) {
    return L.first->V == It.V ||
           (It.V->Loc.isValid() && L.first->V->Loc.File == It.V->Loc.File &&
            L.first->V->Loc.Begin == It.V->Loc.Begin);
  });
  if (Own == All.Loops.end())
    return;
  for (const auto &[L, Depth] : All.Loops) {
    bool Runs = false;
    if (L != Own->first && Depth == Own->second)
      forEachStmt(T.Body, [&, Loop = L](const StmtRef &S) {
        Runs |= S->Loc.isValid() && S->Loc.File == Loop->Loc.File &&
                Loop->Loc.Begin < S->Loc.Begin && S->Loc.End <= Loop->Loc.End;
      });
    if (Runs)
      addHead(From, L->Loc);
  }
}

Origins originsOf(const TensorOp &T, const Iterator &It) {
  Origins From;
  addFused(From, T, It);
  // The variable stands in the head of the loop that it belongs to; T's place
  // is that of the outermost one.
  add(From, It.V->Loc);
  addAll(From, It.Lo);
  addAll(From, It.Hi);
  if (From.empty())
    addHead(From, T.Loc);
  return From;
}

Origins originsOf(const Function &F) {
  Origins From;
  addHead(From, F.Loc);
  return From;
}

Origins originsOf(const Stmt &S) {
  Origins From;
  switch (S.Kind) {
  case StmtKind::Block:
  case StmtKind::TensorOp: // loop by loop
  case StmtKind::Region:
    return From;
  case StmtKind::For: {
    const auto &L = *cast<For>(&S);
    addHead(From, L.Loc);
    add(From, L.V->Loc);
    addAll(From, L.Lo);
    addAll(From, L.Hi);
    return From;
  }
  case StmtKind::While:
    addHead(From, S.Loc);
    addAll(From, cast<While>(&S)->Cond);
    return From;
  case StmtKind::If:
    addHead(From, S.Loc);
    addAll(From, cast<If>(&S)->Cond);
    return From;
  default:
    break;
  }
  add(From, S.Loc);
  // What was put in place of a name brings the place where it was computed.
  forEachExpr(StmtRef(StmtRef(), &S),
              [&](const ExprRef &E) { add(From, E->Loc); });
  return From;
}

Origins originsWithin(const Stmt &S) {
  Origins From;
  forEachStmt(StmtRef(StmtRef(), &S), [&](const StmtRef &Sub) {
    for (const SourceLoc &Loc : originsOf(*Sub))
      add(From, Loc);
    if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      for (const Iterator &It : T->Iterators)
        for (const SourceLoc &Loc : originsOf(*T, It))
          add(From, Loc);
  });
  return From;
}

void markLines(Code &C, const Origins &From) {
  if (From.empty())
    return;
  for (CodeLine &L : C.Lines) {
    const StringRef Text = StringRef(L).trim();
    const bool IsCode = !Text.starts_with("//") &&
                        Text.find_first_not_of("{}; ") != StringRef::npos &&
                        Text != "} else {" && Text != "else";
    if (IsCode && L.From.empty())
      L.From = From;
  }
}

Code originalCode(StringRef Text, unsigned Column, const SourceLoc &Of) {
  Code C;
  C.Statements = 1;
  C.NeedsBlock = true;
  SmallVector<StringRef, 16> Lines;
  Text.trim('\n').split(Lines, '\n');
  size_t Common = StringRef::npos;
  for (StringRef L : drop_begin(Lines))
    if (!L.trim().empty())
      Common = std::min(Common, L.size() - L.ltrim(' ').size());
  // The first line stood at Column, whatever the others do.
  Common = std::min<size_t>(Common, Column);
  C.line(Lines[0].str());
  for (StringRef L : drop_begin(Lines))
    C.line(L.drop_front(std::min(Common, L.size())).rtrim("\r").str());
  for (size_t I = 0; I < Lines.size(); ++I) {
    const StringRef Words = Lines[I].trim();
    SourceLoc Loc = Of;
    Loc.Begin = Of.End - unsigned(Text.end() - Words.begin());
    Loc.End = Loc.Begin + unsigned(Words.size());
    if (!Words.empty())
      C.Lines[I].From = {Loc};
  }
  return C;
}

void record(const Code &C, const Function &F) {
  if (!Current)
    return;
  TracedText &Text = Current->Texts.emplace_back();
  Text.Of = F.Loc;
  for (const CodeLine &L : C.Lines)
    Text.Lines.push_back({L, L.From});
}

} // namespace raise
