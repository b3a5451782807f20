//===- RegionPrinter.cpp - a region's guards and both of its branches -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RegionPrinter.h"
#include "BlasCall.h"
#include "Comment.h"
#include "EigenCode.h"
#include "Guards.h"
#include "Names.h"
#include "OneTest.h"
#include "OneText.h"
#include "Origins.h"
#include "Schedule.h"
#include "SizeTests.h"
#include "raise/IR/Counts.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {
namespace {

/// Whether the original computed the index in at most 32 bits, so that a flat
/// index of the same terms cannot overflow either.
bool isNarrowIndex(const ExprRef &Index) {
  return withoutImplicitCasts(Index)->Ty.Bits <= 32;
}

/// The largest value of V that Guard lets through, where it says so.
std::optional<int64_t> upperLimit(const Guard &G, StringRef Name) {
  ExprRef Test = G.Cond ? withoutImplicitCasts(G.Cond) : nullptr;
  auto *B = dyn_cast_or_null<Binary>(Test.get());
  if (!B || (B->Op != BinaryOp::LE && B->Op != BinaryOp::LT))
    return std::nullopt;
  auto *U = dyn_cast<VarUse>(withoutImplicitCasts(B->L).get());
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  if (!U || !C || plainName(*U->V) != Name)
    return std::nullopt;
  return C->Value;
}

unsigned usesOf(const StmtRef &S, const Var *V) {
  unsigned Count = 0;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Count += U && U->V.get() == V;
  });
  return Count;
}

/// Variables of the function that only the original used: without a use they
/// would draw a warning that was not there before.
std::vector<VarRef> orphans(const Region &R, const Function &F) {
  std::vector<VarRef> Found;
  auto Consider = [&](const VarRef &V) {
    bool Outer = V->Kind == VarKind::Local || V->Kind == VarKind::Param;
    if (!Outer || declaresInside(R.Original, V.get()) ||
        is_contained(Found, V) ||
        usesOf(F.Body, V.get()) > usesOf(R.Body, V.get()))
      return;
    bool Used = uses(R.Body, V.get()) && !declaresInside(R.Body, V.get());
    if (!Used)
      Found.push_back(V);
  };
  assignedVars(R.Original, Consider);
  forEachExpr(R.Original, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Consider(U->V);
  });
  return Found;
}

/// Pointers that only the original read, for values that it did not use.
std::vector<BufferRef> orphanBuffers(const Region &R, const Function &F) {
  std::vector<BufferRef> Found;
  auto Uses = [](const StmtRef &S, const Buffer *B) {
    bool Any = false;
    forEachExpr(S, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      auto *N = dyn_cast<NonNull>(E.get());
      Any |= (L && L->From.Buf.get() == B) || (N && N->Buf.get() == B);
    });
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      Any |= St && St->To.Buf.get() == B;
      auto *O = dyn_cast<Opaque>(Sub.get());
      Any |= O && O->Pure &&
             any_of(O->Pure->Args, [&](const PureCall::Argument &A) {
               return A.Base.get() == B;
             });
    });
    return Any;
  };
  for (const Param &P : F.Params)
    if (P.Buf && Uses(R.Original, P.Buf.get()) && !Uses(R.Body, P.Buf.get()) &&
        !Uses(F.Body, P.Buf.get()))
      Found.push_back(P.Buf);
  return Found;
}

/// Whether compilers load what a parallel loop beside R's original shares again
/// and again there: what has an address may be changed by a call, and by what
/// is stored through a pointer that is no parameter.
bool mayReload(const Region &R) {
  bool May = false;
  forEachExpr(R.Original, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    May |= C && !C->Fn->Definition;
  });
  forEachStmt(R.Original, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    May |= St && St->To.Buf->Kind == BufferKind::Pointer;
  });
  return May;
}

/// Whether F has several nests beside each other that keep their originals. In
/// these compilers know no longer what a pointer leads to that a parallel loop
/// of another was handed by its address. (Measured: three products of matrices
/// of 20 x 20 take 7 % longer.)
bool hasSeveralNests(const Function &F) {
  unsigned Count = 0;
  forEachStmt(F.Body, [&](const StmtRef &S) { Count += isa<Region>(*S); });
  return Count > 2;
}

/// Whether R's tests take as long as a short loop: they name the ranges that
/// they compare, or look at indices first. Then they stand by themselves,
/// behind the test of the work.
bool hasCostlyTests(const Region &R) {
  bool Shared = false; // what is looked at counts in the loop as well
  if (R.Rests.Inspection)
    for (const StmtRef &S : statements(R.Rests.Inspection))
      if (auto *D = dyn_cast<Decl>(S.get()))
        Shared |= uses(R.Body, D->V.get());
  return !Shared &&
         (R.Rests.Inspection ||
          count_if(R.Rests.Guards, [](const Guard &G) { return !G.Cond; }) > 1);
}

/// What a region looks at before its tests, where they may hold.
Code inspectionCode(const Region &R, const Function &F, StmtPrinter &Printer,
                    const std::optional<std::string> &Work) {
  Code C, Loops;
  if (!R.Rests.Inspection)
    return C;
  addComment(C, "Which elements are used, for the tests below.", 2);
  // There is work enough for what follows, or nothing is looked at.
  Printer.SizesTested = Work.has_value();
  for (const StmtRef &S : statements(R.Rests.Inspection))
    (isa<Decl>(*S) ? C : Loops).append(Printer.print(S));
  Printer.SizesTested = false;
  C.append(Work && !(hasPlainOriginals(F) && hasCostlyTests(R))
               ? nested("if (" + *Work + ")", Loops)
               : Loops);
  return C;
}

/// Raised or Original, by tests of their own where there is work enough. What
/// a small size costs is one comparison, and no register that the names of
/// ranges would be in.
Code afterTests(const std::string &Work, const Code &Lead,
                const NamedGuards &Tests, const Code &Raised,
                const Code &Original, const std::string &Name, bool LanguageC) {
  Code Inner, C, Block;
  Inner.append(Lead);
  for (const std::string &L : Tests.Lines)
    Inner.line(L);
  Inner.line(Name + " = " + Tests.Condition + ";");
  C.line((LanguageC ? "int " : "bool ") + Name +
         (LanguageC ? " = 0;" : " = false;"));
  C.append(nested("if (" + Work + ")", Inner, true));
  C.append(branches(Name, Raised, Original));
  Block.line("{");
  Block.append(C, 2);
  Block.line("}");
  Block.Statements = 1;
  return Block;
}

/// C where NotEmpty holds (see notEmptyTest), which may be "".
Code whereNotEmpty(const std::string &NotEmpty, Code C) {
  if (NotEmpty.empty())
    return C;
  const std::string Header = "if (" + NotEmpty + ")";
  if (C.Lines[0] != "{")
    return nested(Header, C, true);
  C.Lines[0] = Header + " {";
  return C;
}

/// R's body, which is Long, and where its rows are too short for sums in
/// vectors without these. Printer is as it was before it printed Long.
Code byRows(const Region &R, const std::string &Test, const Code &Long,
            StmtPrinter Printer, Names &N) {
  const Names Before = N; // both forms may use the same
  Printer.ShortRows = true;
  Printer.Comments = nullptr;
  const Code Short = Printer.print(R.Body);
  N = Before;
  return branches(Test, Long, Short);
}

/// What R's body is without threads, if that is faster than the original.
std::optional<Code> payingOnOneThread(const Region &R, const Function &F,
                                      const Options &Opts, Names &N,
                                      ExprPrinter &P) {
  Options Serial = Opts;
  Serial.OpenMP = false;
  const Names Before = N; // both forms may use the same
  StmtPrinter Printer(Serial, N, P);
  Code C = Printer.print(R.Body);
  N = Before;
  if (!hasPayingPragma(C))
    return std::nullopt;
  const std::string Test =
      hasPlainOriginals(F) ? rowTest(R, Printer.RowTests, P) : "";
  if (!Test.empty())
    return byRows(R, Test, C, StmtPrinter(Serial, N, P), N);
  return C;
}

/// Whether R computes by tiles what its meaning says.
bool goesByTiles(const Region &R) {
  bool Yes = false;
  if (R.Rests.Means)
    forEachStmt(R.Body, [&](const StmtRef &S) {
      const auto *T = dyn_cast<TensorOp>(S.get());
      Yes |= T && StringRef(T->OpKind).starts_with("tiles of ");
    });
  return Yes;
}

/// Lines of a body that may be printed with vectors and without.
constexpr size_t ShortText = 40;

} // namespace

bool followsFrom(const ExprRef &Cond, StringRef Work, const Names &N) {
  ExprRef Test = Cond ? withoutImplicitCasts(Cond) : nullptr;
  auto *B = dyn_cast_or_null<Binary>(Test.get());
  if (!B || (B->Op != BinaryOp::GE && B->Op != BinaryOp::GT))
    return false;
  auto *U = dyn_cast<VarUse>(withoutImplicitCasts(B->L).get());
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  SmallVector<StringRef, 4> Parts;
  Work.split(Parts, " && ");
  return U && C && any_of(Parts, [&](StringRef Part) {
           auto [Name, Least] = Part.split(" > ");
           int64_t Size;
           return !Least.getAsInteger(10, Size) && N.of(U->V.get()) == Name &&
                  C->Value <= Size;
         });
}

bool countsDown(const StmtRef &S) {
  const auto *L = dyn_cast<For>(S.get());
  const auto *By = L ? dyn_cast<IntConst>(L->Step.get()) : nullptr;
  return By && By->Value < 0;
}

unsigned loopsIn(const StmtRef &S) {
  unsigned Count = 0;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Count += isa<For>(*Sub) || isa<While>(*Sub);
    if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      Count += unsigned(T->Iterators.size());
  });
  return Count;
}

bool isRowInNest(const Region &R, const Function &F) {
  return isa<For>(*R.Original) && loopsIn(R.Original) == 1 &&
         loopsAround(R, F).size() > 1;
}

bool leavesUnused(const Region &R, const Function &F) {
  return !orphans(R, F).empty() || !orphanBuffers(R, F).empty();
}

bool hasPayingPragma(const Code &C) {
  return any_of(C.Lines, [](StringRef L) {
    return (L.contains("#pragma omp") &&
            (L.contains(" parallel ") || L.contains("simd reduction("))) ||
           eigen::declaresView(L) || L.contains("cblas_");
  });
}

bool storesBytes(const Region &R) {
  bool Yes = false;
  forEachStmt(R.Body, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    Yes |= St && St->To.Buf->Kind != BufferKind::Local &&
           St->Value->Ty.isInt() && St->Value->Ty.Bits == 8;
  });
  return Yes;
}

Code bareRegionCode(const StmtRef &Part, const Region &R, const Function &F,
                    const Options &Opts, Names &N, ExprPrinter &P) {
  StmtPrinter Printer(Opts, N, P);
  Printer.setAround(R, F);
  Printer.IsDerivative = isDerivative(F);
  Printer.OneTeam = hasPlainOriginals(F) && !hasAtomic(R.Original);
  Printer.OfKernel = F.Kind == FunctionKind::Kernel && !isDerivative(F);
  if (Part == R.Body && sharedWorkTest(R, F, Opts, P, N))
    Printer.setWorkTested();
  return Printer.print(Part);
}

bool guardsKeepItSmall(const Region &R, const Function &F, const Options &Opts,
                       const ExprPrinter &P, const Names &N) {
  if (formTest(R, F, Opts, P, N))
    return false;
  auto Test = sharedWorkTest(R, F, Opts, P, N);
  if (!Test)
    Test = severalLoopsTest(R, F, Opts, P);
  const std::string Work = Test ? Test->Text : "";
  auto [Name, Least] = StringRef(Work).split(" > ");
  int64_t Size;
  if (Least.getAsInteger(10, Size))
    return false;
  return any_of(R.Rests.Guards, [&, Of = Name](const Guard &G) {
    auto Limit = upperLimit(G, Of);
    return Limit && *Limit <= Size;
  });
}

Code regionCode(const Region &R, const Function &F, const Code &Original,
                const Options &Opts, Names &N, ExprPrinter &P,
                CommentStock *Comments, const std::string &Directive,
                const std::vector<Guard> *Holding) {
  const OriginalScope Here(R.Original);
  // Vectors alone need no test for threads, which takes as long as a short row.
  if (Opts.OpenMP && isRowInNest(R, F) &&
      (payingOnOneThread(R, F, Opts, N, P) ||
       (isDerivative(F) && countsDown(R.Original)))) {
    Options Serial = Opts;
    Serial.OpenMP = false;
    return regionCode(R, F, Original, Serial, N, P, Comments, Directive,
                      Holding);
  }
  StmtPrinter Printer(Opts, N, P);
  Printer.Directive = Directive;
  Printer.setAround(R, F);
  if (Holding && R.Rests.Guards.empty())
    Printer.setHolding(Holding);
  Printer.IsDerivative = isDerivative(F);
  Printer.OneTeam = hasPlainOriginals(F) && !hasAtomic(R.Original);
  Printer.OfKernel = F.Kind == FunctionKind::Kernel && !isDerivative(F);
  std::string Test = guardCondition(R.Rests.Guards, P);
  const auto Threads = sharedWorkTest(R, F, Opts, P, N);
  auto Work = Threads ? std::optional(Threads->quickFirst()) : std::nullopt;
  auto OneThread = Work && Test == "true" && !isOneForm(R, F, Opts, P, N)
                       ? payingOnOneThread(R, F, Opts, N, P)
                       : std::nullopt;
  const auto Several = Work ? std::nullopt : severalLoopsTest(R, F, Opts, P);
  const bool KeepsOriginal = Test != "true" || Several || (Work && !OneThread);
  if (!KeepsOriginal)
    Printer.Comments = Comments;
  else if (Comments) // the original brings its own
    Comments->takeRest();
  if (storesBytes(R) && !isDerivative(F)) {
    Printer.setCaptures(R, F);
  } else if ((KeepsOriginal || OneThread) && hasPlainOriginals(F)) {
    // (Measured: without, a call of 10 ns takes up to 15 % longer.)
    if (mayReload(R) || (Work && hasCostlyTests(R)))
      Printer.setCaptures(R, F);
    else if (hasSeveralNests(F))
      Printer.setPointerCaptures(F);
  }
  Code Lead = inspectionCode(R, F, Printer, Work);
  if (Work) {
    Printer.setWorkTested();
    Printer.setTested(dyn_cast<TensorOp>(statements(R.Body).front().get()));
  }
  Printer.LayoutTested = Several && !loopsAround(R, F).empty() &&
                         paysForLayout(R, F) && statements(R.Body).size() == 1;
  Printer.SizesTested = Several && !Printer.LayoutTested;
  Printer.SizeTest = Threads ? Threads->Text : "";
  Printer.SizesOf = R.Body;
  const auto Once = Directive.empty() && !Work && !Several
                        ? oneTest(R, F, Opts, N, P)
                        : std::nullopt;
  const StmtPrinter Anew = Printer;
  Code Raised = Once ? withOneTest(*Once, R.Body, Printer, Opts, N, P)
                     : Printer.print(R.Body);
  std::string LongRows;
  if (!Once && hasPlainOriginals(F) && Opts.Target == Dialect::OpenMP)
    LongRows = rowTest(R, Printer.RowTests, P);
  // Threads pay for short rows, too.
  if (!LongRows.empty() &&
      (!KeepsOriginal || (Raised.Lines.size() <= ShortText &&
                          any_of(Raised.Lines, [](StringRef L) {
                            return L.contains("#pragma omp parallel");
                          })))) {
    Raised = byRows(R, LongRows, Raised, Anew, N);
    LongRows.clear();
  }
  if (!KeepsOriginal) {
    for (const BufferRef &B : orphanBuffers(R, F)) {
      Raised.line("(void)" + B->Name + ";");
      ++Raised.Statements;
    }
    std::vector<std::string> Unused;
    for (const VarRef &V : orphans(R, F)) {
      // A member has no name but that of its structure.
      auto [Whole, Member] = StringRef(V->Says).split('.');
      std::string Name = Member.empty() ? N.of(V.get()) : Whole.str();
      if (!is_contained(Unused, Name))
        Unused.push_back(std::move(Name));
    }
    for (const std::string &Name : Unused) {
      Raised.line("(void)" + Name + ";");
      ++Raised.Statements;
    }
    if (OneThread)
      return branches(*Work, Raised, *OneThread);
    // One statement, since the original may be the body of an `if`.
    if (Raised.Statements == 1 &&
        !(Raised.NeedsBlock && Raised.Lines[0][0] != '#'))
      return Raised;
    // Of tiles nobody reads what they compute.
    Code Said;
    if (isDerivative(F) && goesByTiles(R))
      addComment(Said, notation(R), 2);
    Said.append(Raised);
    Code Block = nested("", Said, true);
    Block.Lines[0] = "{";
    return Block;
  }
  if (Work && !Once)
    if (const auto Less = layoutTest(R, F, Opts, P);
        Less && Less->Text != Threads->Text &&
        Raised.Lines.size() <= ShortText / 4) {
      Options Serial = Opts;
      Serial.OpenMP = false;
      const Names Before = N; // both forms may use the same
      Raised = branches(Threads->Text, Raised,
                        StmtPrinter(Serial, N, P).print(R.Body));
      N = Before;
      Work = Less->quickFirst();
    }
  std::vector<Guard> Guards = R.Rests.Guards;
  // A form that is one expression is there to be read.
  const std::string NotEmpty = hasPlainOriginals(F) &&
                                       Opts.Target == Dialect::OpenMP &&
                                       !isOneForm(R, F, Opts, P, N)
                                   ? notEmptyTest(R, F, P)
                                   : "";
  const auto IsKnown = [&](const Guard &G) {
    return followsFrom(G.Cond, NotEmpty, N);
  };
  if (!all_of(Guards, IsKnown)) // some test chooses between the two forms
    erase_if(Guards, IsKnown);
  std::string First;
  // What is divided for the length of a row is so behind the quick test.
  if (Work && !LongRows.empty())
    Work =
        !Threads->Quick.empty() && StringRef(*Work).starts_with(Threads->Quick)
            ? Threads->Quick + " && " + LongRows + " && " + Threads->Text
            : LongRows + " && " + *Work;
  if (Work)
    First = *Work;
  else if (Several)
    First = Several->quickFirst();
  // Small sizes pay for no other test, nor for the names of ranges. What
  // computes something may need the guards itself: ranges that the original
  // does not have are computed only where the guards hold.
  const bool IsFirst = Work || (Several && Several->Plain);
  const bool IsChoice = StringRef(First).contains(" || ");
  if (!First.empty() && !IsChoice &&
      (IsFirst || !StringRef(First).contains('('))) {
    SmallVector<StringRef, 8> Said;
    StringRef(First).split(Said, " && ");
    erase_if(Guards, [&](const Guard &G) {
      return followsFrom(G.Cond, First, N) ||
             (G.Cond && is_contained(Said, P.value(G.Cond).Text));
    });
  }
  Test = guardCondition(Guards, P);
  // Two tests of ranges or more are written with names for the ranges.
  NamedGuards Named{{}, Test};
  if (count_if(Guards, [](const Guard &G) { return !G.Cond; }) > 1)
    Named = nameGuards(Guards, P, N);
  const bool Apart = Work && hasPlainOriginals(F) && hasCostlyTests(R) &&
                     (!Named.Lines.empty() || !Lead.Lines.empty());
  if (Apart)
    return whereNotEmpty(NotEmpty,
                         afterTests(*Work, Lead, Named, Raised, Original,
                                    N.fresh("apart"), P.isC()));
  if (!First.empty()) {
    if (Guards.size() == 1 && StringRef(Test).contains("||"))
      Named.Condition = "(" + Test + ")";
    if (IsChoice && Test != "true")
      First = "(" + First + ")";
    if (Test == "true")
      Named.Condition = First;
    else if (IsFirst)
      Named.Condition = First + " && " + Named.Condition;
    else
      Named.Condition += " && " + First;
  }
  if (!Work && !LongRows.empty()) {
    if (StringRef(Named.Condition).contains("||"))
      Named.Condition = "(" + Named.Condition + ")";
    Named.Condition = Named.Condition == "true"
                          ? LongRows
                          : LongRows + " && " + Named.Condition;
  }
  if (Work && isDerivative(F) && Named.Lines.empty() && Lead.Lines.empty() &&
      loopsAround(R, F).empty())
    if (auto Once = inOneText(R, Raised, Original, Named.Condition))
      return *Once;
  Code C = branches(Named.Condition, Raised, Original);
  if (Named.Lines.empty() && Lead.Lines.empty())
    return whereNotEmpty(NotEmpty, C);
  Code Block;
  Block.line("{");
  Block.append(Lead, 2);
  for (const std::string &L : Named.Lines)
    Block.line("  " + L);
  Block.append(C, 2);
  Block.line("}");
  Block.Statements = 1;
  return whereNotEmpty(NotEmpty, Block);
}

void noteIndexWidths(const StmtRef &Original, ExprPrinter &P) {
  auto Note = [&](const Access &A) {
    if (!A.isView() && A.Indices.size() == 1)
      P.WideIndex[A.Buf.get()] |= !isNarrowIndex(A.Indices[0]);
  };
  forEachExpr(Original, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Note(L->From);
  });
  forEachStmt(Original, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Note(St->To);
  });
}

} // namespace raise
