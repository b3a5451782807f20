//===- Loops.cpp - may the iterations of a loop run in any order? ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Loops.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "Reductions.h"
#include "raise/Analysis/Conflicts.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// Regions do what their originals do; only those are analysed.
class RegionStripper : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (const auto *R = dyn_cast<Region>(S.get()))
      return run(R->Original);
    return S;
  }
};

class LoopAnalysis : LoopProof {
public:
  LoopAnalysis(const LoopQuery &Q, const Function &F, const Context &Ctx,
               bool Inspect)
      : LoopProof(Q, F, Ctx, Inspect) {}
  LoopFacts run();
  /// What run() found that gives a conflict.
  const std::optional<Conflict> &met() const { return Met; }

private:
  bool isApart(const Touch &First, Needs &N);
  std::optional<ReductionInfo> matchElement(const Touch &First);
  void findElementReductions();
  bool mayShare(const Touch &A, const Touch &B) const;
  bool mayStoreTheSame(const Touch &A, const Touch &B) const;
  bool writesFirst(const Touch &A, const Touch &B) const;
  bool isUpdate(const Touch &A, const Touch &B) const;
  unsigned weight(const Touch &A, const Touch &B, StringRef Code,
                  bool Distance) const;
  void comparePairs();
  Reason describe(const Touch &A, const Touch &B, const Meeting &M) const;
  bool isSameInEach(const Touch &A, const Touch &B) const;
  bool hangsOnLoop(const Touch &T) const;
  Reason blame(const Touch &A, const Touch &B) const;
  void fail(LoopFacts::Result R, Reason Why) {
    if (Facts.R == LoopFacts::Result::Conflict)
      return;
    if (R == LoopFacts::Result::Conflict || !Facts.Why.isSet()) {
      Facts.R = R;
      Facts.Why = std::move(Why);
    }
  }

  bool avoids(const Meeting &M);

  LoopFacts Facts;
  std::optional<Conflict> Met;
  Needs N;
  Needs RaceFree;
  std::set<const Touch *> Reduced; ///< accesses of reductions' elements
};

} // namespace

/// Whether T is of the element that First writes, of which every iteration has
/// the same.
static bool isOfElement(const Touch &T, const Touch &First) {
  return T.At.Buf == First.At.Buf && T.P == First.P;
}

/// Whether no other access of its buffer meets the element, in any two
/// iterations or in one, under N.
bool LoopAnalysis::isApart(const Touch &First, Needs &N) {
  for (const Touch &Other : W.Touches) {
    if (Other.At.Buf != First.At.Buf || isOfElement(Other, First))
      continue;
    for (const Touch &Own : W.Touches)
      if (isOfElement(Own, First))
        for (When Pairs : {When::Different, When::Same}) {
          Meeting M = Test.test(Own, Other, Pairs);
          if (M.V != Meeting::Verdict::Never)
            return false;
          N = N + M.N;
        }
  }
  return true;
}

/// The element of First as a reduction, if all that the loop does with it is to
/// update it by one operator.
std::optional<ReductionInfo> LoopAnalysis::matchElement(const Touch &First) {
  unsigned Count = 0;
  for (const Touch &T : W.Touches)
    if (isOfElement(T, First)) {
      ++Count;
      if (T.Atomic || T.At.Field != First.At.Field)
        return std::nullopt;
    }
  // Spelled in this way or that. (One that is spelled so and means another
  // element makes the counts differ.)
  auto IsElement = [&](const Access &At) {
    return any_of(W.Touches, [&](const Touch &T) {
      return isOfElement(T, First) && sameAccess(T.At, At);
    });
  };
  auto IsTarget = [&](const ExprRef &E) {
    const auto *L = dyn_cast<Load>(E.get());
    return L && IsElement(L->From);
  };
  auto IsWrite = [&](const StmtRef &St) {
    const auto *W = dyn_cast<Store>(St.get());
    return W && IsElement(W->To);
  };
  UpdateMatcher M{IsTarget, IsWrite};
  ReductionInfo R;
  R.Element = First.At;
  R.Loc = First.Loc;
  R.Op = Combiner::None;
  unsigned Matched = 0;
  bool Ok = true;
  std::set<const Stmt *> Inside;
  forEachStmt(Q.Loop->Body, [&](const StmtRef &St) {
    if (Inside.count(St.get()))
      return;
    auto U = M.match(St);
    if (!U)
      return;
    if (const auto *I = dyn_cast<If>(St.get()))
      for (const StmtRef &Sub : statements(I->Then))
        Inside.insert(Sub.get());
    Ok &= !U->Inexact && (R.Op == Combiner::None || R.Op == U->Op);
    R.Op = U->Op;
    Matched += 1 + U->Reads;
  });
  if (!Ok || Matched != Count)
    return std::nullopt;
  R.Rounds = First.At.Buf->Elem.isFloat() &&
             (R.Op == Combiner::Add || R.Op == Combiner::Mul);
  return R;
}

/// Elements of which every iteration has the same, updated by operators that
/// commute, and met by nothing else.
void LoopAnalysis::findElementReductions() {
  if (Q.Threads) // they would lose updates: what is not atomic is a race
    return;
  for (const Touch &First : W.Touches) {
    if (!First.writes() || S.varies(First.P) || Reduced.count(&First))
      continue;
    auto R = matchElement(First);
    Needs Apart;
    if (!R || !isApart(First, Apart))
      continue;
    N = N + First.N + Apart;
    for (const Touch &T : W.Touches)
      if (isOfElement(T, First))
        Reduced.insert(&T);
    Facts.Reductions.push_back(std::move(*R));
  }
}

/// Whether the order of A and B matters if they meet.
bool LoopAnalysis::mayShare(const Touch &A, const Touch &B) const {
  if (!A.writes() && !B.writes())
    return false;
  if (A.Atomic && B.Atomic)
    return false;
  // Threads that store one and the same value do not mind the order.
  if (Q.Threads && A.By && B.By && A.Op == Combiner::None &&
      B.Op == Combiner::None && structurallyEqual(*A.By->Value, *B.By->Value) &&
      W.isInvariant(A.By->Value))
    return false;
  return true;
}

/// Whether A and B store one value unless it changes through an alias.
bool LoopAnalysis::mayStoreTheSame(const Touch &A, const Touch &B) const {
  return A.By && B.By && A.Op == Combiner::None && B.Op == Combiner::None &&
         structurallyEqual(*A.By->Value, *B.By->Value) && A.FixedValue &&
         B.FixedValue;
}

static std::string name(const Access &At) {
  return sourceText(build::load(At));
}

/// Whether At is found by a variable of V's name that is not V.
static bool namesAnother(const Access &At, const Var &V) {
  bool Yes = false;
  forEachExpr(build::load(At), [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    Yes |= U && U->V.get() != &V && U->V->Name == V.Name && U->V->Says.empty();
  });
  return Yes;
}

Reason LoopAnalysis::describe(const Touch &A, const Touch &B,
                              const Meeting &M) const {
  std::string I = Q.Loop->V->Name;
  bool BothWrite = A.writes() && B.writes();
  // In 'c[i]' of a function that the loop calls, 'i' may be that one's.
  bool Ambiguous =
      namesAnother(A.At, *Q.Loop->V) || namesAnother(B.At, *Q.Loop->V);
  std::string Distance;
  if (M.Distance)
    Distance = " (distance " + std::to_string(std::abs(*M.Distance)) + ")";
  const std::string Loop = Ambiguous ? "the loop" : "'" + I + "'";
  const std::string Other =
      Ambiguous ? ", where '" + I + "' is another variable" : "";
  // `y[j] += e`, and `y[j] = y[j] + e`.
  if (isUpdate(A, B))
    return {"CR1101",
            "the iterations of " + Loop + " update one element, '" +
                name(A.At) + "'" + Other + ", one after the other",
            B.Loc};
  if (BothWrite) {
    std::string As =
        &A == &B || sameAccess(A.At, B.At)
            ? "'" + name(A.At) + "'"
            : "as '" + name(A.At) + "' and as '" + name(B.At) + "'";
    return {"CR1103",
            "two iterations of " + Loop + " write one element, " + As + Other +
                Distance,
            B.Loc};
  }
  if (!M.Distance && !hangsOnLoop(A) && !hangsOnLoop(B))
    return {"CR1101",
            "the iterations of " + Loop + " share their elements" + Other +
                ": each reads '" + name(B.At) + "' and writes " +
                (name(A.At) == name(B.At) ? "it" : "'" + name(A.At) + "'"),
            B.Loc};
  // A writes and B reads. Where the iterations are numbered by the variable
  // itself and it runs down, the order is the other way round.
  bool ByValue = W.Root.V.P == Poly::atom(W.Root.A);
  const auto *Step = dyn_cast<IntConst>(Q.Loop->Step.get());
  bool Flow = Test.countsDown() ? M.BFirst : M.AFirst;
  const char *Code = Flow ? "CR1101" : "CR1102";
  std::string Verb = Flow ? "writes" : "writes later";
  if (M.Distance && (ByValue || Step) && !Ambiguous) {
    int64_t Back = *M.Distance * (ByValue ? 1 : Step->Value);
    std::string Which =
        I + (Back > 0 ? " - " : " + ") + std::to_string(std::abs(Back));
    return {Code,
            "iteration " + I + " reads '" + name(B.At) + "', which iteration " +
                Which + " " + Verb + Distance,
            B.Loc};
  }
  return {Code,
          "an iteration reads '" + name(B.At) + "', which another " + Verb +
              (sameAccess(A.At, B.At) ? "" : " as '" + name(A.At) + "'"),
          B.Loc};
}

/// Whether each iteration has the same elements of A and of B: nothing that
/// finds them hangs on the loop's variable.
bool LoopAnalysis::isSameInEach(const Touch &A, const Touch &B) const {
  return A.P == B.P && A.Iterators == B.Iterators && !A.Conditions &&
         !B.Conditions && A.Exact && B.Exact && !hangsOnLoop(A);
}

/// Whether the loop's variable has a part in which elements T is.
bool LoopAnalysis::hangsOnLoop(const Touch &T) const {
  std::set<AtomId> Seen, Todo = T.P.atoms();
  for (AtomId I : T.Iterators)
    if (I != W.Root.A)
      Todo.insert(I);
  while (!Todo.empty()) {
    const AtomId X = *Todo.begin();
    Todo.erase(X);
    if (!Seen.insert(X).second || !S[X].Varies)
      continue;
    if (X == W.Root.A || S[X].From != Origin::Iterator)
      return true;
    for (const auto *Bounds : {&S[X].Lo, &S[X].Hi})
      for (const Bounded &Each : *Bounds)
        for (AtomId Y : Each.P.atoms())
          Todo.insert(Y);
  }
  return false;
}

/// Why it is not known whether A and B meet.
Reason LoopAnalysis::blame(const Touch &A, const Touch &B) const {
  for (const Touch *T : {&A, &B})
    for (AtomId X : T->P.atoms())
      if (!S[X].Code.empty() && S[X].From == Origin::Unknown) {
        std::string Code = S[X].Code;
        if (Code == "CR1109" && !T->writes())
          Code = "CR1104";
        if (Code == "CR1109")
          return {Code,
                  "the store to '" + name(T->At) +
                      "' may hit one element twice: " + S[X].Text,
                  T->Loc};
        return {Code, "the subscript of '" + name(T->At) + "': " + S[X].Text,
                T->Loc};
      }
  if (isSameInEach(A, B))
    return {A.writes() && B.writes() ? "CR1103" : "CR1101",
            A.writes() && B.writes()
                ? "every iteration writes the same elements, '" + name(A.At) +
                      "'"
                : "every iteration reads and writes the same elements, '" +
                      name(B.At) + "'",
            B.Loc};
  if (A.writes() && B.writes())
    return {"CR1103",
            "two iterations may write one element of '" + A.At.Buf->Name +
                "', as '" + name(A.At) + "'" +
                (&A == &B || sameAccess(A.At, B.At)
                     ? ""
                     : " and as '" + name(B.At) + "'"),
            A.Loc};
  return {"CR1101",
          "an iteration may read '" + name(B.At) + "', which another writes" +
              (name(A.At) == name(B.At) ? "" : " as '" + name(A.At) + "'"),
          B.Loc};
}

/// Whether each iteration of the loop writes what B reads, by A, before that,
/// if A ever does: `a[j]` and `a[j - 1]` for all j, one after the other.
bool LoopAnalysis::writesFirst(const Touch &A, const Touch &B) const {
  if (A.How != MemoryAccess::Mode::Write || A.Conditions || !A.Exact)
    return false;
  if (&A < &B && sameAccess(A.At, B.At))
    return true;
  if (A.Iterators.size() < 2 || A.Iterators != B.Iterators || hangsOnLoop(A))
    return false;
  const Poly Apart = A.P - B.P;
  const auto Parts = A.P.splitLinear(A.Iterators.back());
  const int64_t By =
      Parts && Parts->first.isConstant() ? Parts->first.constantTerm() : 0;
  return Apart.isConstant() && By != 0 && Apart.constantTerm() % By == 0 &&
         Apart.constantTerm() / By > 0;
}

/// Whether B reads the element of an array that A gives a new value, in a loop
/// inside of this one.
bool LoopAnalysis::isUpdate(const Touch &A, const Touch &B) const {
  return (A.writes() && B.writes() ? A.Op != Combiner::None && A.Op == B.Op
                                   : A.In == B.In) &&
         A.Iterators.size() > 1 && !Q.Threads && sameAccess(A.At, B.At);
}

/// How much A and B, of which A writes, say of the loop if they meet. That a
/// value flows is said rather than that both write, or that a value is
/// replaced: copies of its own for each iteration would not help. That an
/// element is updated could mean a sum, whose order is free. Among those of one
/// kind, one with a distance says most; else the innermost ones are not for the
/// edges only.
unsigned LoopAnalysis::weight(const Touch &A, const Touch &B, StringRef Code,
                              bool Distance) const {
  // What the iteration's first access of an array replaces does not flow.
  const auto First = llvm::find_if(
      W.Touches, [&](const Touch &T) { return T.At.Buf == A.At.Buf; });
  const bool Replaced = First->How == MemoryAccess::Mode::Write;
  const bool Both =
      A.How == MemoryAccess::Mode::Write && B.How == MemoryAccess::Mode::Write;
  const unsigned Depth =
      Distance ? 15
               : std::min<size_t>(
                     {A.Iterators.size(), B.Iterators.size(), size_t(14)});
  unsigned Kind = 4;
  if (Both)
    Kind = 2;
  else if ((!Code.empty() && Code != "CR1101") || Replaced || writesFirst(A, B))
    Kind = 1;
  else if (isUpdate(A, B))
    Kind = 3;
  return Kind * 16 + Depth;
}

/// Whether P >= 0 leaves no more than one thread, or none.
static bool isTooFew(const Poly &P) {
  const auto &Terms = P.terms();
  return Terms.size() <= 2 && P.constantTerm() <= 1;
}

/// Has a test of the launch exclude M, which is of two threads.
bool LoopAnalysis::avoids(const Meeting &M) {
  Needs All;
  for (const std::vector<Poly> &Any : M.Avoiding) {
    std::optional<Needs> Found;
    for (const Poly &P : Any)
      if (!Found && !isTooFew(P))
        Found = S.require(P, "no two threads meet");
    if (!Found)
      return false;
    All = All + *Found;
  }
  if (M.Avoiding.empty() || S.contradictory(RaceFree + All))
    return false;
  RaceFree = RaceFree + All;
  return true;
}

/// Facts that one loop's tests may be made of: nobody reads more, and each new
/// one is held against all others.
static constexpr size_t MostTests = 96;

void LoopAnalysis::comparePairs() {
  unsigned Told = 0, Looks = 0; // of the conflict in Facts; for a better one
  for (size_t I = 0; I < W.Touches.size(); ++I)
    for (size_t J = I; J < W.Touches.size(); ++J) {
      const Touch *A = &W.Touches[I], *B = &W.Touches[J];
      if (A->At.Buf != B->At.Buf || Reduced.count(A) || Reduced.count(B) ||
          !mayShare(*A, *B))
        continue;
      if (!A->writes())
        std::swap(A, B);
      const bool Conflicts = Facts.R == LoopFacts::Result::Conflict;
      if (Conflicts && (weight(*A, *B, "", false) <= Told || ++Looks > 64))
        continue;
      Meeting M = Test.test(*A, *B);
      switch (M.V) {
      case Meeting::Verdict::Never: {
        Needs Both = N + M.N;
        if (Both.size() > N.size() &&
            (Both.size() > MostTests || S.contradictory(Both)))
          fail(LoopFacts::Result::Unknown, blame(*A, *B));
        else
          N = std::move(Both);
        continue;
      }
      case Meeting::Verdict::Proved: {
        if (Q.Threads && mayStoreTheSame(*A, *B)) {
          fail(LoopFacts::Result::Unknown, blame(*A, *B));
          continue;
        }
        if (Q.Threads && avoids(M)) {
          if (!Facts.Race.isSet())
            Facts.Race = describe(*A, *B, M);
          continue;
        }
        Reason Why = describe(*A, *B, M);
        const unsigned Weight =
            weight(*A, *B, Why.Code, M.Distance.has_value());
        if (!Conflicts || Weight > Told)
          Met = Conflict{Q.Loop->Loc, name(A->At), name(B->At), B->writes(),
                         M.Distance};
        if (Conflicts && Weight > Told)
          Facts.Why = std::move(Why);
        else
          fail(LoopFacts::Result::Conflict, std::move(Why));
        Told = std::max(Told, Weight);
        continue;
      }
      case Meeting::Verdict::Unknown:
        fail(LoopFacts::Result::Unknown, blame(*A, *B));
        continue;
      case Meeting::Verdict::Budget:
        fail(LoopFacts::Result::Unknown,
             {"CR1190",
              "whether iterations are independent was not decided within the "
              "allowed number of operations",
              A->Loc});
        return;
      }
    }
}

LoopFacts LoopAnalysis::run() {
  const For &L = *Q.Loop;
  if (Reason Hazard = findHazard(L); Hazard.isSet()) {
    fail(LoopFacts::Result::Unknown, Hazard);
    return Facts;
  }
  ScalarFacts Scalars = analyseScalars(L, Q.LiveOut);
  if (Scalars.Why.isSet()) {
    bool Carried = Scalars.Why.Code == "CR1107" && !Q.Threads;
    fail(Carried ? LoopFacts::Result::Conflict : LoopFacts::Result::Unknown,
         Scalars.Why);
    return Facts;
  }
  Facts.Reductions = Scalars.Reductions;
  Facts.Private = Scalars.Private;
  Facts.LastValue = Scalars.LastValue;
  Reason Why = W.run();
  if (Why.isSet()) {
    fail(LoopFacts::Result::Unknown, Why);
    return Facts;
  }
  N = W.Root.V.N;
  if (!Q.Threads)
    findElementReductions();
  Test.FindsAvoiding = Q.Threads;
  comparePairs();
  Facts.RaceFree = S.guards(RaceFree);
  if (Facts.Why.isSet())
    return Facts;
  Why = addGuards(N, Facts.Guards, Facts.Assumed);
  if (Why.isSet()) {
    fail(LoopFacts::Result::Unknown, Why);
    return Facts;
  }
  Facts.R = LoopFacts::Result::Independent;
  for (const Inspection &I : W.Inspections) {
    if (!isUsed(I, Facts.Guards))
      continue;
    if (!W.isAlwaysRead(I)) {
      fail(LoopFacts::Result::Unknown,
           {"CR1105", "an index is not read in every iteration", L.Loc});
      return Facts;
    }
    Facts.Inspections.push_back(I);
  }
  bool Writes = false, Atomic = false;
  for (const Touch &T : W.Touches) {
    Writes |= T.writes() && !T.Atomic && !Reduced.count(&T);
    Atomic |= T.writes() && T.Atomic;
  }
  bool Tested = !Facts.Guards.empty() || Q.Separated.size() > Ctx.Apart.size();
  std::string Held = Tested ? "where the tests hold, " : "";
  // Atomic updates may meet in one element: nothing is said of where they go.
  if (Writes)
    Facts.Proved.push_back(Held +
                           "no two iterations touch an element that one of "
                           "them writes" +
                           (Atomic ? ", but for updates that commute" : ""));
  else if (Atomic)
    Facts.Proved.push_back(Held +
                           "iterations meet only in updates that commute");
  return Facts;
}

static For withoutRegions(const For &L) {
  return For(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar,
             RegionStripper().run(L.Body), L.Loc);
}

std::optional<Conflict> findConflict(const LoopQuery &Q, const Function &F,
                                     const Context &Ctx) {
  const For L = withoutRegions(*Q.Loop);
  LoopQuery Plain = Q;
  Plain.Loop = &L;
  LoopAnalysis Analysis(Plain, F, Ctx, /*Inspect=*/false);
  (void)Analysis.run();
  return Analysis.met();
}

LoopFacts analyseLoop(const LoopQuery &Q, const Function &F,
                      const Context &Ctx) {
  const For L = withoutRegions(*Q.Loop);
  LoopQuery Plain = Q;
  Plain.Loop = &L;
  LoopFacts Facts = LoopAnalysis(Plain, F, Ctx, /*Inspect=*/false).run();
  if (Facts.R == LoopFacts::Result::Unknown && Facts.Why.Code == "CR1105" &&
      !Q.Threads) {
    // All that is missing is which part of a buffer an index leads to.
    LoopFacts Looked = LoopAnalysis(Plain, F, Ctx, /*Inspect=*/true).run();
    if (Looked.R == LoopFacts::Result::Independent)
      return Looked;
  }
  return Facts;
}

} // namespace raise
