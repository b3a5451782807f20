//===- OpenMP.cpp - regions and kernels in the OpenMP dialect -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/OpenMP.h"
#include "Comment.h"
#include "DataPasses.h"
#include "Guards.h"
#include "Origins.h"
#include "RegionPrinter.h"
#include "SizeTests.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Unread.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {

void addWords(StringRef Text, std::set<std::string> &Words) {
  while (!Text.empty()) {
    StringRef Word =
        Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (!Word.empty())
      Words.insert(Word.str());
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
}

/// Text without what stands in its string literals, if they are plain.
std::string withoutLiterals(StringRef Text) {
  if (Text.contains('\'') || Text.contains('\\') || Text.contains("R\""))
    return Text.str();
  std::string Out;
  while (!Text.empty()) {
    auto [Code, Rest] = Text.split('"');
    Out += Code.str() + " ";
    Text = Rest.split('"').second;
  }
  return Out;
}

/// The words of all calls of S that do not come back, which are printed as the
/// source has them.
std::set<std::string> wordsOfCalls(const StmtRef &S) {
  std::set<std::string> Words;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *O = dyn_cast<Opaque>(Sub.get()); O && O->NoReturn)
      addWords(withoutLiterals(O->Text), Words);
  });
  return Words;
}

/// Names that nothing in Body may be declared by.
std::shared_ptr<const std::set<std::string>>
taken(const Options &Opts, StringRef Directive, const StmtRef &Body) {
  std::set<std::string> Words = wordsOfCalls(Body);
  addWords(Directive, Words);
  if (Words.empty())
    return Opts.Macros;
  if (Opts.Macros)
    Words.insert(Opts.Macros->begin(), Opts.Macros->end());
  return std::make_shared<std::set<std::string>>(std::move(Words));
}

/// Printers for one function, which know how its source computed indices.
struct Printers {
  Names N;
  ExprPrinter P;
  /// Directive: one whose names must mean the same in what is printed.
  Printers(const Function &F, const Region &R, const Options &Opts,
           StringRef Directive = "")
      : N(F, R.Body, taken(Opts, Directive, R.Body).get(), R.Rests.Inspection),
        P(N, F.LanguageC) {
    if (Opts.HasSizeT)
      P.SizeType = "size_t";
    noteIndexWidths(R.Original, P);
  }
};

std::string render(const Code &C, unsigned Indent) {
  std::string Text;
  for (size_t I = 0; I < C.Lines.size(); ++I) {
    const std::string &L = C.Lines[I];
    bool Flush = I == 0 || L.empty() || L[0] == '#';
    Text += (I ? "\n" : "") + (Flush ? "" : std::string(Indent, ' ')) + L;
  }
  return Text;
}

bool isThreadNest(const StmtRef &S) {
  bool Found = false;
  if (S)
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *L = dyn_cast<For>(Sub.get());
      Found |= L && isThreadLoop(L->LKind);
    });
  return Found;
}

/// Whether the calls of R's body that do not come back mean in the raised form
/// what they mean in the source: they name nothing that the loop sets or
/// declares, and nothing that is reserved, as what a macro becomes may be. What
/// the raised form alone declares has other names.
bool mayRepeatCalls(const Region &R) {
  const std::set<std::string> Words = wordsOfCalls(R.Body);
  bool Ok = none_of(Words, [](StringRef W) { return W.starts_with("__"); });
  const auto Look = [&](const VarRef &V) { Ok &= !Words.count(plainName(*V)); };
  forEachStmt(R.Original, [&](const StmtRef &S) {
    if (auto *A = dyn_cast<Assign>(S.get()))
      Look(A->V);
    else if (auto *D = dyn_cast<Decl>(S.get()))
      Look(D->V);
    else if (auto *L = dyn_cast<For>(S.get()))
      Look(L->V);
    else if (auto *B = dyn_cast<DeclBuffer>(S.get()))
      Ok &= !Words.count(B->B->Name);
    else if (auto *O = dyn_cast<Opaque>(S.get()))
      Ok &= O->NoReturn;
  });
  return Ok;
}

Reason notExpressible(const Region &R, bool IsKernel) {
  const StmtRef &Body = R.Body;
  const bool RepeatsCalls = !IsKernel && mayRepeatCalls(R);
  Reason Why;
  auto Stop = [&](StringRef Text, const SourceLoc &Loc) {
    if (!Why.isSet())
      Why = {"CR1604", Text.str(), Loc};
  };
  forEachStmt(Body, [&](const StmtRef &S) {
    if (isa<Barrier>(*S))
      Stop("a barrier has no meaning in a plain loop", S->Loc);
    else if (auto *O = dyn_cast<Opaque>(S.get());
             O && !O->Pure && !(O->NoReturn && RepeatsCalls))
      Stop("a statement was not understood: " + O->Why, S->Loc);
    else if (auto *L = dyn_cast<For>(S.get()); L && isThreadLoop(L->LKind))
      Stop("a loop over threads is left in the raised form", S->Loc);
    else if (auto *D = dyn_cast<DeclBuffer>(S.get());
             D && D->B->Kind == BufferKind::Shared)
      Stop("shared memory is left in the raised form", S->Loc);
    else if (auto *St = dyn_cast<Store>(S.get()); St && St->Atomic) {
      Combiner Op = St->Op;
      bool Known = Op != Combiner::Min && Op != Combiner::Max &&
                   Op != Combiner::LAnd && Op != Combiner::LOr &&
                   Op != Combiner::Rem;
      // Where each thread has the array to itself, no update is atomic.
      const bool IsOwn =
          !IsKernel && fitsEachThread(*St->To.Buf) &&
          combinesInAnyOrder(Op, St->To.Buf->Elem, St->Value->Ty, FPMode::Fast);
      if (!Known && !IsOwn)
        Stop("OpenMP has no atomic form of this update", S->Loc);
    }
  });
  return Why;
}

const Call *errnoCall(const StmtRef &Body) {
  const Call *Found = nullptr;
  forEachExpr(Body, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    if (C && C->Fn->SetsErrno && !Found)
      Found = C;
  });
  return Found;
}

/// The loops of S that stand in no other.
void outermostLoops(const StmtRef &S, std::vector<StmtRef> &Into) {
  if (!S)
    return;
  if (auto *B = dyn_cast<Block>(S.get())) {
    for (const StmtRef &Sub : B->Body)
      outermostLoops(Sub, Into);
  } else if (auto *I = dyn_cast<If>(S.get())) {
    outermostLoops(I->Then, Into);
    outermostLoops(I->Else, Into);
  } else if (loopsIn(S)) {
    Into.push_back(S);
  }
}

/// How many loops stand in each other in S at most.
unsigned loopDepth(const StmtRef &S) {
  struct Depth : Visitor {
    unsigned Now = 0, Most = 0;
    static unsigned own(const StmtRef &S) {
      auto *T = dyn_cast<TensorOp>(S.get());
      return T ? unsigned(T->Iterators.size())
               : unsigned(isa<For>(*S) || isa<While>(*S));
    }
    bool visitStmt(const StmtRef &S) override {
      Most = std::max(Most, Now += own(S));
      return true;
    }
    void leaveStmt(const StmtRef &S) override { Now -= own(S); }
  } D;
  D.walk(S);
  return D.Most;
}

/// Functions that are an instruction or two, in vectors too.
bool isOneInstruction(StringRef Function) {
  Function.consume_front("std::");
  Function.consume_back("f");
  return is_contained({"fabs", "abs", "fmin", "fmax", "sqrt", "floor", "ceil",
                       "trunc", "rint", "nearbyint", "copysign", "min", "max"},
                      Function);
}

/// Whether the inspection that R begins with does as many steps as its body,
/// each about as dear.
bool inspectionCosts(const Region &R) {
  if (!R.Rests.Inspection || loopDepth(R.Rests.Inspection) < loopDepth(R.Body))
    return false;
  bool Dear = false;
  forEachExpr(R.Body, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    Dear |= C && !isOneInstruction(C->Fn->Name);
  });
  return !Dear;
}

const Region *regionOf(const Function &F) {
  const Region *Found = nullptr;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (auto *R = dyn_cast<Region>(S.get()); R && !Found)
      Found = R;
  });
  return Found;
}

/// The kernel's parameters, after the parts of the launch that are used.
std::string rangeParameters(const Function &Kernel, const Region &R,
                            const Options &Opts) {
  std::string List = parameterList(Kernel, R.Body, Opts);
  if (!rangeNeedsLaunch(Kernel))
    return List;
  return launchParameters(R.Body, /*AllNamed=*/false) +
         (List.empty() ? "" : ", ") + List;
}

} // namespace

// --- Public ------------------------------------------------------------------

/// The loop in S that keeps the author's directive, or null.
static const For *loopUnderDirective(const StmtRef &S) {
  const For *Found = nullptr;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *L = dyn_cast<For>(Sub.get());
    if (L && (L->LKind == LoopKind::Claimed || L->LKind == LoopKind::Simd))
      Found = L;
  });
  return Found;
}

bool keepsDirective(const Region &R) {
  return loopUnderDirective(R.Body) != nullptr;
}

/// The directive that Original starts with, in its lines.
static StringRef directiveOf(const Region &R, StringRef Original) {
  if (!keepsDirective(R) || !Original.starts_with("#"))
    return "";
  size_t End = Original.find('\n');
  while (End != StringRef::npos &&
         Original.take_front(End).rtrim("\r").ends_with("\\"))
    End = Original.find('\n', End + 1);
  return Original.take_front(End).rtrim("\r");
}

/// Directive with what its loop uses now and it could not name, if it asks for
/// every name.
static std::string namingAll(StringRef Directive, const Region &R,
                             const Names &N) {
  const For *Loop = loopUnderDirective(R.Body);
  size_t Default = Directive.find("default");
  StringRef Kind = Default == StringRef::npos
                       ? ""
                       : Directive.drop_front(Default + 7).ltrim(" \t(");
  if (!Loop || !Kind.starts_with("none"))
    return Directive.str();
  std::string Shared;
  forEachStmt(R.Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    if (D && uses(Loop->Body, D->V.get()) &&
        !declaresInside(Loop->Body, D->V.get()))
      Shared += (Shared.empty() ? "" : ", ") + N.of(D->V.get());
  });
  return Directive.str() + (Shared.empty() ? "" : " shared(" + Shared + ")");
}

/// R as it is printed.
static Region printed(const Region &R) {
  return Region(R.Rests, withoutUnread(R.Body), R.Original, R.Loc);
}

std::string emitRegion(const Region &Whole, const Function &In,
                       StringRef Original, const Options &Opts, unsigned Indent,
                       ArrayRef<SourceComment> Comments) {
  const Region R = printed(Whole);
  FunctionRef Printed = withBody(In, withoutUnread(In.Body));
  const Function &F = *Printed;
  const StringRef Directive = directiveOf(R, Original);
  Printers Pr(F, R, Opts, Directive);
  Code C;
  addComment(C, notation(R), Indent);
  addComment(C,
             obligationsText(R, Opts, /*IsKernel=*/false,
                             !isOneForm(R, F, Opts, Pr.P, Pr.N)),
             Indent);
  CommentStock Stock(Comments, R);
  Code Text = regionCode(R, F, originalCode(Original, Indent, R.Loc), Opts,
                         Pr.N, Pr.P, &Stock, namingAll(Directive, R, Pr.N));
  for (const std::string &Rest : Stock.takeRest())
    addSourceComment(C, Rest);
  C.append(Text);
  record(C, In);
  if (Trace *T = currentTrace()) {
    SourceLoc &Replaces = T->Texts.back().Replaces = R.Loc;
    Replaces.Begin = R.Loc.End - unsigned(Original.size());
  }
  return render(C, Indent);
}

bool rangeNeedsLaunch(const Function &Kernel) {
  bool Needs = false;
  if (const Region *R = regionOf(Kernel))
    forEachExpr(R->Body, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Needs |= U && U->V->Kind == VarKind::Launch;
    });
  return Needs;
}

std::string emitRangeFunction(const Function &Kernel, const Options &Opts,
                              StringRef Name, StringRef Instance) {
  const Region *Whole = regionOf(Kernel);
  if (!Whole)
    return "";
  const Region Printed = printed(*Whole), *R = &Printed;
  Printers Pr(Kernel, *R, Opts);
  Code C;
  addComment(C, notation(*R), 0);
  std::string Where = Instance.empty() ? Kernel.Name : Instance.str();
  if (Kernel.Loc.isValid())
    Where += ", " + sys::path::filename(Kernel.Loc.File).str() + ":" +
             std::to_string(Kernel.Loc.Line);
  std::string Says =
      obligationsText(*R, Opts, /*IsKernel=*/true,
                      /*HasLoops=*/!isOneForm(*R, Kernel, Opts, Pr.P, Pr.N));
  const StringRef Alone = "any other launch runs the kernel as written";
  if (size_t At = Says.find(Alone); Kernel.InOrder && At != std::string::npos)
    Says.replace(At, Alone.size(), "else they run one by one");
  addComment(C, Where + ".  " + Says, 0);
  StmtPrinter Printer(Opts, Pr.N, Pr.P);
  Printer.OfKernel = true;
  if (storesBytes(*R))
    Printer.setCaptures(*R, Kernel);
  Code Body = Printer.print(R->Body);
  const std::string Called = Name.empty() ? Kernel.Name + "_range" : Name.str();
  Code Text = nested("static void " + Called + "(" +
                         rangeParameters(Kernel, *R, Opts) + ")",
                     Body, true);
  Text.Lines.front().From = originsOf(Kernel);
  C.append(Text);
  record(C, Kernel);
  return render(C, 0) + "\n";
}

std::string emitLaunchCondition(const Function &Kernel, const Options &Opts) {
  const Region *R = regionOf(Kernel);
  if (!R)
    return "true";
  Printers Pr(Kernel, *R, Opts);
  return guardCondition(R->Rests.Guards, Pr.P);
}

std::string emitGuards(const Region &R, const Function &F,
                       const Options &Opts) {
  Printers Pr(F, R, Opts);
  return guardCondition(R.Rests.Guards, Pr.P);
}

/// Nothing but operations in order: what would be written is what stands there.
static bool keepsAllOrder(const Region &R) {
  if (R.Rests.Ordered.empty())
    return false;
  return all_of(statements(R.Body), [](const StmtRef &S) {
    auto *T = dyn_cast<TensorOp>(S.get());
    return !T || all_of(T->Iterators,
                        [](const Iterator &I) { return isOrdered(I.Kind); });
  });
}

/// Whether the header of L is printed in the form that a directive needs, in
/// which the variable is compared as it is.
static bool isCanonical(const For &L, const Region &R, const Function &F,
                        const Options &Opts) {
  Printers Pr(F, R, Opts);
  Code C = StmtPrinter(Opts, Pr.N, Pr.P).print(std::make_shared<For>(L));
  auto [Init, Rest] = StringRef(C.Lines.front()).split("; ");
  return Rest.starts_with(Pr.N.of(L.V.get()) + " ");
}

/// Whether R's body becomes a call of BLAS, or has one.
static bool callsBlas(const Region &R, const Function &F, const Options &Opts) {
  if (!Opts.Blas)
    return false;
  Printers Pr(F, R, Opts);
  const Code C = bareRegionCode(R.Body, R, F, Opts, Pr.N, Pr.P);
  return any_of(C.Lines, [](StringRef L) { return L.contains("cblas_"); });
}

/// Whether S, of R's body, is a loop that becomes vector code and starts no
/// threads.
static bool isVector(const StmtRef &S, const Region &R, const Function &F,
                     const Options &Opts) {
  Printers Pr(F, R, Opts);
  const Code C = bareRegionCode(S, R, F, Opts, Pr.N, Pr.P);
  return any_of(C.Lines,
                [](StringRef L) { return L.contains("#pragma omp simd"); }) &&
         none_of(C.Lines, [](StringRef L) { return L.contains(" parallel "); });
}

/// In its order, of which the region says no more that it matters: several
/// iterations may run side by side, as compilers see (read-ahead), or each
/// waits for less (scan-by-strips).
static bool runsSideBySide(const Region &R) {
  const ArrayRef<StmtRef> Body = statements(R.Body);
  const auto *T =
      Body.empty() ? nullptr : dyn_cast<TensorOp>(Body.back().get());
  return T && R.Rests.Means && R.Rests.Ordered.empty() &&
         all_of(Body.drop_back(),
                [](const StmtRef &S) { return isa<Decl>(*S); }) &&
         T->Iterators.size() == 1 && isOrdered(T->Iterators.front().Kind) &&
         isa<TensorOp>(*R.Rests.Means) &&
         none_of(statements(T->Body),
                 [](const StmtRef &S) { return isa<TensorOp>(*S); });
}

/// A nest in its order, which another order of its points computes.
static bool freesDiagonals(const Region &R) {
  const auto *T = dyn_cast_or_null<TensorOp>(R.Rests.Means.get());
  return T && R.Rests.Ordered.empty() && T->Iterators.size() > 1 &&
         all_of(T->Iterators,
                [](const Iterator &It) { return isOrdered(It.Kind); });
}

/// Whether R's raised form asks, each time, whether what it uses overlaps.
static bool needsOverlapTests(const Region &R) {
  return any_of(R.Rests.Guards, [](const Guard &G) { return !G.Cond; });
}

Reason whyNotEmit(const Region &R, const Function &F, const Options &Opts) {
  if (const For *L = loopUnderDirective(R.Body);
      L && !isCanonical(*L, R, F, Opts))
    return {"CR1604", "the loop has no form that its directive could stand on",
            L->Loc};
  if (keepsAllOrder(R))
    return {"CR1603", "its order is kept: " + R.Rests.Ordered.front().Why,
            R.Rests.Ordered.front().Loc};
  if (Opts.Target == Dialect::Cuda) // any loop that is free is a kernel
    return {};
  bool IsKernel = isThreadNest(R.Original);
  if (Reason Why = notExpressible(R, IsKernel); Why.isSet())
    return Why;
  if (Opts.FP == FPMode::Strict && Opts.MathErrno && !IsKernel)
    if (const Call *C = errnoCall(R.Body))
      return {"CR1605",
              "'" + C->Fn->Name +
                  "' may set errno, which the raised form "
                  "would not keep",
              C->Loc};
  // A kernel's plain form is what runs without a GPU: it always pays. So does
  // what is computed once where it was in every iteration.
  if (IsKernel || !R.Rests.Hoisted.empty())
    return {};
  if (runsSideBySide(R) || freesDiagonals(R))
    return {};
  // A loop that was taken apart writes in several passes what it wrote in one.
  // Threads do not make up for that where past the caches all is memory's
  // speed.
  WritingPasses Wrote = writingPasses(R.Original),
                Writes = writingPasses(R.Body);
  if (Writes.areMoreThan(Wrote) &&
      !Writes.computeMoreThanTheyMove(Opts.Machine))
    return {"CR1602",
            "the raised form writes in " +
                std::to_string(Writes.Bodies.size()) +
                " passes over the data what the loop writes in " +
                std::to_string(Wrote.Bodies.size()),
            R.Loc};
  if (callsBlas(R, F, Opts))
    return {};
  BufferRef Shared = isa<For>(*R.Original) ? sharedByParts(R.Body) : nullptr;
  if (Shared && !Writes.computeMoreThanTheyMove(Opts.Machine))
    return {"CR1602",
            "the parts of the loop share '" + Shared->Name +
                "', which the raised form would go over once for each",
            R.Loc};
  // By strips, nothing goes over the data again: vectors pay.
  if (const auto Parts = partsByStrips(R); !Parts.empty()) {
    if (all_of(Parts,
               [&](const StmtRef &S) { return isVector(S, R, F, Opts); }))
      return {};
    return {"CR1602",
            "the raised form takes " + std::to_string(Parts.size()) +
                " loops for one, of which not all are vector code",
            R.Loc};
  }
  if (compareLoops(R) == LoopOrder::Interchanged)
    return {};
  if (isLaidOutAnew(R)) {
    Printers Pr(F, R, Opts);
    if (!isTooShortForLayout(R, F, Opts, Pr.P))
      return {};
  }
  if (Opts.OpenMP) {
    Printers Pr(F, R, Opts);
    if (guardsKeepItSmall(R, F, Opts, Pr.P, Pr.N))
      return {"CR1602",
              "the loop is already at its best: the tests that it needs let "
              "only small sizes through",
              R.Loc};
  }
  if (inspectionCosts(R))
    return {"CR1602",
            "looking at the indices first would cost as much as the loop",
            R.Loc};
  // Where one pass over the data became several, each of them has to pay: one
  // that stays as slow as the original was is lost time.
  std::vector<StmtRef> Passes;
  outermostLoops(R.Body, Passes);
  if (loopsIn(R.Body) <= loopsIn(R.Original))
    Passes = {R.Body};
  // Starting threads, or finding that it does not pay, takes as long as some
  // hundred elements: inside a loop, for each part.
  auto Stores = [](const StmtRef &S) { return writingPasses(S).Depth > 0; };
  if (count_if(Passes, Stores) > 1 && !loopsAround(R, F).empty()) {
    // Without threads, each part is what the loop was not: vector code.
    if (isa<For>(*R.Original) && Writes.Bodies.size() == 1 &&
        all_of(Passes, [&](const StmtRef &S) {
          return !Stores(S) || isVector(S, R, F, Opts);
        }))
      return {};
    return {"CR1602",
            "the parts of the loop would each start threads, and in a loop",
            R.Loc};
  }
  // What keeps its order among others stands there as it stood in the loop.
  auto Pays = [&](const Options &With) {
    Printers Pr(F, R, With);
    auto HasOne = [&](const StmtRef &S) {
      return hasPayingPragma(bareRegionCode(S, R, F, With, Pr.N, Pr.P));
    };
    return R.Rests.Ordered.empty() ? all_of(Passes, HasOne)
                                   : any_of(Passes, HasOne);
  };
  if (isRowInNest(R, F) && needsOverlapTests(R)) {
    if (isDerivative(F) && countsDown(R.Original))
      return {};
    Options Serial = Opts;
    Serial.OpenMP = false;
    if (!Pays(Serial))
      return {"CR1602",
              "rows inside of two loops are not so long that threads pay, and "
              "the tests for overlap take as long as a short row",
              R.Loc};
  }
  if (Pays(Opts))
    return {};
  Options Full = Opts;
  Full.OpenMP = Full.OpenMPSimd = true;
  if (!Opts.OpenMP && Pays(Full))
    return {"CR1601",
            "no order of its loops that pays was found; compiled with -fopenmp "
            "it would run in parallel",
            R.Loc};
  if (Passes.size() > 1 && Writes.Bodies.size() == 1)
    return {"CR1602",
            "the pieces of the loop's range are too short for threads", R.Loc};
  if (Passes.size() > 1)
    return {"CR1602",
            "the raised form takes " + std::to_string(Passes.size()) +
                " passes over the data, of which not all are faster than the "
                "loop",
            R.Loc};
  return {"CR1602", "the loop is already at its best", R.Loc};
}

} // namespace raise
