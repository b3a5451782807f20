//===- Gradient.cpp - derivatives, compiled, run, compared ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Verify/Gradient.h"
#include "Constants.h"
#include "Directions.h"
#include "GradientProgram.h"
#include "Internal.h"
#include "raise/Grad/UserRules.h"
#include "raise/Grad/Widen.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Races.h"
#include "raise/Verify/DotProduct.h"
#include "raise/Verify/ManyDirections.h"
#include "raise/Verify/Slopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace raise {

namespace {

/// An input that takes longer in the interpreter is left out.
constexpr uint64_t MaxSteps = 200000;

/// What the function reads that is no argument: the interpreter would not know
/// its value.
std::string outsideOf(const Function &F) {
  std::string Name;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get());
        U && U->V->Kind == VarKind::External)
      Name = U->V->Name;
    if (auto *L = dyn_cast<Load>(E.get());
        L && (L->From.Buf->Kind == BufferKind::Global ||
              L->From.Buf->Kind == BufferKind::Pointer))
      Name = L->From.Buf->Name;
  });
  return Name;
}

/// Whether threads of a launch meet other than in atomic sums: the launch has
/// no one result then, though the values at hand may not show it.
bool isRacy(const Function &Kernel, const interp::Inputs &In) {
  bool Racy = false, AllAtomic = true, Waits = false;
  forEachStmt(Kernel.Body,
              [&](const StmtRef &S) { Waits |= isa<Barrier>(*S); });
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    AllAtomic &= !St || St->Op == Combiner::None || St->Atomic;
  });
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (!L || !isThreadLoop(L->LKind) || Racy)
      return;
    // Threads that wait for each other were cut at what they wait for.
    if (Waits && L->LKind >= LoopKind::BlockX)
      return;
    const interp::Sharing Found =
        interp::sharingByBruteForce(Kernel, L, In, nullptr);
    Racy = Found != interp::Sharing::None &&
           !(Found == interp::Sharing::SameCombiner && AllAtomic);
  });
  return Racy;
}

/// Whether Made, if it is for some launches alone, is for that of T.
bool fits(const Function &Made, const Function &Primal, const TestInput &T) {
  const ArrayRef<StmtRef> Body = statements(Made.Body);
  auto *R = Body.empty() ? nullptr : dyn_cast<Region>(Body.back().get());
  const ArrayRef<StmtRef> Else =
      R ? statements(R->Original) : ArrayRef<StmtRef>();
  auto *Stop =
      Else.size() == 1 ? dyn_cast<Opaque>(Else.front().get()) : nullptr;
  if (!Stop || !Stop->NoReturn)
    return true;
  interp::Inputs In = interp::clone(T.In);
  return all_of(R->Rests.Guards, [&](const Guard &G) {
    if (!G.Cond)
      return !T.Overlaps;
    const std::optional<interp::Value> V = interp::evaluate(G.Cond, Primal, In);
    return V && V->I != 0;
  });
}

/// Whether all elements of R are there. A range that only bounds what is
/// touched may be larger than the least memory that does, and meet what lies
/// beside; and of one that ends before it begins a test may say anything.
bool isThere(const ElementRange &R, const Function &F, interp::Inputs &In) {
  const interp::Binding B = bindingOf(In, R.Buf->Name);
  const auto Lo = interp::evaluate(R.Lo, F, In),
             Hi = interp::evaluate(R.Hi, F, In);
  if (!Lo || !Hi || Lo->I > Hi->I)
    return false;
  if (!B.Store || Lo->I == Hi->I)
    return true;
  return B.Offset + Lo->I >= 0 && B.Offset + Hi->I <= int64_t(B.Store->size());
}

/// Whether In is what Made requires.
bool isAccepted(const Function &Made, const Function &Primal,
                const interp::Inputs &In) {
  Function Asks = Primal;
  Asks.Requires = Made.Requires;
  Asks.Body = std::make_shared<Block>(std::vector<StmtRef>());
  interp::Inputs Given = interp::clone(In);
  if (interp::run(Asks, Given).Why == interp::Stop::Requirement)
    return false;
  return all_of(Made.Requires, [&](const Guard &G) {
    return G.Cond ||
           (isThere(G.A, Primal, Given) && isThere(G.B, Primal, Given));
  });
}

/// By how many threads derivatives are run, as raised functions are.
constexpr unsigned ThreadCounts[] = {1, 2, 4};

class Verifier {
public:
  Verifier(GradientJob Of, StringRef RuntimeDir, StringRef WorkDir)
      : Job(std::move(Of)), RuntimeDir(RuntimeDir), WorkDir(WorkDir) {
    if (Job.Constants.empty())
      return;
    // The interpreter knows of nothing outside of the function.
    const FunctionRef Closed = withConstants(*Job.Base.Original, Job.Constants);
    grad::Differentiated Made =
        grad::derivativeOf(Closed, Job.Asked, Job.Made.Sig.M);
    if (!Made.F)
      return;
    Job.Base.Original = Closed;
    Job.Made = std::move(Made);
  }

  VerifyResult run() {
    const Function &Primal = *Job.Base.Original;
    if (std::string Name = outsideOf(Primal); !Name.empty())
      return inconclusive("it reads '" + Name +
                          "', which is no argument: its value is not known");
    std::string Ruled;
    grad::forEachRule(Primal, [&](const Callee &C) { Ruled = C.Name; });
    if (!Ruled.empty())
      return inconclusive("it calls '" + Ruled +
                          "', whose derivative is given by a rule: the "
                          "interpreter, which takes differences, runs neither");
    DiscoverySettings S;
    S.Specials = false;
    S.Large = false; // more steps than MaxSteps
    Discovered Found = discoverInputs(Job.Base, S);
    if (Found.Inputs.empty())
      return inconclusive(Found.Problem);
    erase_if(Found.Inputs,
             [](const TestInput &T) { return T.Steps > MaxSteps; });
    if (Found.Inputs.empty())
      return inconclusive("the recorded calls take too long to be followed by "
                          "differences: record smaller ones");
    if (Job.Base.IsKernel)
      erase_if(Found.Inputs,
               [&](const TestInput &T) { return isRacy(Primal, T.In); });
    if (Found.Inputs.empty())
      return inconclusive("on all inputs that were tried, threads race");
    erase_if(Found.Inputs,
             [&](const TestInput &T) { return !fits(*Job.Made.F, Primal, T); });
    if (Found.Inputs.empty())
      return inconclusive("no launch was found that the derivative is for");
    erase_if(Found.Inputs, [&](const TestInput &T) {
      return !isAccepted(*Job.Made.F, Primal, T.In);
    });
    if (Found.Inputs.empty())
      return inconclusive(
          "no input was found on which the derivative's requirements hold");
    if (VerifyResult R = compareSlopes(Found.Inputs); R.V != Verdict::None)
      return R;
    if (VerifyResult R = compareCompiled(Found.Inputs); R.V != Verdict::None)
      return R;
    std::string Detail =
        std::to_string(Checked.Compared) + " slopes agree with differences (" +
        std::to_string(Checked.Kinks) + " at kinks left out), ";
    if (isAdjoint())
      Detail += std::to_string(Products.Compared) +
                " dot products with the tangent, ";
    if (EachDirection.Compared)
      Detail += std::to_string(EachDirection.Compared) + " values of " +
                std::to_string(Job.Asked.Directions) +
                " directions are those of one at a time, ";
    return {Verdict::Passed,
            Detail + std::to_string(Ran) + " inputs compiled and run",
            std::move(Figures)};
  }

private:
  static VerifyResult inconclusive(const Twine &Why) {
    return {Verdict::Inconclusive, Why.str()};
  }
  static VerifyResult failed(const Twine &Why) {
    return {Verdict::Failed, Why.str()};
  }

  bool isAdjoint() const { return Job.Made.Sig.M == grad::Mode::Reverse; }

  /// What is written, in double: not one that is made for the check.
  grad::Differentiated written() const {
    grad::Differentiated D = Job.Made;
    D.F = grad::widened(*Job.Made.F);
    return D;
  }

  VerifyResult compareSlopes(ArrayRef<TestInput> Inputs) {
    const FunctionRef Wide = grad::widened(*Job.Base.Original);
    grad::Request Asked = Job.Asked;
    Asked.Directions = 1;
    Asked.FP = FPMode::Strict; // its primal values are compared bit by bit
    const grad::Differentiated D = isAdjoint() || Job.Asked.Directions > 1
                                       ? grad::tangentOf(Wide, Asked)
                                       : written();
    if (!D.F)
      return inconclusive("its form in double cannot be differentiated");
    for (size_t I = 0; I < Inputs.size(); ++I)
      checkInput(*Wide, D, Inputs[I], I + 1);
    if (!Checked.Difference.empty())
      return failed(Checked.Difference);
    if (!Checked.NonZero)
      return inconclusive("on all inputs that were tried, every slope is zero");
    if (Checked.Compared < Checked.Kinks)
      return inconclusive("at most of the inputs that were tried, the function "
                          "has no slope");
    if (isAdjoint())
      return compareProducts(*Wide, D, Inputs);
    return Job.Asked.Directions > 1 ? compareDirections(*Wide, D, Inputs)
                                    : VerifyResult();
  }

  void checkInput(const Function &Wide, const grad::Differentiated &D,
                  const TestInput &T, uint64_t Seed) {
    SlopeCheck Here;
    checkSlopes(Wide, D, T.In, Seed, Here);
    if (Here.Compared)
      Figures.push_back({T.Text, Here.Compared, Here.Largest});
    Checked.Compared += Here.Compared;
    Checked.NonZero += Here.NonZero;
    Checked.Kinks += Here.Kinks;
    Checked.Unusable += Here.Unusable;
    if (Checked.Difference.empty())
      Checked.Difference = Here.Difference;
  }

  VerifyResult compareDirections(const Function &Wide,
                                 const grad::Differentiated &One,
                                 ArrayRef<TestInput> Inputs) {
    const grad::Differentiated Many = written();
    for (size_t I = 0; I < Inputs.size(); ++I)
      checkManyDirections(Wide, One, Many, inDouble(Inputs[I].In), I + 1,
                          EachDirection);
    if (!EachDirection.Difference.empty())
      return failed(EachDirection.Difference);
    if (!EachDirection.NonZero)
      return inconclusive("directions could be compared on no input");
    return {};
  }

  VerifyResult compareProducts(const Function &Wide,
                               const grad::Differentiated &Tangent,
                               ArrayRef<TestInput> Inputs) {
    const grad::Differentiated D = written();
    for (size_t I = 0; I < Inputs.size(); ++I)
      checkDotProduct(Wide, Tangent, D, Inputs[I].In, I + 1, Products);
    if (!Products.Difference.empty())
      return failed(Products.Difference);
    if (!Products.NonZero)
      return inconclusive("the adjoint could be compared on no input");
    return {};
  }

  VerifyResult compareCompiled(ArrayRef<TestInput> Inputs) {
    GradientProgram Program(Job);
    for (size_t I = 0; I < Inputs.size(); ++I)
      Program.add(Inputs[I].In, I + 1);
    if (!Program.problem().empty())
      return inconclusive(Program.problem());
    Ran = Program.size();
    if (!Ran)
      return inconclusive("the derivative could be interpreted on no input");
    for (const auto &[File, Name] :
         {std::pair(Job.Base.EmittedFile, "run"),
          std::pair(Job.Base.EagerFile, "run-eager")})
      if (!File.empty())
        if (VerifyResult R = compareText(Program, File, Name);
            R.V != Verdict::None)
          return R;
    return {};
  }

  VerifyResult compareText(GradientProgram &Program, StringRef File,
                           StringRef Name) const {
    if (std::string Error = Program.build(File, Name, RuntimeDir, WorkDir);
        !Error.empty())
      return failed(Error);
    for (const unsigned Threads : ThreadCounts) {
      std::string Output;
      if (std::string Error = Program.run(Name, Threads, WorkDir, Output);
          !Error.empty())
        return Program.isIncomplete() ? inconclusive(Error) : failed(Error);
      if (std::string Wrong = Program.compare(Output); !Wrong.empty())
        return failed("compiled, " + Wrong +
                      (Threads == 1
                           ? ""
                           : ", with " + std::to_string(Threads) + " threads"));
    }
    return {};
  }

  GradientJob Job;
  const StringRef RuntimeDir, WorkDir;
  SlopeCheck Checked;
  std::vector<Figure> Figures;
  DotProductCheck Products;
  ManyDirectionsCheck EachDirection;
  size_t Ran = 0;
};

} // namespace

VerifyResult verifyDerivative(const GradientJob &Job, StringRef RuntimeDir,
                              StringRef WorkDir) {
  return Verifier(Job, RuntimeDir, WorkDir).run();
}

} // namespace raise
