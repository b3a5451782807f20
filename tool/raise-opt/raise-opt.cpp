//===- raise-opt.cpp - runs passes over IR text ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tool for developers of passes: reads functions in the IR's text form, runs
// the named passes over each host function and kernel, and prints the result.
//
//===----------------------------------------------------------------------===//

#ifdef RAISE_HAVE_INTERP
#include "Equivalence.h"
#endif
#ifdef RAISE_HAVE_GRAD
#include "raise/Grad/Adjoint.h"
#endif
#include "raise/IR/Text.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#ifdef RAISE_HAVE_TRANSFORM
#include "raise/Transform/Passes.h"
#else
#include "raise/IR/Context.h"
#endif

using namespace llvm;
using namespace raise;

static cl::OptionCategory Category("raise-opt options");

static cl::opt<std::string> InputFile(cl::Positional, cl::init("-"),
                                      cl::desc("<file.rir>"),
                                      cl::cat(Category));
static cl::opt<bool> VerifyEach("verify-each", cl::init(true),
                                cl::desc("Verify the input and after each "
                                         "pass (default)"),
                                cl::cat(Category));
static cl::opt<bool>
    PrintRemarks("print-remarks",
                 cl::desc("Print what passes left and why to stderr"),
                 cl::cat(Category));
static cl::opt<FPMode>
    FP("fp", cl::desc("How floating arithmetic may change"),
       cl::values(clEnumValN(FPMode::Strict, "strict", "not at all"),
                  clEnumValN(FPMode::Reduce, "reduce",
                             "order of reductions (default)"),
                  clEnumValN(FPMode::Fast, "fast", "as for real numbers")),
       cl::init(FPMode::Reduce), cl::cat(Category));
static cl::opt<Dialect> Target(
    "target", cl::desc("What it is laid out for"),
    cl::values(clEnumValN(Dialect::OpenMP, "openmp",
                          "loops with OpenMP (default)"),
               clEnumValN(Dialect::Eigen, "eigen", "expressions of Eigen"),
               clEnumValN(Dialect::Cuda, "cuda", "kernels")),
    cl::init(Dialect::OpenMP), cl::cat(Category));
static cl::opt<AliasMode>
    Alias("alias", cl::desc("Pointers that may overlap"),
          cl::values(clEnumValN(AliasMode::Check, "check",
                                "are tested at run time (default)"),
                     clEnumValN(AliasMode::Assume, "assume", "do not overlap")),
          cl::init(AliasMode::Check), cl::cat(Category));

#ifdef RAISE_HAVE_TRANSFORM
static cl::list<std::string> PassNames("pass", cl::desc("Run this pass"),
                                       cl::value_desc("name"),
                                       cl::cat(Category));
static cl::opt<unsigned> VectorBytes("vector-bytes",
                                     cl::desc("The machine's vectors"),
                                     cl::init(MachineFacts().VectorBytes),
                                     cl::cat(Category));
static cl::opt<bool>
    Blas("blas", cl::desc("Products of matrices may become calls of CBLAS"),
         cl::cat(Category));
static cl::opt<bool> ListPasses("list-passes",
                                cl::desc("List all passes in pipeline order"),
                                cl::cat(Category));
#endif

#ifdef RAISE_HAVE_GRAD
static cl::opt<std::string>
    TangentOf("tangent", cl::value_desc("function"),
              cl::desc("Print the tangent of this function instead"),
              cl::cat(Category));
static cl::opt<std::string>
    AdjointOf("adjoint", cl::value_desc("function"),
              cl::desc("Print the adjoint of this function instead"),
              cl::cat(Category));
static cl::list<std::string>
    Wrt("wrt", cl::CommaSeparated,
        cl::desc("With --tangent or --adjoint: independents"),
        cl::cat(Category));
static cl::list<std::string>
    Of("of", cl::CommaSeparated,
       cl::desc("With --tangent or --adjoint: dependents"), cl::cat(Category));

static cl::opt<unsigned> Directions("directions", cl::init(1),
                                    cl::value_desc("k"),
                                    cl::desc("With --tangent: in k directions"),
                                    cl::cat(Category));

static cl::opt<std::string> Checkpoint(
    "checkpoint", cl::value_desc("variable:steps"),
    cl::desc("With --adjoint: the loop over this variable by segments, or with "
             "variable:binomial:n from n states"),
    cl::cat(Category));

static int printDerivative(ArrayRef<FunctionRef> Functions, grad::Mode M,
                           const std::string &Name) {
  for (const FunctionRef &F : Functions) {
    if (F->Name != Name)
      continue;
    grad::Request Asked;
    Asked.Wrt = Wrt;
    Asked.Of = Of;
    Asked.Alias = Alias;
    Asked.Directions = Directions;
    if (!Checkpoint.empty()) {
      auto [Variable, Steps] = StringRef(Checkpoint).split(':');
      Asked.Steps.emplace();
      Asked.Steps->Loop = Variable.str();
      int64_t &Number = Steps.consume_front("binomial:")
                            ? Asked.Steps->Snapshots
                            : Asked.Steps->Every;
      if (Steps.getAsInteger(10, Number) || Number < 1) {
        errs() << "--checkpoint=<variable>:<steps>\n";
        return 1;
      }
    }
    const grad::Differentiated D = grad::derivativeOf(F, Asked, M);
    for (const Reason &R : D.Refused)
      errs() << R.Loc.File << ':' << R.Loc.Line << ':' << R.Loc.Column
             << ": error: " << R.Text << " [" << R.Code << "]\n";
    if (!D.F)
      return 1;
    for (const std::string &Problem : verify(*D.F)) {
      WithColor::error() << "the derivative is no valid IR: " << Problem
                         << '\n';
      return 1;
    }
    print(outs(), *D.F);
    return 0;
  }
  WithColor::error() << "no function '" << Name << "'\n";
  return 1;
}
#endif

static bool isValid(const Function &F, const Twine &When) {
  if (!VerifyEach)
    return true;
  std::vector<std::string> Problems = verify(F);
  for (const std::string &Problem : Problems)
    WithColor::error() << When << ": " << Problem << '\n';
  return Problems.empty();
}

[[maybe_unused]] static void printRemarks(const Context &Ctx) {
  if (!PrintRemarks)
    return;
  for (const Reason &R : Ctx.Missed) {
    if (R.Loc.isValid())
      errs() << R.Loc.File << ':' << R.Loc.Line << ':' << R.Loc.Column << ": ";
    else
      errs() << InputFile << ": ";
    errs() << "remark: not raised: " << R.Text << " [" << R.Code << "]\n";
  }
}

#ifdef RAISE_HAVE_INTERP
static cl::opt<uint64_t>
    CheckSeed("check-equivalent", cl::value_desc("seed"),
              cl::desc("Fail if passes change results on small random inputs"),
              cl::cat(Category));

static bool areEquivalent(const Function &Before, const Function &After,
                          const Options &Opts) {
  if (CheckSeed.getNumOccurrences() == 0)
    return true;
  EquivalenceResult R = checkEquivalent(Before, After, Opts, CheckSeed);
  if (!R.Difference.empty()) {
    WithColor::error() << "'" << Before.Name
                       << "' changes its results: " << R.Difference << '\n';
    return false;
  }
  if (R.Compared == 0) {
    WithColor::error() << "'" << Before.Name
                       << "' could not be compared on any input\n";
    return false;
  }
  WithColor::note() << "'" << Before.Name << "' agrees on " << R.Compared
                    << " inputs (" << R.Skipped << " unusable)\n";
  return true;
}
#endif

#ifdef RAISE_HAVE_TRANSFORM
static bool findPasses(std::vector<const Pass *> &Passes) {
  for (const std::string &Name : PassNames) {
    const Pass *P = findPass(Name);
    if (!P) {
      WithColor::error() << "no pass '" << Name
                         << "'; --list-passes names all\n";
      return false;
    }
    Passes.push_back(P);
  }
  return true;
}

/// Null if a pass broke the function.
static FunctionRef runPasses(FunctionRef F, ArrayRef<const Pass *> Passes) {
  const FunctionRef Before = F;
  Context Ctx;
  Ctx.Opts.FP = FP;
  Ctx.Opts.Target = Target;
  Ctx.Opts.Alias = Alias;
  Ctx.Opts.Machine.VectorBytes = VectorBytes;
  Ctx.Opts.Blas = Blas;
  for (const Pass *P : Passes) {
    F = P->Run(F, Ctx);
    if (!isValid(*F, "after " + P->Name))
      return nullptr;
  }
  printRemarks(Ctx);
#ifdef RAISE_HAVE_INTERP
  if (!areEquivalent(*Before, *F, Ctx.Opts))
    return nullptr;
#endif
  return F;
}

static void listPasses() {
  for (const Pass &P : allPasses())
    outs() << P.Name << "  " << P.Summary << '\n';
  outs() << "rewrites of loops, which raise-loops tries:\n";
  for (const Pass &P : loopRewrites())
    outs() << P.Name << "  " << P.Summary << '\n';
}
#endif

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(Argc, Argv, "runs passes over IR text\n");
#ifdef RAISE_HAVE_TRANSFORM
  if (ListPasses) {
    listPasses();
    return 0;
  }
  std::vector<const Pass *> Passes;
  if (!findPasses(Passes))
    return 1;
#endif
  auto Buffer = MemoryBuffer::getFileOrSTDIN(InputFile, /*IsText=*/true);
  if (!Buffer) {
    WithColor::error() << InputFile << ": " << Buffer.getError().message()
                       << '\n';
    return 1;
  }
  auto Functions =
      parseIR((*Buffer)->getBuffer(),
              InputFile == "-" ? StringRef("<stdin>") : InputFile.getValue());
  if (!Functions) {
    WithColor::error() << toString(Functions.takeError()) << '\n';
    return 1;
  }
#ifdef RAISE_HAVE_GRAD
  if (!TangentOf.empty())
    return printDerivative(*Functions, grad::Mode::Forward, TangentOf);
  if (!AdjointOf.empty())
    return printDerivative(*Functions, grad::Mode::Reverse, AdjointOf);
#endif
  bool Valid = true;
  for (FunctionRef &F : *Functions) {
    if (!isValid(*F, "input")) {
      Valid = false;
      continue;
    }
#ifdef RAISE_HAVE_TRANSFORM
    // Device functions are pure callees: callers refer to them as they are.
    if (F->Kind == FunctionKind::Device)
      continue;
    FunctionRef New = runPasses(F, Passes);
    Valid &= New != nullptr;
    if (New)
      F = std::move(New);
#endif
  }
  if (!Valid)
    return 1;
  print(outs(), *Functions);
  return 0;
}
