//===- Discovery.cpp - inputs on which a function is defined
//------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Discovery.h"
#include "Agreement.h"
#include "Attempts.h"
#include "RaisedForm.h"
#include "Shape.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Verify/Recording.h"
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace raise {
namespace {

using interp::Inputs;
using interp::Storage;
using interp::Value;

/// How many inputs of a family are kept.
constexpr unsigned Quota[NumFamilies] = {5, 3, 3, 2, 2, 1, 3, 2};

/// Whether threads that race would show on this input.
bool isSubstantial(const TestInput &T) {
  const uint64_t *G = T.In.GridDim, *B = T.In.BlockDim;
  return !T.Overlaps && T.Written >= 8 &&
         G[0] * G[1] * G[2] * B[0] * B[1] * B[2] >= 8;
}

class Discoverer {
public:
  Discoverer(const VerifyJob &Job, const DiscoverySettings &S)
      : Job(Job), F(*Job.Original), S(S), Maker(Job, S),
        HasTests(hasTests(Job.Raised.get())) {}
  Discovered go();

private:
  const VerifyJob &Job;
  const Function &F;
  const DiscoverySettings &S;
  AttemptMaker Maker;
  const bool HasTests;
  Discovered Out;
  unsigned Kept[NumFamilies] = {};
  unsigned Trivial = 0;
  bool FailureSeen = false; ///< of a guard
  unsigned TooLong = 0;     ///< runs that came to no end
  /// No argument makes it short: its sizes are constants.
  bool IsLong = false;
  uint64_t LargeLimit = 0; ///< of steps, for the family of large inputs
  /// Enough inputs for what they cost.
  bool hasEnough() const {
    return Out.Inputs.size() >= 8 && StepsSpent >= 15 * S.MaxSteps;
  }
  uint64_t StepsSpent = 0;
  std::string LastStop;
  /// Stores that run on some of Out.Inputs.
  std::set<const Stmt *> Reached;
  std::string NotRun; ///< what could not be interpreted

  interp::Stop tryOut(Attempt &A);
  TestInput freeze(const Attempt &A, const interp::Outcome &O);
  void runRaised(TestInput &T);
  bool dependsOnOrder(const TestInput &T, const Inputs &After);
  bool isOpen(Family Kind, unsigned Number) const;
  void tryFamilies();
  void tryLarge();
  void replay();
  bool replay(const RecordedCall &Call);
  bool needsSubstantial() const { return Out.Racy && Out.Substantial < 3; }
  std::string describe(const Inputs &In, bool Overlaps) const;
  bool wanted(Family Kind, bool IsTrivial) const;
  StmtRef mostlyMissed() const;
};

std::string Discoverer::describe(const Inputs &In, bool Overlaps) const {
  std::string Text;
  auto Add = [&](const std::string &Part) {
    Text += (Text.empty() ? "" : ", ") + Part;
  };
  for (const VarRef &V : Maker.shape().Ints)
    Add(V->Name + " = " + std::to_string(In.Scalars.at(V->Name).I));
  auto Dims = [](const uint64_t *D) {
    return std::to_string(D[0]) + "x" + std::to_string(D[1]) + "x" +
           std::to_string(D[2]);
  };
  if (Job.IsKernel) {
    Add("grid " + Dims(In.GridDim));
    Add("block " + Dims(In.BlockDim));
  }
  for (const BufferRef &B : Maker.shape().Buffers)
    if (!In.Buffers.at(B->Name).Store && !B->EachElement)
      Add(B->Name + " null");
  if (Overlaps)
    Add("overlapping buffers");
  return Text.empty() ? "fixed size" : Text;
}

/// The initial contents, with the size that the run has found.
TestInput Discoverer::freeze(const Attempt &A, const interp::Outcome &O) {
  TestInput T;
  T.In = A.In;
  T.Overlaps = A.Overlaps;
  T.Steps = O.Steps;
  T.Text = (A.Before ? "recorded: " : "") + describe(A.In, A.Overlaps);
  T.Terms = std::max<int64_t>(1, Maker.largestInt(A.In));
  std::map<const Storage *, std::shared_ptr<Storage>> Fresh;
  for (auto &[Name, B] : T.In.Buffers) {
    if (!B.Store)
      continue;
    std::shared_ptr<Storage> &New = Fresh[B.Store.get()];
    if (A.Before) {
      New = A.Before->Buffers.at(Name).Store;
      T.Terms = std::max<uint64_t>(T.Terms, New->Cells.size());
    } else if (!New) {
      New = std::make_shared<Storage>();
      New->Cells.resize(B.Store->size());
      for (const auto &[Field, Plane] : B.Store->Fields)
        New->Fields[Field].resize(B.Store->size());
      T.Terms = std::max<uint64_t>(T.Terms, New->Cells.size());
    }
  }
  for (const auto &[Name, Fill] : A.Fillers) {
    Storage &New = *Fresh[A.In.Buffers.at(Name).Store.get()];
    for (const Filler::Cell &C : Fill->Given)
      (C.Field.empty() ? New.Cells : New.Fields[C.Field])[C.Index] = C.V;
  }
  auto Differs = [](const std::optional<Value> &Now,
                    const std::optional<Value> &Then) {
    return Now && (!Then || Now->I != Then->I ||
                   !(Now->D == Then->D ||
                     (std::isnan(Now->D) && std::isnan(Then->D))));
  };
  for (const auto &[Old, New] : Fresh) {
    for (size_t I = 0; I < Old->Cells.size(); ++I)
      T.Written += Differs(Old->Cells[I], New->Cells[I]);
    for (const auto &[Field, Plane] : Old->Fields)
      for (size_t I = 0; I < Plane.size(); ++I)
        T.Written += Differs(Plane[I], New->Fields[Field][I]);
  }
  for (auto &[Name, B] : T.In.Buffers)
    if (B.Store)
      B.Store = Fresh[B.Store.get()];
  T.Trivial = !T.Written && !O.Result;
  return T;
}

bool Discoverer::wanted(Family Kind, bool IsTrivial) const {
  return !IsTrivial || Trivial < 2 ||
         (Kind == Family::Negative && Kept[unsigned(Kind)] == 0);
}

/// Runs the kernel in two other orders of threads.
bool Discoverer::dependsOnOrder(const TestInput &T, const Inputs &After) {
  bool Rounds = hasRoundingReduction(F, nullptr);
  for (auto Ord :
       {interp::Settings::Order::Descending, interp::Settings::Order::Random}) {
    Inputs In = interp::clone(T.In);
    interp::Settings Set;
    Set.MaxSteps = 2 * T.Steps + 1000;
    Set.Ord = Ord;
    Set.Seed = 7;
    interp::Outcome O = interp::run(F, In, Set);
    StepsSpent += O.Steps;
    if (O.Why != interp::Stop::Done)
      return true;
    for (const auto &[Name, B] : In.Buffers)
      if (B.Store && !agree(*After.Buffers.at(Name).Store, *B.Store, Rounds))
        return true;
  }
  return false;
}

void Discoverer::runRaised(TestInput &T) {
  if (!Job.Raised)
    return;
  Inputs In = interp::clone(T.In);
  interp::Settings Set;
  Set.MaxSteps = 4 * T.Steps + 100000;
  interp::Outcome O = interp::run(*Job.Raised, In, Set);
  T.GuardPassed = O.GuardsPassed > 0;
  T.Starts = O.GuardsPassed;
  T.GuardFailed = O.GuardsFailed > 0;
  bool Unknown =
      O.Why == interp::Stop::Done || O.Why == interp::Stop::Unsupported ||
      O.Why == interp::Stop::StepLimit || O.Why == interp::Stop::Uninitialised;
  if (!Unknown && Out.RaisedStops.empty())
    Out.RaisedStops = O.Message + " (" + T.Text + ")";
}

interp::Stop Discoverer::tryOut(Attempt &A) {
  interp::Settings Set;
  Set.MaxSteps = A.Kind == Family::Large ? LargeLimit
                 : IsLong || A.Before    ? S.MaxLargeSteps
                                         : S.MaxSteps;
  Set.WatchThreads = Job.IsKernel;
  std::set<const Stmt *> Stores;
  Set.Reached = &Stores;
  Inputs Run = A.In; // the storages themselves grow
  interp::Outcome O = interp::run(F, Run, Set);
  StepsSpent += O.Steps;
  if (O.Why != interp::Stop::Done) {
    LastStop = O.Message + " (" + describe(A.In, A.Overlaps) + ")";
    TooLong += O.Why == interp::Stop::StepLimit;
    IsLong |= TooLong >= 6 && Out.Inputs.empty();
    if (O.Why == interp::Stop::Unsupported)
      NotRun = O.Message;
    return O.Why;
  }
  if (A.Kind == Family::Large && O.Steps < S.LargeSteps)
    return interp::Stop::StepLimit;
  TestInput T = freeze(A, O);
  if (!A.Before && !wanted(A.Kind, T.Trivial))
    return interp::Stop::Done;
  if (Job.IsKernel && (O.ThreadsDisagree ||
                       (A.Kind != Family::Large && dependsOnOrder(T, Run)))) {
    if (!T.Overlaps && Out.Racy++ == 0)
      Out.RacyText = T.Text;
    return interp::Stop::Done;
  }
  runRaised(T);
  bool Shows = isSubstantial(T);
  bool Full = Kept[unsigned(A.Kind)] >= Quota[unsigned(A.Kind)];
  if (!A.Before && Full && !(T.GuardFailed && !FailureSeen) &&
      !(Shows && needsSubstantial()))
    return interp::Stop::Done;
  Trivial += T.Trivial;
  FailureSeen |= T.GuardFailed;
  Out.Substantial += Shows;
  ++Kept[unsigned(A.Kind)];
  Reached.insert(Stores.begin(), Stores.end());
  Out.Inputs.push_back(std::move(T));
  return interp::Stop::Done;
}

/// Whether an input of this family may still be kept. Past its quota, a family
/// is searched for a run-time test that fails and, where threads raced, for
/// inputs that show that they need not.
bool Discoverer::isOpen(Family Kind, unsigned Number) const {
  unsigned K = unsigned(Kind);
  if (Kind == Family::Overlap && Job.Alias == AliasMode::Assume)
    return false;
  if (Kept[K] < Quota[K])
    return true;
  if (HasTests && !FailureSeen && Number <= S.Attempts / 2)
    return true;
  return needsSubstantial() &&
         (Kind == Family::Small || Kind == Family::Product);
}

void Discoverer::tryFamilies() {
  static const Family Cycle[] = {
      Family::Equal,    Family::Equal,    Family::OneLarge,
      Family::Small,    Family::Overlap,  Family::Flags,
      Family::OneLarge, Family::Negative, Family::Product};
  unsigned Counts[NumFamilies] = {};
  unsigned Unsupported = 0;
  // Where threads race on some inputs, others are worth a longer search.
  const auto most = [&] { return S.Attempts * (needsSubstantial() ? 4 : 1); };
  for (unsigned N = 0;
       N < most() && StepsSpent < 60 * S.MaxSteps && !hasEnough(); ++N) {
    Attempt A;
    A.Kind = Cycle[N % std::size(Cycle)];
    if (!isOpen(A.Kind, N))
      continue;
    Maker.make(A, Counts[unsigned(A.Kind)]++);
    if (A.Kind == Family::Overlap && !A.Overlaps) {
      A.Kind = Family::Small;
      if (!isOpen(A.Kind, N))
        continue;
    }
    Unsupported += tryOut(A) == interp::Stop::Unsupported;
    if (Unsupported > 8 && Out.Inputs.empty())
      break;
  }
}

/// Most of the sizes are far too large for most functions: runs that go on and
/// on are given up early, and taken further only where no others are found.
void Discoverer::tryLarge() {
  unsigned &Large = Kept[unsigned(Family::Large)];
  for (const TestInput &T : Out.Inputs)
    Large += T.Steps >= S.LargeSteps;
  constexpr unsigned Most = 40;
  std::set<unsigned> GivenUp;
  for (const bool Further : {false, true}) {
    LargeLimit =
        Further ? S.MaxLargeSteps : std::min(4 * S.LargeSteps, S.MaxLargeSteps);
    const std::set<unsigned> Again = std::exchange(GivenUp, {});
    const uint64_t Budget = StepsSpent + 90 * S.MaxSteps;
    for (unsigned N = 0; N < Most && Large < Quota[unsigned(Family::Large)] &&
                         StepsSpent < Budget;
         ++N) {
      const bool SameSizes =
          N >= LargePeriod && isForAll(N) && GivenUp.count(N % LargePeriod);
      if (SameSizes || (Further && !Again.count(N)))
        continue;
      Attempt A;
      A.Kind = Family::Large;
      Maker.make(A, N);
      // Tests for overlap stand behind those for enough work.
      if (Large > 0 && Job.Alias == AliasMode::Check)
        Maker.overlap(A);
      const unsigned Before = TooLong;
      tryOut(A);
      if (TooLong != Before)
        GivenUp.insert(N);
    }
  }
}

/// False, and the problem, where the call cannot be tested.
bool Discoverer::replay(const RecordedCall &Call) {
  llvm::Expected<Inputs> In = inputsOf(Call, F, Job.Recording);
  if (!In) {
    Out.Problem = llvm::toString(In.takeError());
    return false;
  }
  Attempt A;
  A.In = std::move(*In);
  A.Before = std::make_shared<Inputs>(interp::clone(A.In));
  std::set<const Storage *> Seen;
  for (const auto &[Name, B] : A.In.Buffers)
    A.Overlaps |= B.Store && !Seen.insert(B.Store.get()).second;
  if (tryOut(A) == interp::Stop::Done)
    return true;
  Out.Problem = Job.Recording + ":" + std::to_string(Call.Line) +
                ": the original is not defined on this call, or takes too "
                "long to be followed: " +
                LastStop;
  return false;
}

/// The calls of a recording, in place of inputs that are made up.
void Discoverer::replay() {
  llvm::Expected<std::vector<RecordedCall>> Calls =
      readRecording(Job.Recording);
  if (!Calls) {
    Out.Problem = llvm::toString(Calls.takeError());
    return;
  }
  bool Any = false;
  for (const RecordedCall &C : *Calls) {
    if (C.Function != F.Name && C.Function != F.QualifiedName)
      continue;
    Any = true;
    if (!replay(C))
      break;
  }
  if (!Any)
    Out.Problem = Job.Recording + " holds no call of '" + F.QualifiedName + "'";
  if (!Out.Problem.empty())
    Out.Inputs.clear();
}

Discovered Discoverer::go() {
  for (const std::string &Problem : {Job.Problem, Maker.shape().Problem})
    if (!Problem.empty()) {
      Out.Problem = Problem;
      return std::move(Out);
    }
  if (!Job.Recording.empty()) {
    replay();
    return std::move(Out);
  }
  tryFamilies();
  if (S.Large && !Out.Inputs.empty())
    tryLarge();
  bool AllTrivial = true;
  for (const TestInput &T : Out.Inputs)
    AllTrivial &= T.Trivial;
  if (Out.Inputs.empty())
    Out.Problem = "no input was found on which the original is defined" +
                  (LastStop.empty() ? "" : "; last: " + LastStop);
  else if (AllTrivial)
    Out.Problem = "on every input found the original writes nothing" +
                  (NotRun.empty() ? "" : "; on others, " + NotRun);
  else if (const StmtRef Missed = mostlyMissed())
    Out.Problem = "no input on which the original is defined was found to "
                  "reach most of what it writes, as on line " +
                  std::to_string(Missed->Loc.Line) + "; last: " + LastStop;
  if (!Out.Problem.empty())
    Out.Inputs.clear();
  return std::move(Out);
}

/// Where inputs had to be left out and more than half of the stores run on none
/// that is left, one of these: agreement would say next to nothing.
StmtRef Discoverer::mostlyMissed() const {
  if (LastStop.empty())
    return nullptr;
  unsigned All = 0, Missed = 0;
  StmtRef First;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (!llvm::isa<Store>(*S))
      return;
    ++All;
    if (Reached.count(S.get()))
      return;
    ++Missed;
    if (!First)
      First = S;
  });
  return 2 * Missed > All ? First : nullptr;
}

} // namespace

Discovered discoverInputs(const VerifyJob &Job, const DiscoverySettings &S) {
  if (!Job.Facts.empty()) {
    VerifyJob Told = Job;
    std::vector<StmtRef> Body = std::exchange(Told.Facts, {});
    Body.push_back(Job.Original->Body);
    Told.Original =
        withBody(*Job.Original, std::make_shared<Block>(std::move(Body)));
    return discoverInputs(Told, S);
  }
  return Discoverer(Job, S).go();
}

} // namespace raise
