//===- SizeTests.cpp - from which size on a region pays -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeTests.h"
#include "BlasCall.h"
#include "Comment.h"
#include "EigenCode.h"
#include "RegionPrinter.h"
#include "Schedule.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

/// Operations from which another order of loops pays.
static constexpr uint64_t LayoutWork = 4000;

std::optional<std::string> formTest(const Region &R, const Function &F,
                                    const Options &Opts, const ExprPrinter &P,
                                    const Names &N) {
  if (Opts.Target != Dialect::Eigen && !Opts.Blas)
    return std::nullopt;
  NotNegative Counters;
  for (const StmtRef &L : loopsAround(R, F))
    if (auto *Counted = dyn_cast<For>(L.get()))
      Counters.enter(*Counted);
  const eigen::Place Where{&Opts, &P, &R.Rests.Guards, &Counters};
  Names Own = N;
  const ArrayRef<StmtRef> Body = statements(R.Body);
  if (auto Call = eigen::blasForm(Body, Where, Own);
      Call && Call->Replaced == Body.size())
    return Call->Test;
  return Opts.Target == Dialect::Eigen ? eigen::testOf(R, Where, N)
                                       : std::nullopt;
}

bool isOneForm(const Region &R, const Function &F, const Options &Opts,
               const ExprPrinter &P, const Names &N) {
  return formTest(R, F, Opts, P, N).has_value();
}

bool paysForLayout(const Region &R, const Function &F) {
  return hasPlainOriginals(F) && R.Rests.Hoisted.empty() &&
         !R.Rests.Inspection && isLaidOutAnew(R);
}

/// What threads have to do for R to pay. The clause of OpenMP would let loops
/// in a better order run without threads at smaller sizes, but clang asks for
/// the thread's number wherever a function with such a clause begins.
static Options threadLimits(const Region &R, const Function &F, Options Opts) {
  if (paysForLayout(R, F))
    Opts.Machine.ParallelWork /= 3;
  return Opts;
}

/// Whether T is more than one loop.
static bool holdsLoops(const TensorOp &T) {
  bool Holds = T.Iterators.size() > 1;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    Holds |= isa<TensorOp>(*S) || isa<For>(*S) || isa<While>(*S);
  });
  return Holds;
}

std::optional<Threshold> sharedWorkTest(const Region &R, const Function &F,
                                        const Options &Opts,
                                        const ExprPrinter &P, const Names &N) {
  ArrayRef<StmtRef> Body = statements(R.Body);
  auto *T = Body.size() == 1 ? dyn_cast<TensorOp>(Body[0].get()) : nullptr;
  const std::vector<StmtRef> Around = loopsAround(R, F);
  // An expression or a call needs its sizes tested, and starts no threads.
  if (auto Test = formTest(R, F, Opts, P, N)) {
    const bool HasOriginal = Opts.Blas || !R.Rests.Guards.empty();
    if (!HasOriginal || Test->empty())
      return std::nullopt;
    return Threshold{Threshold::Test, *Test};
  }
  const bool Plain = hasPlainOriginals(F),
             Computed = !R.Rests.Hoisted.empty() || R.Rests.Inspection;
  if (!T || (!Plain && R.Rests.Guards.empty() && Around.empty()) ||
      ((!Plain || Computed) && compareLoops(R) != LoopOrder::Same))
    return std::nullopt;
  // Within a loop a better order pays by far smaller sizes than threads do:
  // a clause says when these start.
  if (!Around.empty() && paysForLayout(R, F))
    return std::nullopt;
  NotNegative Counters;
  for (const StmtRef &L : Around)
    if (auto *Counted = dyn_cast<For>(L.get()))
      Counters.enter(*Counted);
  if (!planLoop(*T, 0,
                {&Opts, false, &R.Rests.Guards, &Counters, !Around.empty()})
           .Parallel)
    return std::nullopt;
  CounterRanges Ranges;
  for (const StmtRef &L : Around)
    Ranges.addLoop(*L);
  Threshold Limit =
      parallelThreshold(*T, 0, P, threadLimits(R, F, Opts), Ranges);
  if (Limit.When != Threshold::Test)
    return std::nullopt;
  // In a derivative nothing that somebody wrote stands in the other branch. Its
  // text would be the same again: a clause says it once, where it costs little,
  // and rows inside of two loops are not so long that threads pay.
  const bool Once = isDerivative(F) && R.Rests.Guards.empty();
  if (Once && (Limit.Outweighs || (Around.size() > 1 && !holdsLoops(*T))))
    return std::nullopt;
  // No call was made before of what has no original.
  if (!Plain)
    Limit.Quick.clear();
  return Limit;
}

/// Whether the bounds of T, which stands behind Body, and of the loops in it
/// are what they are before Body.
static bool hasBoundsOf(const TensorOp &T, ArrayRef<StmtRef> Body) {
  bool Same = true, Stores = false;
  const auto LookAtNames = [&](const ExprRef &Bound) {
    forEachExpr(Bound, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        for (const StmtRef &S : Body)
          Same &= !assigns(S, U->V.get()) && !declaresInside(S, U->V.get());
    });
  };
  const auto Look = [&](const ExprRef &Bound) {
    forEachExpr(Bound,
                [&](const ExprRef &E) { Same &= !(isa<Load>(*E) && Stores); });
    LookAtNames(Bound);
  };
  for (const StmtRef &S : Body)
    forEachStmt(S, [&](const StmtRef &Sub) { Stores |= isa<Store>(*Sub); });
  for (const Iterator &It : T.Iterators) {
    Look(It.Lo);
    Look(It.Hi);
  }
  // What counts their work is made of these.
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *Inner = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &It : Inner->Iterators) {
        LookAtNames(It.Lo);
        LookAtNames(It.Hi);
      }
    if (auto *L = dyn_cast<For>(S.get())) {
      LookAtNames(L->Lo);
      LookAtNames(L->Hi);
    }
  });
  return Same;
}

/// Whether S goes by blocks in two directions: tiles.
static bool goesByTiles(const StmtRef &S) {
  auto *T = dyn_cast<TensorOp>(S.get());
  return T && count_if(T->Iterators, [](const Iterator &It) {
                auto *By = dyn_cast<IntConst>(It.Step.get());
                return By && By->Value > 1;
              }) > 1;
}

std::optional<Threshold> severalLoopsTest(const Region &R, const Function &F,
                                          const Options &Opts,
                                          const ExprPrinter &P) {
  if (!R.Rests.Hoisted.empty() || R.Rests.Inspection || !hasPlainOriginals(F))
    return std::nullopt;
  CounterRanges Ranges;
  for (const StmtRef &L : loopsAround(R, F))
    Ranges.addLoop(*L);
  std::vector<std::string> Tests;
  std::string Quick;
  bool Plain = true;
  // Tiles are for what takes the original long: so much that starting threads
  // is nothing against it.
  const bool Tiles = R.Rests.Means && any_of(statements(R.Body), goesByTiles);
  const ArrayRef<StmtRef> Body = statements(Tiles ? R.Rests.Means : R.Body);
  const bool InLoop = !loopsAround(R, F).empty(); // where none of several does
  const auto StartsThreads = [&](const StmtRef &S) {
    auto *T = dyn_cast<TensorOp>(S.get());
    return T && !InLoop &&
           planLoop(*T, 0, {&Opts, false, &R.Rests.Guards, nullptr, false})
               .Parallel;
  };
  const bool ForLayout = (paysForLayout(R, F) || (InLoop && Body.size() > 1)) &&
                         none_of(Body, StartsThreads);
  Options Limits = Tiles ? Opts : threadLimits(R, F, Opts);
  if (ForLayout)
    Limits.Machine.ParallelWork =
        std::min(Opts.Machine.ParallelWork, LayoutWork);
  for (size_t I = 0; I < Body.size(); ++I) {
    auto *T = dyn_cast<TensorOp>(Body[I].get());
    if (!T || !(ForLayout || StartsThreads(Body[I])))
      continue;
    Threshold Limit = parallelThreshold(*T, 0, P, Limits, Ranges);
    if (Limit.When == Threshold::Never)
      continue;
    if (Limit.When == Threshold::Always || !hasBoundsOf(*T, Body.take_front(I)))
      return std::nullopt;
    Plain &= Limit.Plain;
    if (is_contained(Tests, Limit.Text))
      continue;
    Quick = Tests.empty() ? Limit.Quick : "";
    Tests.push_back(std::move(Limit.Text));
  }
  if (Tests.empty())
    return std::nullopt;
  return Threshold{Threshold::Test, join(Tests, " || "), Quick, Plain};
}

std::optional<Threshold> layoutTest(const Region &R, const Function &F,
                                    const Options &Opts, const ExprPrinter &P) {
  const ArrayRef<StmtRef> Body = statements(R.Body);
  auto *T = Body.size() == 1 ? dyn_cast<TensorOp>(Body[0].get()) : nullptr;
  if (!T || !paysForLayout(R, F) || !loopsAround(R, F).empty() ||
      Opts.Target != Dialect::OpenMP || Opts.Blas ||
      compareLoops(R) != LoopOrder::Interchanged)
    return std::nullopt;
  Options Limits = Opts;
  Limits.Machine.ParallelWork = std::min(Opts.Machine.ParallelWork, LayoutWork);
  Threshold Limit = parallelThreshold(*T, 0, P, Limits, CounterRanges());
  return Limit.When == Threshold::Test ? std::optional(std::move(Limit))
                                       : std::nullopt;
}

/// Whether a `for` that compares its counter with Bound compares as integers
/// do.
static bool comparesAsNumbers(const For &L, const ExprRef &Bound) {
  const Type &Counter = L.V->Ty, &Ty = withoutImplicitCasts(Bound)->Ty;
  if (!Counter.isInt() || !Ty.isInt())
    return false;
  return Counter.Signed == Ty.Signed &&
         (Counter.Signed || Counter.Bits == Ty.Bits);
}

/// Whether E is made of constants, and of variables from outside of Nest.
static bool isPlainSum(const ExprRef &E, const StmtRef &Nest) {
  bool Plain = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *U = dyn_cast<VarUse>(Sub.get());
    const auto *B = dyn_cast<Binary>(Sub.get());
    Plain &= (U && !declaresInside(Nest, U->V.get())) || isa<IntConst>(*Sub) ||
             isa<Cast>(*Sub) ||
             (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub));
  });
  return Plain;
}

/// Whether C is a number of the text's, and no name for one.
static bool isNumber(const IntConst &C) {
  return (C.Spelling.empty() || isDigit(C.Spelling[0])) &&
         C.Value == int32_t(C.Value);
}

/// The variable V and the constant C of `V + C`, `V - C`.
static std::optional<std::pair<ExprRef, int64_t>>
constantAside(const ExprRef &E) {
  const auto *B = dyn_cast<Binary>(withoutImplicitCasts(E).get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return std::nullopt;
  const auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  if (!C || !isNumber(*C) || !isa<VarUse>(*withoutImplicitCasts(B->L)) ||
      !B->Ty.Signed)
    return std::nullopt;
  return std::pair(B->L, B->Op == BinaryOp::Add ? C->Value : -C->Value);
}

/// The first test of L as a condition of its own; empty where that is not the
/// same. Constants come last.
static std::string firstTest(const For &L, const StmtRef &Nest,
                             const ExprPrinter &P) {
  const auto *Constant = dyn_cast<IntConst>(withoutImplicitCasts(L.Lo).get());
  const auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(L.Hi).get());
  if (!L.DeclaresVar || !comparesAsNumbers(L, L.Hi) || (Constant && Hi) ||
      !isPlainSum(L.Lo, Nest) || !isPlainSum(L.Hi, Nest))
    return "";
  // A counter may be too narrow for what it begins with.
  if (Constant ? Constant->Value < 0 || Constant->Value > INT8_MAX
               : !comparesAsNumbers(L, L.Lo) ||
                     withoutImplicitCasts(L.Lo)->Ty.Bits > L.V->Ty.Bits)
    return "";
  const bool OrEqual = L.Cond == BinaryOp::LE || L.Cond == BinaryOp::GE;
  if (L.Cond == BinaryOp::NE ||
      (OrEqual && !L.V->Ty.Signed)) // `n >= 0` draws a warning
    return "";
  const ExprRef &Left = Constant ? L.Hi : L.Lo;
  const ExprRef &Right = Constant ? L.Lo : L.Hi;
  const auto *Number = Constant ? Constant : Hi;
  if (Number && !isNumber(*Number))
    Number = nullptr;
  std::string Tested = P.value(Left).Text;
  std::string Limit = Number ? itostr(Number->Value) : P.value(Right).Text;
  // Where the sum overflowed, it would in the loop's own test.
  if (const auto Sum = constantAside(Left); Sum && Number) {
    Tested = P.value(Sum->first).Text;
    Limit = itostr(Number->Value - Sum->second);
  }
  return Tested + " " + spelling(Constant ? mirrored(L.Cond) : L.Cond).str() +
         " " + Limit;
}

std::string notEmptyTest(const Region &R, const Function &F,
                         const ExprPrinter &P) {
  if (!loopsAround(R, F).empty())
    return "";
  std::vector<std::string> Texts;
  StmtRef S = R.Original;
  const auto TestOf = [&](const StmtRef &Of) {
    const auto *L = dyn_cast<For>(Of.get());
    return L ? firstTest(*L, R.Original, P) : "";
  };
  while (S) {
    const ArrayRef<StmtRef> Loops = statements(S);
    std::string Text = Loops.empty() ? "" : TestOf(Loops[0]);
    // If the first loop does nothing, it does not change what the second asks.
    if (Text.empty() || any_of(drop_begin(Loops), [&](const StmtRef &Next) {
          return TestOf(Next) != Text;
        }))
      break;
    if (!is_contained(Texts, Text))
      Texts.push_back(std::move(Text));
    S = Loops.size() == 1 ? cast<For>(*Loops[0]).Body : nullptr;
  }
  return join(Texts, " && ");
}

std::string rowTest(const Region &R, ArrayRef<ExprRef> Tests,
                    const ExprPrinter &P) {
  std::vector<std::string> Texts;
  for (const ExprRef &Test : Tests) {
    bool Known = true;
    forEachExpr(Test, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Known &= !isa<Load>(*E) && !isa<Call>(*E) &&
               !(U && (assigns(R.Body, U->V.get()) ||
                       declaresInside(R.Body, U->V.get())));
    });
    std::string Text = P.value(Test).Text;
    if (Known && !is_contained(Texts, Text))
      Texts.push_back(std::move(Text));
  }
  return join(Texts, " && ");
}

bool isTooShortForLayout(const Region &R, const Function &F,
                         const Options &Opts, const ExprPrinter &P) {
  Options Limits = Opts;
  Limits.Machine.ParallelWork = std::min(Opts.Machine.ParallelWork, LayoutWork);
  CounterRanges Ranges;
  for (const StmtRef &L : loopsAround(R, F))
    Ranges.addLoop(*L);
  const auto IsShort = [&](const StmtRef &S) {
    auto *T = dyn_cast<TensorOp>(S.get());
    return !T ||
           parallelThreshold(*T, 0, P, Limits, Ranges).When == Threshold::Never;
  };
  return all_of(statements(R.Body), [&](const StmtRef &S) {
    auto *I = dyn_cast<If>(S.get()); // tiles, where some rows fill them
    return I ? all_of(statements(I->Then), IsShort) : IsShort(S);
  });
}

} // namespace raise
