//===- TensorLoops.cpp - tensor operations as loops -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlasCall.h"
#include "Captures.h"
#include "Comment.h"
#include "Origins.h"
#include "OwnArrays.h"
#include "RegionPrinter.h"
#include "StmtPrinter.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace raise {

std::string StmtPrinter::accumulatorName(const Accumulator &A) const {
  // Of two dimensions, clang 19 does not keep sections apart: `h[0:4][0:4]`.
  if (A.Array)
    return A.Array->Name +
           (A.Length ? "[0 : " + P.value(A.Length).Text + "]" : "");
  return A.Element ? Kept.lookup(A.Element) : N.of(A.Scalar.get());
}

/// By how much It counts up; 0: by what is not known.
static int64_t stepOf(const Iterator &It) {
  const auto *By = dyn_cast<IntConst>(withoutImplicitCasts(It.Step).get());
  return By ? By->Value : 0;
}

std::string StmtPrinter::pragma(const TensorOp &T, size_t Level,
                                const LoopPlan &Plan,
                                const Threshold &Limit) const {
  std::string Text = "#pragma omp";
  if (Plan.Parallel)
    Text += " parallel for";
  if (Plan.Simd)
    Text += " simd";
  const size_t Shared =
      Plan.Parallel && !Plan.Simd ? sharedLevels(T, Level, Plan, Limit) : 1;
  const std::string Collapse =
      Shared > 1 ? " collapse(" + std::to_string(Shared) + ")" : "";
  const bool Clause = Plan.Parallel && Limit.When == Threshold::Test &&
                      !WorkTested && !SizesTested;
  // Behind a long clause a line is not broken within it.
  const bool Last = Clause && (Shared > 2 || stepOf(T.Iterators[Level]) > 1);
  if (!Last)
    Text += Collapse;
  std::vector<std::pair<StringRef, std::string>> Clauses;
  for (const Accumulator &A : Plan.Reductions) {
    StringRef Op = reductionOperator(A.Op, typeOf(A));
    auto It = find_if(Clauses, [&](auto &C) { return C.first == Op; });
    if (It == Clauses.end())
      Clauses.push_back({Op, accumulatorName(A)});
    else
      It->second += ", " + accumulatorName(A);
  }
  for (auto &[Op, Listed] : Clauses)
    Text += " reduction(" + Op.str() + " : " + Listed + ")";
  if (Plan.Parallel) {
    const Captures Values =
        In ? capturedValues(T, *In, Of->Body, Plan.Reductions)
        : isOfDerivative()
            ? Captures()
            : Captures{PointersOf
                           ? usedPointers(T, *PointersOf, Plan.Reductions)
                           : std::vector<BufferRef>(),
                       reloadedScalars(T, Plan.Reductions)};
    std::vector<std::string> Listed;
    for (const BufferRef &B : Values.Pointers)
      Listed.push_back(B->Name);
    for (const VarRef &V : Values.Scalars) {
      // A member is handed over with the parameter that it is a part of.
      const std::string Name = StringRef(N.of(V.get())).split('.').first.str();
      if (!is_contained(Listed, Name))
        Listed.push_back(Name);
    }
    if (!Listed.empty())
      Text += " firstprivate(" + join(Listed, ", ") + ")";
  }
  // Without the modifier, `simd` would be off as well.
  if (Clause)
    Text += " if (parallel : " + Limit.Text + ")";
  return Last ? Text + Collapse : Text;
}

/// Of a short chain within a strip, which fills an array of the strip's own:
/// its length, else 0. Strips overlap only where this is straight code, which
/// gcc makes of it at -O3 alone.
static int64_t chainLength(const TensorOp &T, size_t Level) {
  const Iterator &It = T.Iterators[Level];
  const auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  const auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(It.Hi).get());
  if (It.Kind != IterKind::Scan || Level + 1 != T.Iterators.size() || !Lo ||
      !Hi || Hi->Value - Lo->Value > 16)
    return 0;
  bool FillsOwn = false, Other = false;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      (St->To.Buf->Kind == BufferKind::Local ? FillsOwn : Other) = true;
    Other |= isa<TensorOp>(S.get()) || isa<For>(S.get());
  });
  return FillsOwn && !Other ? Hi->Value - Lo->Value : 0;
}

/// How many loops stand in T's from Level inwards.
static unsigned loopsFrom(const TensorOp &T, size_t Level) {
  unsigned Count = unsigned(T.Iterators.size() - Level);
  forEachStmt(T.Body, [&](const StmtRef &S) {
    Count += isa<For>(*S) || isa<While>(*S);
    if (auto *Inner = dyn_cast<TensorOp>(S.get()))
      Count += unsigned(Inner->Iterators.size());
  });
  return Count;
}

/// Whether the loop below T's at Level is shared out together with it, since
/// the outer one alone may have too few iterations for all threads: both go by
/// blocks; or a few rows of rows, as of a batch, each do so much that it counts
/// for nothing which they are (clang divides once for each); or each thread has
/// rows of its own to add up afterwards.
bool StmtPrinter::sharesNext(const TensorOp &T, size_t Level,
                             const LoopPlan &Plan,
                             const Threshold &Limit) const {
  const Iterator &Outer = T.Iterators[Level], &Inner = T.Iterators[Level + 1];
  const bool Blocks = stepOf(Outer) > 1 && stepOf(Inner) > 1;
  // Both ranges are computed beforehand, also where the outer one is empty.
  const auto IsPlain = [](const ExprRef &E) {
    const ExprRef Bare = withoutImplicitCasts(E);
    return isa<VarUse>(*Bare) || isa<IntConst>(*Bare);
  };
  // A size that is tested, or known, is large.
  const bool IsKnown = isa<IntConst>(*withoutImplicitCasts(Outer.Hi)) ||
                       isa<IntConst>(*withoutImplicitCasts(Inner.Hi)) ||
                       !StringRef(Limit.Text).contains(" * ");
  const bool OwnRows = any_of(Plan.Reductions, [](const Accumulator &A) {
    return A.Length != nullptr;
  });
  const bool Rows = stepOf(Outer) == 1 && stepOf(Inner) == 1 && !IsKnown &&
                    IsPlain(Inner.Lo) && IsPlain(Inner.Hi) &&
                    loopsFrom(T, Level + 2) > (OwnRows ? 0 : 1);
  // Tiles for each of a batch.
  const bool Batch = stepOf(Outer) == 1 && stepOf(Inner) > 1 &&
                     Level + 2 < T.Iterators.size() &&
                     stepOf(T.Iterators[Level + 2]) > 1 && IsPlain(Inner.Lo) &&
                     IsPlain(Inner.Hi);
  return (Blocks || Rows || Batch) &&
         planLoop(T, Level + 1,
                  {&Opts, InParallel, Tested, &Counters, false, true, OfKernel})
             .Parallel;
}

/// How many loops of T's from Level inwards are shared out as one.
size_t StmtPrinter::sharedLevels(const TensorOp &T, size_t Level,
                                 const LoopPlan &Plan,
                                 const Threshold &Limit) const {
  size_t Count = 1;
  const auto IsFree = [&](const Iterator &Inner) {
    for (size_t L = Level; L < Level + Count; ++L)
      if (uses(Inner.Lo, T.Iterators[L].V.get()) ||
          uses(Inner.Hi, T.Iterators[L].V.get()))
        return false;
    return true;
  };
  // Rows are shared out with the rows below them, no further.
  bool More = true;
  while (More && Level + Count < T.Iterators.size() &&
         stepOf(T.Iterators[Level + Count - 1]) > 0 &&
         stepOf(T.Iterators[Level + Count]) > 0 &&
         IsFree(T.Iterators[Level + Count]) &&
         sharesNext(T, Level + Count - 1, Plan, Limit)) {
    More = stepOf(T.Iterators[Level + Count]) > 1;
    ++Count;
  }
  return Count;
}

Code StmtPrinter::tensorBody(const TensorOp &T) {
  Code Body = print(T.Body);
  if (!T.Mask)
    return Body;
  return nested("if (" + P.condition(T.Mask).Text + ")", Body,
                Body.Lines.size() > 1);
}

/// Whether nothing in S declares or sets what E reads.
static bool isFixedIn(const ExprRef &E, const StmtRef &S) {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Fixed &= !isa<Load>(*Sub) && !(U && assigns(S, U->V.get()));
  });
  return Fixed;
}

/// What is kept in a scalar is read before the loop and written after it, which
/// the original does only if it runs at all.
Code StmtPrinter::keptInScalars(const TensorOp &T, size_t Level,
                                const std::vector<Accumulator> &Fresh,
                                const Code &Loop) {
  Code C;
  for (const Accumulator &A : Fresh)
    C.line(P.typeOf(typeOf(A)) + " " + Kept[A.Element] + " = " +
           P.access(A.Element->To) + ";");
  C.append(Loop);
  for (const Accumulator &A : Fresh) {
    const std::string To = P.access(A.Element->To), &Result = Kept[A.Element];
    // The source stores what is more (less) than before, and nothing else: the
    // element may be one that is only read.
    const bool Max = A.Op == Combiner::Max,
               Extremum = Max || A.Op == Combiner::Min;
    if (Extremum)
      C.line("if (" + Result + (Max ? " > " : " < ") + To + ")");
    C.line((Extremum ? "  " : "") + To + " = " + Result + ";");
  }
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = true;
  std::string Runs;
  for (size_t I = Level; I < T.Iterators.size(); ++I) {
    ExprRef Test = sizeTest(BinaryOp::GT, T.Iterators[I].Hi, T.Iterators[I].Lo);
    if (auto *K = dyn_cast<IntConst>(Test.get()); K && K->Value)
      continue;
    if (SizesOf && isFixedIn(T.Iterators[I].Hi, SizesOf) &&
        followsFrom(Test, SizeTest, N))
      continue;
    // A loop of the same bounds is running.
    if (any_of(Running, [&](const auto &Outer) {
          return structurallyEqual(Outer.first, Test) &&
                 isFixedIn(Test, Outer.second);
        }))
      continue;
    Runs += (Runs.empty() ? "" : " && ") + P.value(Test).Text;
  }
  return Runs.empty() ? C : nested("if (" + Runs + ")", C, true);
}

/// OpenMP counts the iterations beforehand, in the variable's type: where the
/// loop does not run at all, the difference of its bounds may not fit.
static ExprRef runsAtAll(const Iterator &It, const Threshold &Limit,
                         bool WorkTested) {
  auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(It.Hi).get());
  // A test of this one size says that it is large.
  bool Known = WorkTested && Limit.When == Threshold::Test &&
               !StringRef(Limit.Text).contains(" * ");
  if (!It.V->Ty.Signed || It.V->Ty.Bits < 32 || Known || (Lo && Hi) ||
      (Lo && Lo->Value <= 0))
    return nullptr;
  return Lo ? sizeTest(BinaryOp::GT, It.Hi, It.Lo) : build::lt(It.Lo, It.Hi);
}

/// The end of It, if it is a variable and Limit a test of it alone.
static VarRef onlySize(const Iterator &It, const Threshold &Limit,
                       const Names &N) {
  const auto *U = dyn_cast<VarUse>(withoutImplicitCasts(It.Hi).get());
  return U && StringRef(Limit.Text).starts_with(N.of(U->V.get()) + " > ")
             ? U->V
             : nullptr;
}

void StmtPrinter::setAround(const Region &R, const Function &F) {
  Tested = &R.Rests.Guards;
  for (const StmtRef &L : loopsAround(R, F)) {
    Repeated = true;
    Ranges.addLoop(*L);
    if (auto *Counted = dyn_cast<For>(L.get()))
      Counters.enter(*Counted);
    Of = &R;
    In = &F;
  }
}

/// What a loop that a pass laid out is for, where its text does not say so.
static std::string purposeOf(StringRef OpKind) {
  if (OpKind.consume_front("tiles of "))
    return "Tiles of " + OpKind.str() + " sums, which stay in registers.";
  if (OpKind.consume_front("bands of "))
    return "Bands of " + OpKind.str() + ".";
  return OpKind == "left over" ? "Rows that fill no band."
         : OpKind == "strip"   ? "In one piece, and zero beyond the end."
         : OpKind == "rest"    ? "Rows that fill no tile."
                               : "";
}

Code StmtPrinter::tensorLoop(const TensorOp &T, size_t Level) {
  if (Level == T.Iterators.size())
    return tensorBody(T);
  if (!OwnArrays.empty())
    if (StmtRef Body = withPlainUpdates(T, OwnArrays); Body != T.Body)
      return tensorLoop(
          TensorOp(T.Iterators, T.Mask, std::move(Body), T.OpKind, T.Loc),
          Level);
  if (std::string Purpose = Level ? "" : purposeOf(T.OpKind);
      !Purpose.empty() && !InPurpose) {
    const SaveAndRestore Once(InPurpose, true);
    Code C;
    addComment(C, Purpose, 2);
    C.append(tensorLoop(T, Level));
    C.Statements = 1;
    C.NeedsBlock = true;
    return C;
  }
  const SaveAndRestore Inside(InPurpose, false);
  if (auto Call = blasCall(T, Level))
    return *Call;
  if (auto Calls = blasBatch(T, Level))
    return *Calls;
  if (auto Form = eigenForm(T, Level))
    return *Form;
  const Iterator &It = T.Iterators[Level];
  LoopPlan Plan = planLoop(T, Level,
                           {&Opts, InParallel, Tested, &Counters,
                            Repeated && !Level, Repeated, OfKernel});
  if (InSimd) // written out
    Plan = LoopPlan();
  if (Plan.Simd && (InLoop || Level > 0))
    if (const ExprRef Long = shortRowTest(It, Plan.Reductions)) {
      RowTests.push_back(Long);
      Plan.Simd &= !ShortRows;
    }
  Threshold Limit;
  if (!AsLoops && !InParallel && eigen::batchOf(T, Level, eigenPlace(), N))
    Plan.Parallel = Plan.Simd = false;
  if (Plan.Parallel) {
    Limit = parallelThreshold(T, Level, P, Opts, Ranges);
    if (Limit.When == Threshold::Never ||
        (Limit.When == Threshold::Test && Repeated && !WorkTested &&
         !(LayoutTested && Running.empty()) &&
         !(isOfDerivative() && Limit.Outweighs)))
      Plan.Parallel = false;
  }
  if (Plan.Parallel && !mayCombine(T, Plan))
    Plan.Simd = false;
  if (Plan.Parallel && OneTeam) {
    append_range(Plan.Reductions,
                 updatedArrays(T, Tested ? ArrayRef<Guard>(*Tested)
                                         : ArrayRef<Guard>()));
    // Elements that threads have to update together take longer than the loop.
    Plan.Parallel = !updatesTogether(T, Plan.Reductions);
  }
  std::vector<Accumulator> Fresh;
  if (Plan.Parallel || Plan.Simd)
    for (const Accumulator &A : Plan.Reductions)
      if (A.Element && !Kept.count(A.Element)) {
        Fresh.push_back(A);
        Kept[A.Element] = N.fresh(A.Op == Combiner::Add   ? "sum"
                                  : A.Op == Combiner::Mul ? "product"
                                                          : "result");
      }
  std::string Pragma;
  if (Plan.Parallel && Limit.When == Threshold::Test && !WorkTested &&
      !SizesTested)
    Clauses.push_back({Limit.Text, onlySize(It, Limit, N)});
  if (Plan.Parallel || Plan.Simd)
    Pragma = pragma(T, Level, Plan, Limit);
  else if (const int64_t Length = OnDevice ? 0 : chainLength(T, Level))
    Pragma = "#pragma GCC unroll " + std::to_string(Length);

  bool Outer = InParallel;
  InParallel |= Plan.Parallel;
  Code Body;
  {
    const SaveAndRestore Mine(OwnArrays);
    const SaveAndRestore Shared(SharedWrites);
    if (Plan.Parallel)
      append_range(SharedWrites, sharedWrites(T, Level, OfKernel));
    for (const Accumulator &A : Plan.Reductions)
      if (A.Array)
        OwnArrays.insert(A.Array.get());
    const SaveAndRestore In(Repeated, true), InOurs(InLoop, true);
    const SaveAndRestore Vector(InSimd, InSimd || Plan.Simd);
    const SaveAndRestore Outside(Counters);
    Counters.enter(It);
    Running.push_back({sizeTest(BinaryOp::GT, It.Hi, It.Lo), T.Body});
    Body = inside([&] { return tensorLoop(T, Level + 1); });
    Running.pop_back();
  }
  InParallel = Outer;

  std::string Name = N.of(It.V.get());
  ExprRef Test = build::lt(build::var(It.V), build::cast(It.Hi, It.V->Ty));
  Code Loop;
  if (!Pragma.empty())
    Loop.line(Pragma);
  Loop.append(nested("for (" + P.typeOf(It.V->Ty) + " " + Name + " = " +
                         P.initialiser(It.Lo) + "; " + P.value(Test).Text +
                         "; " + stepText(Name, It.Step, P) + ")",
                     Body));
  if (currentTrace())
    markLines(Loop, originsOf(T, It));
  Loop.Statements = 1;
  Loop.NeedsBlock = !Pragma.empty();
  ExprRef Runs = Plan.Parallel ? runsAtAll(It, Limit, WorkTested) : nullptr;
  if (!Fresh.empty())
    Loop = keptInScalars(T, Level, Fresh, Loop);
  else if (Runs)
    Loop = nested("if (" + P.value(Runs).Text + ")", Loop);
  for (const Accumulator &A : Fresh)
    Kept.erase(A.Element);
  return Loop;
}

} // namespace raise
