//===- Discovery.cpp - inputs on which a function is defined
//------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Discovery.h"
#include "Agreement.h"
#include "AskedFacts.h"
#include "Filler.h"
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

using interp::Binding;
using interp::Inputs;
using interp::Storage;
using interp::Value;

/// A family of inputs. Each attempt belongs to one.
enum class Family {
  Equal,
  OneLarge,
  Small,
  Overlap,
  Flags,
  Negative,
  Product,
  Large
};
constexpr unsigned NumFamilies = 8;
/// How many inputs of a family are kept.
constexpr unsigned Quota[NumFamilies] = {5, 3, 3, 2, 2, 1, 3, 2};

struct Attempt {
  Family Kind = Family::Equal;
  Inputs In;
  std::map<std::string, std::shared_ptr<Filler>> Fillers; ///< by buffer
  bool Overlaps = false;
  /// Of a recorded call: its arguments, before anything ran.
  std::shared_ptr<const Inputs> Before;
};

/// Whether threads that race would show on this input.
bool isSubstantial(const TestInput &T) {
  const uint64_t *G = T.In.GridDim, *B = T.In.BlockDim;
  return !T.Overlaps && T.Written >= 8 &&
         G[0] * G[1] * G[2] * B[0] * B[1] * B[2] >= 8;
}

/// Integers of which F asks only whether they are zero.
std::set<const Var *> switchesOf(const Function &F,
                                 const std::vector<VarRef> &Ints) {
  std::map<const Var *, int> Others;
  for (const VarRef &V : Ints)
    Others[V.get()] = 0;
  const auto Count = [&](const ExprRef &E, int By) {
    auto *U = llvm::dyn_cast<VarUse>(E.get());
    if (auto It = Others.find(U ? U->V.get() : nullptr); It != Others.end())
      It->second += By;
  };
  bool Asked = false;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    Count(E, 1);
    auto *C = llvm::dyn_cast<Cast>(E.get());
    if (C && C->Ty.isBool())
      Count(C->Operand, -1), Asked = true;
  });
  std::set<const Var *> Found;
  for (const auto &[V, N] : Others)
    if (Asked && N == 0 && uses(F.Body, V))
      Found.insert(V);
  return Found;
}

class Discoverer {
public:
  Discoverer(const VerifyJob &Job, const DiscoverySettings &S)
      : Job(Job), F(*Job.Original), S(S), Shape(shapeOf(F, Job.Layouts)),
        Asked(F, Shape.Ints), Switches(switchesOf(F, Shape.Ints)), Rand(S.Seed),
        HasTests(hasTests(Job.Raised.get())),
        LooksAhead(looksAhead(Job.Raised.get())) {}
  Discovered go();

private:
  const VerifyJob &Job;
  const Function &F;
  const DiscoverySettings &S;
  InputShape Shape;
  const AskedFacts Asked;
  const std::set<const Var *> Switches;
  Random Rand;
  const bool HasTests, LooksAhead;
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

  void make(Attempt &A, unsigned Number);
  int64_t chooseInt(Family Kind, unsigned Number, unsigned Index);
  int64_t largeInt(unsigned Number, unsigned Index);
  void chooseScalars(Attempt &A, unsigned Number);
  void applyHints(Attempt &A);
  std::optional<HintRange> hint(llvm::StringRef Name, const Inputs &In);
  void chooseBuffers(Attempt &A);
  void overlap(Attempt &A);
  void chooseLaunch(Attempt &A);
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
  int64_t largestInt(const Inputs &In) const;
};

int64_t Discoverer::chooseInt(Family Kind, unsigned Number, unsigned Index) {
  static const int64_t Sizes[] = {33, 0, 7, 257, 1, 1025, 2, 16};
  static const int64_t Larges[] = {257, 33, 1025, 129};
  size_t Count = std::max<size_t>(Shape.Ints.size(), 1);
  switch (Kind) {
  case Family::Equal:
    return Sizes[Number % 8];
  case Family::OneLarge:
    return Index == Number % Count ? Larges[Number / Count % 4]
                                   : Rand.between(1, 4);
  case Family::Flags:
    return Rand.between(0, 3);
  case Family::Product: // powers of two divide each other
    return Number % 2 ? Rand.between(1, 5) : int64_t(1) << Rand.below(3);
  case Family::Negative:
    return Index == Number % Count ? Rand.between(-3, -1) : Rand.between(1, 8);
  case Family::Large:
    return largeInt(Number, Index);
  default:
    return Rand.between(1, 8);
  }
}

/// Large inputs come by turns: of so many, first those in which all parameters
/// are large.
constexpr unsigned LargePeriod = 12;
static bool isForAll(unsigned Number) {
  return Number % LargePeriod < LargePeriod / 2;
}

/// Values under which loops over one to four of the parameters are long enough.
int64_t Discoverer::largeInt(unsigned Number, unsigned Index) {
  static const int64_t Roots[] = {131075, 400, 63, 20, 11, 250003};
  size_t Count = std::max<size_t>(Shape.Ints.size(), 1);
  int64_t Root = Roots[Number % (LargePeriod / 2)];
  if (isForAll(Number))
    return Root;
  return Index == Number / LargePeriod % Count ? Root : Rand.between(1, 4);
}

void Discoverer::chooseScalars(Attempt &A, unsigned Number) {
  for (unsigned I = 0; I < Shape.Ints.size(); ++I) {
    const Var &V = *Shape.Ints[I];
    const int64_t Chosen = Switches.count(&V) && Rand.below(8)
                               ? int64_t(Rand.below(2))
                               : chooseInt(A.Kind, Number, I);
    A.In.Scalars[V.Name] = Value::ofInt(clampTo(Chosen, V.Ty), V.Ty);
  }
  if (A.Kind == Family::Product && Shape.Ints.size() > 1) {
    // N = w * h * c, as kernels over a flattened range want it.
    unsigned Target = Number % Shape.Ints.size();
    bool Leading = Rand.below(2); // of those that come first, else of any
    unsigned Most =
        Leading ? 1 + Rand.below(Shape.Ints.size() - 1) : Shape.Ints.size();
    int64_t Product = 1;
    for (unsigned I = 0, Taken = 0; I < Shape.Ints.size() && Taken < Most; ++I)
      if (I != Target && (Leading || Rand.below(4))) {
        Product *= A.In.Scalars[Shape.Ints[I]->Name].I;
        ++Taken;
      }
    const Var &V = *Shape.Ints[Target];
    A.In.Scalars[V.Name] =
        Value::ofInt(clampTo(std::min<int64_t>(Product, 4096), V.Ty), V.Ty);
  }
  for (const VarRef &V : Shape.Floats) {
    unsigned Which = Rand.below(6);
    double D = Which == 0 ? 0 : Which == 1 ? 1 : Rand.real(-2, 2);
    A.In.Scalars[V->Name] = Value::ofFloat(D, V->Ty);
  }
}

std::optional<HintRange> Discoverer::hint(llvm::StringRef Name,
                                          const Inputs &In) {
  auto It = Job.Hints.find(Name);
  if (It == Job.Hints.end())
    return std::nullopt;
  return evaluateHint(It->second,
                      [&](llvm::StringRef N) -> std::optional<double> {
                        auto V = In.Scalars.find(N.str());
                        if (V != In.Scalars.end())
                          return V->second.Ty.isFloat() ? double(V->second.D)
                                                        : double(V->second.I);
                        if (N == "k") // "k*NH": any multiple
                          return double(Rand.between(1, 3));
                        return std::nullopt;
                      });
}

void Discoverer::applyHints(Attempt &A) {
  // A hint may name a parameter that has a hint: as many rounds as parameters.
  Inputs Before = A.In;
  for (size_t Round = 0; Round <= F.Params.size(); ++Round) {
    bool Changed = false;
    for (const Param &P : F.Params) {
      if (!P.Scalar)
        continue;
      auto H = hint(P.Scalar->Name, A.In);
      if (!H)
        continue;
      const Type &Ty = P.Scalar->Ty;
      Value &V = A.In.Scalars[P.Scalar->Name];
      double Now = Ty.isFloat() ? double(V.D) : double(V.I);
      bool Multiple =
          Job.Hints.lookup(P.Scalar->Name).find('k') != std::string::npos;
      if (Now >= H->Lo && Now <= H->Hi && !(Round == 0 && Multiple))
        continue;
      if (Multiple && Round > 0 && H->Lo == H->Hi && H->Lo != 0 &&
          std::fmod(Now, H->Lo) == 0)
        continue;
      V = Ty.isFloat() ? Value::ofFloat(Rand.real(H->Lo, H->Hi), Ty)
                       : Value::ofInt(Rand.between(H->Lo, H->Hi), Ty);
      Changed = true;
    }
    if (!Changed)
      break;
  }
}

int64_t Discoverer::largestInt(const Inputs &In) const {
  int64_t Max = 0;
  for (const VarRef &V : Shape.Ints)
    Max = std::max(Max, In.Scalars.at(V->Name).I);
  return std::min<int64_t>(Max, 1 << 20);
}

void Discoverer::chooseBuffers(Attempt &A) {
  static const FloatData FloatModes[] = {FloatData::Random, FloatData::Whole,
                                         FloatData::Random, FloatData::Positive,
                                         FloatData::Special};
  FloatData Floats = FloatModes[Rand.below(S.Specials ? 5 : 4)];
  int64_t Range = std::max<int64_t>(largestInt(A.In), 1);
  if (Shape.Ints.empty() || Rand.below(4) == 0)
    Range = 4;
  for (const BufferRef &B : Shape.Buffers) {
    Binding &Bind = A.In.Buffers[B->Name];
    if (Shape.TestedForNull.contains(B->Name) && Rand.below(3) == 0)
      continue; // null
    auto Fill = std::make_shared<Filler>();
    Fill->Floats = Floats;
    Fill->Ints = static_cast<IntData>(Rand.below(6));
    Fill->Range = Range;
    Fill->Seed = Rand.next();
    Fill->Hint = hint(B->Name, A.In);
    Bind.Store = std::make_shared<Storage>();
    Bind.Store->Growable = true;
    Bind.Store->MaxElements = size_t(1) << 19;
    Bind.Store->Fill = [Fill](size_t I, const std::string &Field,
                              const Type &Ty) {
      return Fill->make(I, Field, Ty);
    };
    A.Fillers[B->Name] = Fill;
    // All of it is there, whatever the original looks at.
    if (LooksAhead)
      for (size_t I = 0, Count = elementsOf(*B); I < Count; ++I)
        Bind.Store->Cells.push_back(Fill->make(I, "", B->Elem));
  }
}

/// Binds one more parameter to another's storage, if two may overlap.
void Discoverer::overlap(Attempt &A) {
  std::vector<std::pair<BufferRef, BufferRef>> Pairs;
  for (const BufferRef &P : Shape.Buffers)
    for (const BufferRef &Q : Shape.Buffers)
      if (P != Q && alias(*P, *Q) != AliasResult::No && P->Elem == Q->Elem &&
          !P->Elem.isVoid() && !P->Container && !Q->Container &&
          A.In.Buffers[P->Name].Store && A.In.Buffers[Q->Name].Store)
        Pairs.emplace_back(P, Q);
  if (Pairs.empty())
    return;
  auto &[P, Q] = Pairs[Rand.below(Pairs.size())];
  Binding &From = A.In.Buffers[Q->Name];
  From.Store = A.In.Buffers[P->Name].Store;
  // Threads of a kernel would race on shifted ranges.
  From.Offset = Job.IsKernel ? 0 : Rand.below(4);
  A.Fillers.erase(Q->Name);
  A.Overlaps = true;
}

void Discoverer::chooseLaunch(Attempt &A) {
  std::vector<unsigned> Blocks = {32, 64, 100, 128, 256, 512, 1, 7};
  Blocks.insert(Blocks.end(), Shape.SharedSizes.begin(),
                Shape.SharedSizes.end());
  if (!Shape.SharedSizes.empty() && Rand.below(2))
    Blocks = Shape.SharedSizes;
  uint64_t *G = A.In.GridDim, *B = A.In.BlockDim;
  B[0] = Blocks[Rand.below(Blocks.size())];
  static const unsigned Sides[] = {1, 4, 8, 16, 32, 5};
  if (Shape.UsesBlockZ) {
    B[0] = Rand.between(1, 8);
    B[2] = Rand.between(1, 4);
  }
  if (Shape.UsesBlockY) {
    bool Square = Rand.below(2) && !Shape.UsesBlockZ;
    if (!Shape.UsesBlockZ)
      B[0] = Square && !Shape.SharedSizes.empty()
                 ? std::min(32u, Shape.SharedSizes[0])
                 : Sides[Rand.below(6)];
    B[1] = Square ? B[0] : Sides[Rand.below(Shape.UsesBlockZ ? 3 : 6)];
  }
  // Most launches are those that the raised form is for, some are others.
  const std::array<unsigned, 3> Asked = blockAskedFor(Job.Raised.get());
  if (Asked != std::array<unsigned, 3>{} && Rand.below(3))
    for (unsigned D = 0; D != 3; ++D)
      B[D] = Asked[D] ? Asked[D] : B[D];
  uint64_t Threads = B[0] * B[1] * B[2];
  int64_t Size = std::min<int64_t>(largestInt(A.In), 300000);
  bool Cover = Rand.below(3) != 0 && Size > 0;
  G[0] = Cover ? std::min<uint64_t>((Size + Threads - 1) / Threads, 2048)
               : Rand.between(1, 4);
  if (Shape.UsesBlockY || Shape.UsesBlockZ)
    G[0] = std::min<uint64_t>(G[0], 8);
  int64_t Most = A.Kind == Family::Large ? 64 : 3;
  if (Shape.UsesGridY)
    G[1] = Rand.between(1, Most);
  if (Shape.UsesGridZ)
    G[2] = Rand.between(1, Most);
  if (Cover && G[1] > 1 && A.Kind != Family::Large && Rand.below(2))
    G[0] = (G[0] + G[1] - 1) / G[1];
}

void Discoverer::make(Attempt &A, unsigned Number) {
  chooseScalars(A, Number);
  applyHints(A);
  Asked.satisfy(A.In);
  chooseBuffers(A);
  if (A.Kind == Family::Overlap)
    overlap(A);
  if (Job.IsKernel)
    chooseLaunch(A);
}

std::string Discoverer::describe(const Inputs &In, bool Overlaps) const {
  std::string Text;
  auto Add = [&](const std::string &Part) {
    Text += (Text.empty() ? "" : ", ") + Part;
  };
  for (const VarRef &V : Shape.Ints)
    Add(V->Name + " = " + std::to_string(In.Scalars.at(V->Name).I));
  auto Dims = [](const uint64_t *D) {
    return std::to_string(D[0]) + "x" + std::to_string(D[1]) + "x" +
           std::to_string(D[2]);
  };
  if (Job.IsKernel) {
    Add("grid " + Dims(In.GridDim));
    Add("block " + Dims(In.BlockDim));
  }
  for (const BufferRef &B : Shape.Buffers)
    if (!In.Buffers.at(B->Name).Store)
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
  T.Terms = std::max<int64_t>(1, largestInt(A.In));
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
    make(A, Counts[unsigned(A.Kind)]++);
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
      make(A, N);
      // Tests for overlap stand behind those for enough work.
      if (Large > 0 && Job.Alias == AliasMode::Check)
        overlap(A);
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
  if (!Shape.Problem.empty()) {
    Out.Problem = Shape.Problem;
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
